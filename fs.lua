---@meta
-- lw.fs: Files: read from the search path (folders and archives, without case), written to one folder alone.
-- Written by the program from its binding rows.

---@class lw.fs
lw.fs = {}

---The bytes of a file on the search path; nil and why when there are none.
---@param name string
---@return string?
---@return string?
function lw.fs.read(name) end

---Whether a file is on the search path.
---@param name string
---@return boolean
function lw.fs.exists(name) end

---Names on the search path in a folder and below it, sorted.
---@param folder? string
---@param ending? string
---@return string[]
function lw.fs.list(folder, ending) end

---Writes a file in the writable folder; nil and why when it cannot.
---@param name string
---@param text string
---@return boolean?
---@return string?
function lw.fs.write(name, text) end
