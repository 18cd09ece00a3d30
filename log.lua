---@meta
-- lw.log: Messages: to stderr, or to the console in the window.
-- Written by the program from its binding rows.

---@class lw.log
lw.log = {}

---Says something.
---@param ... any
function lw.log.info(...) end

---Warns of something.
---@param ... any
function lw.log.warn(...) end

---Reports something that went wrong; the script goes on.
---@param ... any
function lw.log.error(...) end
