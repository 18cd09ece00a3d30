---@meta
-- lw.input: Keys and the mouse. Without a window nothing is ever down.
-- Written by the program from its binding rows.

---@class lw.input
lw.input = {}

---Whether a key is held ("w", "space", "left shift", "mouse1"); false without a window.
---@param key string
---@return boolean
function lw.input.down(key) end

---Where the mouse is, in pixels from the top left; 0, 0 without a window.
---@return number x
---@return number y
function lw.input.mouse() end

---Lets a key run a line of the console ("+forward" while it is held); nil: nothing.
---@param key string
---@param command? string
function lw.input.bind(key, command) end
