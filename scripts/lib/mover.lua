-- What doors, buttons and plats share: two places, the way between them, and a team that moves as one.
--
-- A mover is in one of these states: "pos1", "starting", "1to2", "pos2", "2to1". Its team's first member decides for all.
local mover = {}

-- The direction that the keys angle and angles give: -1 is up and -2 is down (angles "0 -1 0" too).
function mover.direction(self)
  local angles = self:facing() or lw.vec3(0, 0, 0)
  if angles == lw.vec3(0, -1, 0) then return lw.vec3(0, 0, 1) end
  if angles == lw.vec3(0, -2, 0) then return lw.vec3(0, 0, -1) end
  local pitch, turn = math.rad(angles.x), math.rad(angles.y)
  local function clean(x) return math.abs(x) < 1e-9 and 0 or x end    -- the sine of 180 degrees is 0, nearly
  return lw.vec3(clean(math.cos(pitch) * math.cos(turn)), clean(math.cos(pitch) * math.sin(turn)), clean(-math.sin(pitch)))
end

-- A speed or wait key: where it is 0, too, the game takes its default.
function mover.setting(self, name, default)
  local number = self:number(name, default)
  return number ~= 0 and number or default
end

-- The corner of that name on a train's way.
function mover.corner(name)
  for _, e in ipairs(name and lw.entities.named(name) or {}) do
    if e.classname == "path_corner" then return e end
  end
end

-- How far a mover goes along a direction: its size there, two units more than its brush as in the game, less the lip.
function mover.distance(self, direction, lip)
  local size = self.maxs - self.mins
  return math.abs(direction.x) * size.x + math.abs(direction.y) * size.y + math.abs(direction.z) * size.z - lip
end

-- Makes a mover of an entity: it stands at pos1 and can go to pos2.
function mover.init(self, pos1, pos2, speed)
  self.solid, self.carries, self.visible = true, true, true
  self.pos1, self.pos2 = pos1, pos2
  self.seconds = math.max((pos2 - pos1):length() / math.max(speed, 1), 0.001)
  self.state = "pos1"
  self.origin = pos1
end

-- All movers with the same team key, in the level's order: the first decides. They are looked for once; who was removed is
-- left out.
function mover.team(self)
  local name = self:key("team")
  if not name then return { self } end
  if not self.team_found then
    local found = {}
    for _, other in ipairs(lw.entities.all()) do
      if other.pos1 and other:key("team") == name then found[#found + 1] = other end
    end
    for _, member in ipairs(found) do member.team_found = found end
  end
  local members = {}
  for _, member in ipairs(self.team_found) do
    if member.valid then members[#members + 1] = member end
  end
  return members
end

local function go(self, to, state)
  -- Turned back on its way, it needs as long as it has come.
  local whole = (self.pos2 - self.pos1):length()
  local part = whole > 0 and (to - self.origin):length() / whole or 0
  self.state = state
  if self.sounds then self:play(self.sounds.start) end
  if self:key("noise") then self:play(self:key("noise"), { loop = true }) end
  self:move(to, self.seconds * part)
end

function mover.open(self, activator)
  for _, member in ipairs(mover.team(self)) do
    member.activator = activator
    go(member, member.pos2, "1to2")
  end
end

function mover.close(self)
  for _, member in ipairs(mover.team(self)) do go(member, member.pos1, "2to1") end
end

-- The use of a door or button: opens, stays open longer, or turns back.
function mover.use(self, activator)
  local master = mover.team(self)[1]
  if master.state == "pos1" then
    master.state, master.activator = "starting", activator
    master:after(0.05, "begin")    -- the game's movers wait a frame
  elseif master.state == "pos2" then
    if master.wait >= 0 then master:after(master.wait, "finish") end
  elseif master.state == "1to2" then
    mover.close(master)
  elseif master.state == "2to1" then
    mover.open(master, activator)
  end
end

-- Reached an end: at pos2 its targets fire, and after its wait it goes back (never, where wait is negative).
function mover.arrived(self)
  self:quiet()
  if self.sounds and self.sounds.stop then self:play(self.sounds.stop) end
  if self.state == "1to2" then
    self.state = "pos2"
    self:fire(self.activator)
    if mover.team(self)[1] == self and self.wait >= 0 then self:after(self.wait, "finish") end
  elseif self.state == "2to1" then
    self.state = "pos1"
  end
end

-- In the way: hurts, and turns back unless it crushes.
function mover.blocked(self, other)
  other:hurt(self.dmg)
  if self.crusher then return end
  local master = mover.team(self)[1]
  if master.state == "1to2" then mover.close(master) elseif master.state == "2to1" then mover.open(master, master.activator) end
end

-- The key model2 names an MD3 that is shown where the brush model is, as the blades of a fan.
function mover.draw(self)
  if self.model2 == nil then self.model2 = (self:key("model2") or ""):gsub("^/", "") end
  if self.model2 ~= "" then lw.draw.model(self.model2, { origin = self.origin, angles = self.angles }) end
end

-- The box around a whole team, as two corners.
function mover.bounds(self)
  local low, high = self.absmin, self.absmax
  for _, member in ipairs(mover.team(self)) do
    local a, b = member.absmin, member.absmax
    low = lw.vec3(math.min(low.x, a.x), math.min(low.y, a.y), math.min(low.z, a.z))
    high = lw.vec3(math.max(high.x, b.x), math.max(high.y, b.y), math.max(high.z, b.z))
  end
  return low, high
end

-- An unseen box: when the player touches it, `felt` of its owner's behaviour is called.
function mover.trigger(self, low, high)
  local trigger = lw.entities.spawn { classname = "mover_trigger" }
  trigger.solid = "trigger"
  trigger.origin = lw.vec3(0, 0, 0)
  trigger.mins, trigger.maxs = low, high
  trigger.owner, self.box = self, trigger
  return trigger
end

return mover
