---@meta
-- lw.map: The level on screen, and levels beside it.
-- Written by the program from its binding rows.

---@class lw.map
---@field name string|nil The level's name ("oa_dm1"); nil when none is open. Read only.
---@field path string|nil The file it came from, as it was asked for; nil when none is open. Read only.
lw.map = {}

---Opens a level on screen by its name on the search path or its path; nil and why when it cannot.
---@param map string
---@return boolean?
---@return string?
function lw.map.open(map) end

---Reads the level on screen from its file again; the eye stays where it is.
---@return boolean?
---@return string?
function lw.map.reload() end

---Opens a level beside the one on screen, unseen: an object with the same modules (other.vis.sees(3, 7)) and other:close().
---@param map string
---@return table?
---@return string?
function lw.map.load(map) end

---What `leafwalk info --json` prints, as a table.
---@return table
function lw.map.info() end

---The smallest and the largest corner of the level.
---@return vec3
---@return vec3
function lw.map.bounds() end
