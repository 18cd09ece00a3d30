---@meta
-- lw.time: The clock of scripts, materials and the game.
-- Written by the program from its binding rows.

---@class lw.time
---@field scale number How fast the clock goes: 1 as usual, 0.5 slower, 0 not at all.
---@field paused boolean Whether the clock stands still.
lw.time = {}

---Seconds since the map was opened: what materials move by.
---@return number
function lw.time.now() end

---The number of this frame, from 0.
---@return integer
function lw.time.frame() end

---Seconds that the last frame took, after `scale`.
---@return number
function lw.time.delta() end

---Runs n steps (1) of the game's clock now, 1/125 s each.
---@param n? integer
function lw.time.step(n) end

---Shows how far long work is, and renews the script's budget.
---@param done number
---@param total number
function lw.time.progress(done, total) end
