---@meta
-- lw.camera: The eye, and paths that it goes along.
-- Written by the program from its binding rows.

---@class lw.camera
---@field origin vec3 Where the eye stands; setting it owns the eye until free().
---@field angles vec3 Pitch (down positive), yaw, roll in degrees; setting them owns the eye until free().
---@field fov number The horizontal field of view in degrees.
---@field forward vec3 The direction that the eye looks in, length 1. Read only.
---@field right vec3 The direction to its right, length 1. Read only.
---@field up vec3 The direction over its head, length 1. Read only.
lw.camera = {}

---Turns the eye towards a point; the script owns the eye from then on.
---@param p point
---@overload fun(x: number, y: number, z: number)
function lw.camera.look_at(p) end

---Gives the eye back to whoever flies or walks.
function lw.camera.free() end

---A way for the eye: keys {t, origin, angles | look_at, fov, roll, hold, ease, speed, curve, tangent, literal, name}, each field optional; settings {curve, speed, constant, loop} may stand in either table.
---@param keys table
---@param settings? table
---@return path
function lw.camera.path(keys, settings) end

---Reads a path: a Lua table, q3mme's camera file, or lines `x y z pitch yaw roll fov` at fps (60); nil and why when it cannot.
---@param file string
---@param fps? number
---@return path?
---@return string?
function lw.camera.load_path(file, fps) end

---Makes a path that visits every cluster (or items, or spawn points, or a list of places), by short ways that keep away from walls; returns it and {visited, wanted}, or nil and why there is none.
---@param what? {visit: "clusters"|"items"|"spawns", places: point[], from: point, speed: number, most: integer}
---@return path?
---@return any
function lw.camera.tour(what) end

---Of keys recorded along a flight, those that keep it within a tolerance in units (4) and in degrees (2).
---@param keys table[]
---@param tolerance? number
---@param degrees? number
---@return table[]
function lw.camera.simplify(keys, tolerance, degrees) end

---@class path
local path = {}

---Where the eye is at a time: before the first key and after the last it stays.
---@param t number
---@return {origin: vec3, angles: vec3, fov: number, roll: number}
function path:sample(t) end

---Puts the eye where the path is at a time; what no key says (angles, say) stays the eye's own.
---@param t number
function path:apply(t) end

---Seconds from 0 to the end of the last key.
---@return number
function path:duration() end

---How long the way is, in units.
---@return number
function path:length() end

---Units that are gone by a time.
---@param t number
---@return number
function path:distance(t) end

---How many keys there are.
---@return integer
function path:count() end

---Key i (from 1) as a table; changing the table changes no path: path:set does.
---@param i integer
---@return table
function path:key(i) end

---All keys as tables, in order.
---@return table[]
function path:keys() end

---When key i is reached: other than its t where a speed decides.
---@param i integer
---@return number
function path:key_time(i) end

---Puts a key in by its time; returns its number.
---@param key table
---@return integer
function path:add(key) end

---Puts another key in place of key i; returns its number, for its time may be another.
---@param i integer
---@param key table
---@return integer
function path:set(i, key) end

---Takes key i out; its neighbours' way is worked out anew.
---@param i integer
function path:remove(i) end

---Changes any of {curve = "centripetal"|"uniform"|"linear"|"hermite"|"hold", speed, constant, loop} and returns them all.
---@param change? table
---@return table
function path:settings(change) end

---The path's places are from now on relative to an entity (targetname, "player" or the entity); nil: to the level.
---@param who? any
function path:follow(who) end

---What is wrong with the path in this level: a list of {kind = solid, outside, wall, speed or turn, from, to, origin, worst, text}.
---@param limits? {clearance: number, speed: number, turn: number}
---@return table[]
function path:lint(limits) end

---The path as the Lua file that save writes.
---@return string
function path:text() end

---Writes the path: .cam .xml .mme .cfg as q3mme's, .txt .csv .flat as lines `x y z pitch yaw roll fov` at fps (60), else as a Lua table; returns where, or nil and why not.
---@param file string
---@param fps? number
---@return string?
---@return string?
function path:save(file, fps) end

---Draws the way in this frame: blue where it is slow, red where fast, a tick a second, a box at each key.
---@param style? style
function path:draw(style) end
