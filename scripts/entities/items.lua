-- Items, weapons, ammunition and what can be held: lie on the floor, are picked up, come back.
--
-- Flag 1: SUSPENDED (stays where it is built). wait: seconds until it is back (-1: never), random, count, team.
local items = { help = "Picked up when touched, and back after a while.", classes = { "item_*", "weapon_*", "ammo_*", "holdable_*" } }
local SUSPENDED = 1

local back = { item_armor = 25, item_health = 35, ammo = 40, holdable = 60, weapon = 5 }
local powers = { item_quad = 120, item_enviro = 120, item_haste = 120, item_invis = 120, item_regen = 120, item_flight = 120 }

local function seconds(self)
  local wait = self:number("wait", 0)
  if wait ~= 0 then return wait end
  if powers[self.classname] then return powers[self.classname] end
  for start, time in pairs(back) do
    if self.classname:sub(1, #start) == start then return time end
  end
  return 30
end

function items.spawn(self)
  self.mins, self.maxs = lw.vec3(-15, -15, -15), lw.vec3(15, 15, 15)
  self.solid, self.visible = "trigger", true
  self:after(0.2, "land")    -- when movers under it are there
end

-- Down to the floor; what is built into something solid is taken away, as in the game.
function items.land(self)
  if self:flags() & SUSPENDED == 0 and not self:drop() then
    lw.log.warn(("%s at %s stands in something solid and is taken away"):format(tostring(self), tostring(self.origin)))
    self:remove()
    return
  end
  if self.targetname then self.solid, self.visible = "none", false end    -- waits until it is fired
end

local health = { item_health_small = 5, item_health = 25, item_health_large = 50, item_health_mega = 100 }

function items.touch(self, other)
  if not other.is_player then return end
  local more = health[self.classname]
  if more then
    local most = (self.classname == "item_health_small" or self.classname == "item_health_mega") and 200 or 100
    if lw.player.health >= most then return end
    lw.player.health = math.min(lw.player.health + more, most)
  end
  lw.player.give(self.classname, math.max(self:number("count", 1), 1))
  self.solid, self.visible = "none", false
  self:fire(other)
  local wait = seconds(self)
  if wait >= 0 then self:after(math.max(wait + self:number("random", 0) * (math.random() * 2 - 1), 1), "respawn") end
end

-- Of a team one comes back, by chance.
function items.respawn(self)
  local team = self:key("team")
  local one = self
  if team then
    local all = {}
    for _, e in ipairs(lw.entities.all()) do
      if e:key("team") == team and e.valid then all[#all + 1] = e end
    end
    if #all > 0 then one = all[math.random(#all)] end
  end
  one.solid, one.visible = "trigger", true
end

function items.use(self) self.solid, self.visible = "trigger", true end

return items
