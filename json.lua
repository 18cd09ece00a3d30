---@meta
-- lw.json: JSON, read strictly and written with keys in order.
-- Written by the program from its binding rows.

---@class lw.json
lw.json = {}

---The JSON text of a value; with `indent`, in lines.
---@param value any
---@param indent? integer
---@return string
function lw.json.encode(value, indent) end

---The value of a JSON text (null is lw.json.null); nil and where it is wrong when it is.
---@param text string
---@return any
---@return string?
function lw.json.decode(text) end

---Marks a table so that it is written as an object even when it is empty.
---@param t table
---@return table
function lw.json.object(t) end
