---@meta
-- lw.record: Pictures of what is on screen.
-- Written by the program from its binding rows.

---@class lw.record
lw.record = {}

---Writes the last frame as a PNG into the writable folder (without a path as screenshots/MAP-NUMBER.png); returns where it is, or nil and why it could not.
---@param path? string
---@return string?
---@return string?
function lw.record.screenshot(path) end
