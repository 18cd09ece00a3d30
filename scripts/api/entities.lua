---@meta
-- lw.entities: The level's entities.
-- Written by the program from its binding rows.

---@class lw.entities
lw.entities = {}

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
