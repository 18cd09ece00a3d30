-- Items, weapons, ammunition and what can be held: lie on the floor, are picked up, come back.
--
-- Flag 1: SUSPENDED (stays where it is built). wait: seconds until it is back (-1: never), random, count (how much), team
-- (one of them at a time). With a targetname it is not there until it is fired.
local pickups = require "pickups"
local items = { help = "Picked up when touched, and back after a while.", classes = { "item_*", "weapon_*", "ammo_*", "holdable_*" } }
local SUSPENDED = 1

local back = { item_armor = 25, item_health = 35, ammo = 40, holdable = 60, weapon = 5 }
local powers = { item_quad = 120, item_enviro = 120, item_haste = 120, item_invis = 120, item_regen = 120, item_flight = 120 }
local health = { item_health_small = 5, item_health = 25, item_health_large = 50, item_health_mega = 100,
  item_health1 = 5, item_health_medium = 25, item_health25 = 25, item_health100 = 100 }
local armor = { item_armor_shard = 5, item_armor_combat = 50, item_armor_body = 100,
  item_armor_small = 5, item_armor1 = 5, item_armor_medium = 25, item_armor_large = 100, item_armor25 = 100 }

local function seconds(self)
  local wait = self:number("wait", 0)
  if wait ~= 0 then return wait end
  if powers[self.classname] then return powers[self.classname] end
  for start, time in pairs(back) do
    if self.classname:sub(1, #start) == start then return time end
  end
  return 30
end

-- How much it gives: its count, or what its class does.
local function quantity(self, usual)
  local count = self:number("count", 0)
  return count > 0 and count or usual
end

local function show(self, shown) self.solid, self.visible = shown and "trigger" or "none", shown end

local function team(self)
  local name, all = self:key("team"), {}
  for _, e in ipairs(name and lw.entities.all() or {}) do
    if e:key("team") == name and e.is_item then all[#all + 1] = e end
  end
  return all
end

function items.spawn(self)
  self.mins, self.maxs = pickups.box()
  self.is_item = true
  self.look = pickups.look(self.classname)
  show(self, true)
  self:after(0.2, "land")    -- when movers under it are there
end

-- Down to the floor; what is built into something solid is taken away, as in the game. Of a team the first is there.
function items.land(self)
  if self.mins.z == 0 then self.origin = self.origin + lw.vec3(0, 0, 1) end    -- Nexuiz's stand exactly on the floor
  if self:flags() & SUSPENDED == 0 and not self:drop() then
    lw.log.warn(("%s at %s stands in something solid and is taken away"):format(tostring(self), tostring(self.origin)))
    self:remove()
    return
  end
  local first = team(self)[1]
  if self.targetname or (first and first ~= self) then show(self, false) end
end

-- Health that is full and armour that is full leave the item where it is.
local function take(self)
  local more, most = health[self.classname], 100
  if more then
    if self.classname == "item_health_small" or self.classname == "item_health_mega" then most = 200 end
    if lw.player.health >= most then return false end
    lw.player.health = math.min(lw.player.health + quantity(self, more), most)
  elseif armor[self.classname] then
    local have = lw.player.items.armor or 0
    if have >= 200 then return false end
    lw.player.give("armor", math.min(quantity(self, armor[self.classname]), 200 - have))
  end
  lw.player.give(self.classname)
  return true
end

function items.touch(self, other)
  if not other.is_player or not take(self) then return end
  show(self, false)
  self:fire(other)
  local wait = seconds(self)
  if wait >= 0 then self:after(math.max(wait + self:number("random", 0) * (math.random() * 2 - 1), 1), "respawn") end
end

-- Of a team one comes back, by chance.
function items.respawn(self)
  local all = team(self)
  show(#all > 0 and all[math.random(#all)] or self, true)
end

function items.use(self) items.respawn(self) end

function items.draw(self)
  if self.found == nil then self.found = pickups.at_hand(self.look) or false end
  if self.found then
    pickups.draw({ look = self.found, found = self.found, index = self.index, origin = self.origin }, lw.time.now(), {})
  else
    lw.draw.sphere(self.origin, 8, { color = { 0.4, 0.8, 1 } })
  end
end

return items
