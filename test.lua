---@meta
-- lw.test: Hosts of their own for tests of hosts; there only under `leafwalk test`.
-- Written by the program from its binding rows.

---@class lw.test
lw.test = {}

---Runs a text in a fresh host (options: budget, memory, trust, seed): true and its value, or false and the message.
---@param chunk string
---@param options? table
---@return boolean
---@return any
function lw.test.sandbox(chunk, options) end

---A host of its own beside this one, on the same map, console and clock.
---@param options? table
---@return host
function lw.test.host(options) end

---The rows of every module: { module, name, shape, help }.
---@return table[]
function lw.test.rows() end

---Whether a row's shape is written as it must be, and why not.
---@param shape string
---@return boolean
---@return string?
function lw.test.shape(shape) end

---Writes the stubs for editors into a folder and the reference page to a path.
---@param folder string
---@param path string
---@return boolean
---@return string?
function lw.test.write_docs(folder, path) end

---@class host
local host = {}

---Runs a text: true and its value, or false and the message.
---@param chunk string
---@return boolean
---@return any
function host:run(chunk) end

---Adds a script; false and why when it does not load.
---@param path string
---@return boolean
---@return string?
function host:add(path) end

---Unloads a script.
---@param path string
---@return boolean
function host:drop(path) end

---Says that a file was changed, as watching does.
---@param path string
function host:changed(path) end

---Reloads a script, or all.
---@param path? string
---@return boolean
---@return string?
function host:reload(path) end

---Calls every script's `map`.
function host:map() end

---One frame of 1/60 s: clock, update, draw, overlay, picture.
---@param width? integer
---@param height? integer
---@return boolean
---@return string?
function host:frame(width, height) end

---Presses (or, with false, lets go) a key; whether a script kept it.
---@param name string
---@param down? boolean
---@return boolean
function host:key(name, down) end

---What the panel shows.
---@return string?
function host:error() end

---Bytes that its Lua uses.
---@return integer
function host:memory() end

---Closes it.
function host:close() end
