---@meta
-- lw.raster: What turns the scene into pixels, how, and at what cost.
-- Written by the program from its binding rows.

---@class lw.raster
---@field gl table Settings of OpenGL by name, and stats() of its last frame. Read only.
---@field soft table Settings of the software rasterizer by name, and stats() of its last frame. Read only.
lw.raster = {}

---Chooses what draws from now on; nil and why when it cannot.
---@param name "gl"|"soft"|"null"
---@return boolean?
---@return string?
function lw.raster.use(name) end

---The rasterizer that draws; nil while nothing does.
---@return string?
function lw.raster.current() end

---Split screen: left of a divider, which the mouse drags, OpenGL's picture, right of it the software rasterizer's; tells whether it is on, or nil and why it cannot be.
---@param on? boolean
---@return boolean?
---@return string?
function lw.raster.compare(on) end

---What the picture shows: lit, texture, lightmap, cluster, face, depth, normal, wire, overdraw; returns the view.
---@param name? string
---@return string
function lw.raster.view(name) end

---One picture beside the running frames, of { rasterizer, origin, angles, fov, width, height, view, draw }, each optional; of what scripts draw only that of the function `draw`, which gets the view, is in it.
---@param what? table
---@return image?
---@return string?
function lw.raster.render(what) end

---@class image
local image = {}

---Red, green, blue and alpha of a pixel, 0..255; x and y count from 0 at the top left.
---@param x integer
---@param y integer
---@return integer
---@return integer
---@return integer
---@return integer
function image:get(x, y) end

---Writes a PNG into the writable folder and returns its path; nil and why when it cannot.
---@param path string
---@return string?
---@return string?
function image:save(path) end

---How much two pictures of one size differ; image shows where (four times the difference).
---@param other image
---@return {psnr: number, ssim: number, error: number, max: integer, image: image}
function image:diff(other) end
