---@meta
-- lw.entities: The level's entities.
-- Written by the program from its binding rows.

---@class lw.entities
lw.entities = {}

---Defines what entities of a class do ("item_*": of all that begin so): spawn(self), think(self), touch(self, other), use(self, activator), blocked(self, other), arrived(self), hurt(self, amount), draw(self).
---@param classname string
---@param callbacks table
function lw.entities.behaviour(classname, callbacks) end

---A new entity with these keys: { classname = "func_door", origin = p, ... }.
---@param keys table
---@return entity
function lw.entities.spawn(keys) end

---Every entity that lives (of that class).
---@param classname? string
---@return entity[]
function lw.entities.all(classname) end

---The entity of that number (0: the player); nil where none lives.
---@param i integer
---@return entity?
function lw.entities.get(i) end

---The entities of that targetname, without case.
---@param targetname string
---@return entity[]
function lw.entities.named(targetname) end

---The entities whose box a box touches.
---@param mins point
---@param maxs point
---@return entity[]
---@overload fun(mins_x: number, mins_y: number, mins_z: number, maxs_x: number, maxs_y: number, maxs_z: number): entity[]
function lw.entities.touching(mins, maxs) end

---A number made of the whole state of the game: equal after equal steps.
---@return integer
function lw.entities.hash() end

---The entity lump as it stands in the file.
---@return string
function lw.entities.text() end

---How many entities the lump has; worldspawn is 0.
---@return integer
function lw.entities.count() end

---One entity: e.classname asks a key (the last of that name, without case), ipairs(e) gives { key, value } and pairs(e) key, value in the file's order, duplicates kept; e.index is its number.
---@param i integer
---@return lump_entity
function lw.entities.lump(i) end

---The entities for which all of { key = pattern, ... } hold: the same text without case, or a Lua pattern that fits the whole value; a number compares as one, true asks for any value and false for none.
---@param keys table
---@return integer[]
function lw.entities.find(keys) end

---The entities that it fires: whose targetname its targets name.
---@param entity integer|lump_entity
---@return integer[]
function lw.entities.targets(entity) end

---The entities that fire it.
---@param entity integer|lump_entity
---@return integer[]
function lw.entities.targeted_by(entity) end

---@class lump_entity
---@field index integer Its number in the lump; worldspawn is 0. Read only.
local lump_entity = {}

---The last value of a key, as text; else the default.
---@param name string
---@param default? any
---@return any
function lump_entity:key(name, default) end

---A key's value as a number, as the game reads it ("150 " is 150); else the default, or 0.
---@param name string
---@param default? number
---@return number
function lump_entity:number(name, default) end

---A key's value as a point, missing parts 0; nil without that key.
---@param name string
---@return vec3?
function lump_entity:vector(name) end

---What its keys say of pitch, yaw and roll: angles, or angle (a yaw), whichever comes later; nil without them.
---@return vec3?
function lump_entity:facing() end

---@class entity
---@field classname string? What it is; its file in scripts/entities/ says what that does. Read only.
---@field index integer Its number, of entities that live; the player is 0. Read only.
---@field lump integer? Its number in the level's entity lump; nil for what a script has spawned. Read only.
---@field is_player boolean Whether it is the player. Read only.
---@field stopped boolean Whether an error in its behaviour has stopped it. Read only.
---@field targetname string? What others that fire it call it by.
---@field target string? The targetname of what it fires.
---@field origin vec3 Where it is; 0, 0, 0 for a brush model that stands where it was built.
---@field angles vec3 How it is turned.
---@field velocity vec3 Units a second; what gets one goes on with it until something else is said.
---@field mins vec3 The smallest corner of its box, from its origin.
---@field maxs vec3 The largest corner of its box, from its origin.
---@field absmin vec3 The smallest corner of its box in the level. Read only.
---@field absmax vec3 The largest corner of its box in the level. Read only.
---@field model string? A brush model of the level, "*1", or the file of an MD3.
---@field solid string|boolean "none", "trigger" (touches who is in it), "brush" or "box"; set to true, what its model is.
---@field visible boolean Whether its model is drawn.
---@field carries boolean Whether it takes along who stands on it.
---@field next_think number When its think is called next, by the game's clock; 0: not at all.
---@field valid boolean Whether it is still there: touching one that was removed is an error. Read only.
local entity = {}

