---@meta
-- lw.console: Commands, variables and lines of the console.
-- Written by the program from its binding rows.

---@class lw.console
lw.console = {}

---Adds a command; `run` gets its words as texts. The same name again replaces it.
---@param name string
---@param run function
---@param help? string
function lw.console.command(name, run, help) end

---Adds a variable and gives its value; with the name alone, the value of any variable.
---@param name string
---@param default? number|boolean|string
---@param help? string
---@return number|boolean|string
function lw.console.variable(name, default, help) end

---Sets a variable; nil and why when the value is not allowed.
---@param name string
---@param value number|boolean|string
---@return boolean?
---@return string?
function lw.console.set(name, value) end

---Runs a line as if it were typed; nil and why when a word is unknown.
---@param text string
---@return boolean?
---@return string?
function lw.console.run(text) end

---Prints a line on the console.
---@param ... any
function lw.console.print(...) end
