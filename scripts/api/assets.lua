---@meta
-- lw.assets: Materials and pictures.
-- Written by the program from its binding rows.

---@class lw.assets
lw.assets = {}

---What stands behind a texture's name: file, line, cull, sort, sky, fog, deforms and its stages as tables; a picture without a script has the engine's two.
---@param name string
---@return table
function lw.assets.material(name) end

---The names of all textures of the level, by number from the first (0) on.
---@return string[]
function lw.assets.materials() end

---Puts a definition in place of the scripts' at once: "name { ... }" or its block alone; nil takes it back; true and what is odd in it, or nil and what is broken.
---@param name string
---@param text? string
---@return boolean?
---@return string?
function lw.assets.override(name, text) end

---The names of all materials that scripts of the search path define.
---@return string[]
function lw.assets.defined() end

---What is odd in the scripts of the search path: unknown words, broken blocks, names defined twice.
---@return {file: string, line: integer, text: string}[]
function lw.assets.problems() end

---A picture of the search path by its name, with or without its ending.
---@param name string
---@return image?
---@return string?
function lw.assets.image(name) end
