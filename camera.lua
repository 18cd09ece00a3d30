---@meta
-- lw.camera: The eye.
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