---A key's value as text (the last of that name); else the default.
---@param name string
---@param default? any
---@return any
function entity:key(name, default) end

---Gives a key another value, for as long as the entity lives.
---@param name string
---@param value string
function entity:set_key(name, value) end

---A key's value as a number; else the default, or 0.
---@param name string
---@param default? number
---@return number
function entity:number(name, default) end

---A key's value as a point; nil without that key.
---@param name string
---@return vec3?
function entity:vector(name) end

---What its keys say of pitch, yaw and roll: angles, or angle (a yaw), whichever comes later; nil without them.
---@return vec3?
function entity:facing() end

---Its spawnflags.
---@return integer
function entity:flags() end

---Uses every entity whose targetname is this one's target.
---@param activator? entity
function entity:fire(activator) end

---Uses this entity, as if one that targets it had fired.
---@param activator? entity
function entity:use(activator) end

---Touches this entity, by the player unless another is given.
---@param other? entity
function entity:touch(other) end

---Hurts it: its behaviour's hurt is called, or the player's health falls.
---@param amount number
function entity:hurt(amount) end

---Takes it out of the game.
function entity:remove() end

---Begins its life again, with the keys it has now: its behaviour's spawn is called.
function entity:restart() end

---Moves its origin there in so many seconds ("linear" or "smooth"); then its behaviour's arrived is called.
---@param to point
---@param seconds number
---@param ease? string
---@overload fun(self: entity, x: number, y: number, z: number, seconds: number, ease?: string)
function entity:move(to, seconds, ease) end

---Turns it by angles in so many seconds; then arrived is called.
---@param by point
---@param seconds number
---@param ease? string
---@overload fun(self: entity, x: number, y: number, z: number, seconds: number, ease?: string)
function entity:rotate(by, seconds, ease) end

---Moves to and fro as a sine, around where it stands.
---@param amplitude point
---@param period number
---@param phase? number
---@overload fun(self: entity, x: number, y: number, z: number, period: number, phase?: number)
function entity:bob(amplitude, period, phase) end

---Turns to and fro as a sine, around its angles.
---@param amplitude point
---@param period number
---@param phase? number
---@overload fun(self: entity, x: number, y: number, z: number, period: number, phase?: number)
function entity:swing(amplitude, period, phase) end

---Turns for ever, degrees a second about each axis.
---@param speed point
---@overload fun(self: entity, x: number, y: number, z: number)
function entity:spin(speed) end

---Stays where it is, and does not arrive.
function entity:stop() end

---Whether it moves or turns.
---@return boolean
function entity:moving() end

---Calls that function of its behaviour (think) in so many seconds, in place of the next think.
---@param seconds number
---@param callback? string
function entity:after(seconds, callback) end

---Whether the other's box is in this one's volume.
---@param other entity
---@return boolean
function entity:touches(other) end

---Plays a WAV file from where it is; opts = { loop = false, everywhere = false }. Heard in the window alone.
---@param file string
---@param opts? table
function entity:play(file, opts) end

---Ends all that it plays.
function entity:quiet() end

---Lets it down to the floor, at most so far (4096), and it goes along with what it lies on; false where it stands in something solid.
---@param most? number
---@return boolean
function entity:drop(most) end

---From now on it shuts the area portals that its box touches there (or where it is), whenever its origin is that place: what lies behind is not drawn then. Gives how many they are.
---@param at? point
---@return integer
---@overload fun(self: entity, x: number, y: number, z: number): integer
function entity:shuts(at) end
