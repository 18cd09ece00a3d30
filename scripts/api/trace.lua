---@meta
-- lw.trace: What rays and boxes meet on their way, what a point is in, what a pixel shows.
-- Written by the program from its binding rows.

---@class lw.trace
lw.trace = {}

---What a ray meets first: { hit, fraction (of the way; 1: nothing), endpos, normal, start_solid, all_solid, contents, flags, brush, face, texture, entity }.
---@param from point
---@param to point
---@param opts? table
---@return table
---@overload fun(from_x: number, from_y: number, from_z: number, to_x: number, to_y: number, to_z: number, opts?: table): table
function lw.trace.ray(from, to, opts) end

---The same for a box around the moving point; opts = { mask = "solid", entities = false, ignore = entity, capsule = false }. Masks: solid, playersolid, playerclip, liquid, opaque, shot, all, a name of surfaceparm's contents, or a list of these.
---@param from point
---@param to point
---@param mins point
---@param maxs point
---@param opts? table
---@return table
---@overload fun(from_x: number, from_y: number, from_z: number, to_x: number, to_y: number, to_z: number, mins_x: number, mins_y: number, mins_z: number, maxs_x: number, maxs_y: number, maxs_z: number, opts?: table): table
function lw.trace.box(from, to, mins, maxs, opts) end

---What a point is in: contents bits, and their names.
---@param p point
---@return integer
---@return string
---@overload fun(x: number, y: number, z: number): integer, string
function lw.trace.point_contents(p) end

---What a pixel of the frame shows: face, texture, cluster, distance, point, model and entity; nil for nothing.
---@param x number
---@param y number
---@return table?
function lw.trace.pick(x, y) end
