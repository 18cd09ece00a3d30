---@meta
-- lw.raster: What turns the scene into pixels, how, and at what cost.
-- Written by the program from its binding rows.

---@class lw.raster
---@field gl table Settings of OpenGL by name (`varlist gl`), and `stats()`. Read only.
---@field soft table Settings of the software rasterizer by name (`varlist soft`), `stats()`, `stop_after()`, `scanline()`. Read only.
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

---What the picture shows: lit, texture, lightmap, cluster, face, depth, normal, wire, overdraw, mip, or, with the software rasterizer, spans or edges; returns the view.
---@param name? string
---@return string
function lw.raster.view(name) end

---One picture beside the running frames, of { rasterizer, origin, angles, fov, width, height, view, draw }, each optional; of what scripts draw only that of the function `draw`, which gets the view, is in it.
---@param what? table
---@return image?
---@return string?
function lw.raster.render(what) end

---What OpenGL's last frame took, by name: counts, and milliseconds of each pass (names that end in _ms).
---@return {draw_calls: number, triangles: number}
function lw.raster.gl.stats() end

---What the software rasterizer's last frame took, by name: milliseconds of each stage (names that end in _ms), counts, the cache of lit texels, model triangles by drawer. overdraw is 1 where each pixel was drawn once.
---@return {frame_ms: number, edges: number, spans: number, surfaces: number, pixels: number, overdraw: number}
function lw.raster.soft.stats() end

---The next pictures hold no more than the first spans, front to back; in the view "edges" the first edges, surface by surface. Without a count, or with -1, all of them again.
---@param count? integer
function lw.raster.soft.stop_after(count) end

---A row of the last picture, from left to right: the edges that cross it, hidden ones too (leading: its surface begins there), and the spans that were drawn, pixels x0 up to x1 - 1 with the distances at both; nil and why where there is none.
---@param y integer
---@return {edges: {x: number, face: integer, leading: boolean}[], spans: {x0: integer, x1: integer, face: integer, depth0: number, depth1: number}[]}?
---@return string?
function lw.raster.soft.scanline(y) end

---@class image
---@field width integer In pixels. Read only.
---@field height integer In pixels. Read only.
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
