---@meta
-- lw: the level, its pictures and the program. Written by the program from its binding rows.

---@class lw
lw = {}

---@class vec3
---@field x number
---@field y number
---@field z number
---@operator add(point): vec3
---@operator sub(point): vec3
---@operator mul(number|point): vec3
---@operator div(number|point): vec3
---@operator unm: vec3
---@operator len: number
local vec3 = {}

---@alias point vec3|number[]
---@alias color number[]|string

---@class style
---@field color? color
---@field fill? boolean
---@field width? number In pixels.
---@field xray? boolean Drawn over everything.
---@field blend? "alpha"|"add"
---@field size? number
---@field font? string

---@class view What `draw` gets: the eye of this frame.
---@field origin vec3 Where the eye is.
---@field angles vec3 Its pitch, yaw and roll in degrees.
---@field forward vec3 The direction that it looks in, length 1.
---@field right vec3 The direction to its right, length 1.
---@field up vec3 The direction over its head, length 1.
---@field fov number The horizontal field of view in degrees.
---@field cluster integer The cluster that the eye is taken to be in.
---@field leaf integer The leaf that it is in.

---@class script What a script's file returns.
---@field name string? What the script is called.
---@field help string? What it shows, in a sentence.
---@field keys table? Keys and what they call: { v = "toggle" } calls the script's `toggle`, which by default hides or shows it.
---@field load? fun(state: table) After the file was loaded or reloaded; `state` survives reloads and is empty the first time.
---@field map? fun(name: string) After a map was opened, and after `load` when one is open already.
---@field update? fun(dt: number) Once a frame before drawing; `dt` in seconds.
---@field draw? fun(view: view) Queues what is drawn in the scene of this frame.
---@field overlay? fun(width: integer, height: integer) Queues what is drawn over the picture, in pixels from the top left.
---@field key? fun(name: string, down: boolean): boolean? A key went down or came up; true keeps it from others.
---@field text? fun(letters: string): boolean? Letters were typed; true keeps them from others.
---@field mouse? fun(dx: number, dy: number): boolean? The mouse moved; true keeps it from others.
---@field wheel? fun(n: number): boolean? The wheel turned; true keeps it from others.
---@field click? fun(button: integer, x: number, y: number, down: boolean): boolean? A button of the mouse; true keeps it from others.
---@field unload? fun() Before the file is reloaded or dropped.

---A point or direction; without an argument 0, 0, 0.
---@param p? point
---@return vec3
---@overload fun(x: number, y: number, z: number): vec3
function lw.vec3(p) end

---The dot product.
---@param other point
---@return number
---@overload fun(self: vec3, x: number, y: number, z: number): number
function vec3:dot(other) end

---The cross product.
---@param other point
---@return vec3
---@overload fun(self: vec3, x: number, y: number, z: number): vec3
function vec3:cross(other) end

---The direction with length 1; 0, 0, 0 stays.
---@return vec3
function vec3:normalized() end

---Its three numbers.
---@return number x
---@return number y
---@return number z
function vec3:unpack() end

---Its length, as #v.
---@return number
function vec3:length() end

---How far the other point is.
---@param other point
---@return number
---@overload fun(self: vec3, x: number, y: number, z: number): number
function vec3:distance(other) end

---The point at t of the way to the other one.
---@param other point
---@param t number
---@return vec3
---@overload fun(self: vec3, x: number, y: number, z: number, t: number): vec3
function vec3:lerp(other, t) end
