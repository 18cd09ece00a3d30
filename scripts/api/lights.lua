---@meta
-- lw.lights: Dynamic lights that brighten walls and models near them.
-- Written by the program from its binding rows.

---@class lw.lights
lw.lights = {}

---A light for this frame: { origin, radius, color }, fading in a straight line to nothing at its radius; it acts on models that are drawn after it.
---@param light table
function lw.lights.add(light) end

---A light that stays as long as the script holds it, its origin, radius and color can be read and written.
---@param light table
---@return dynamic_light
function lw.lights.new(light) end

---How many lights stay.
---@return integer
function lw.lights.count() end

---Puts out all that stay.
function lw.lights.clear() end

---@class dynamic_light
---@field origin vec3 Where it is.
---@field radius number How far it reaches, in units.
---@field color color Its colour.
local dynamic_light = {}

---Puts it out.
function dynamic_light:remove() end

---Whether it still shines: neither removed nor its level closed.
---@return boolean
function dynamic_light:alive() end
