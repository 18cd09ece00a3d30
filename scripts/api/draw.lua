---@meta
-- lw.draw: Lines, boxes, letters and faces in the level, for this frame.
-- Written by the program from its binding rows.

---@class lw.draw
lw.draw = {}

---A line.
---@param from point
---@param to point
---@param style? style
---@overload fun(from_x: number, from_y: number, from_z: number, to_x: number, to_y: number, to_z: number, style?: style)
function lw.draw.line(from, to, style) end

---Many lines, two points each: a list of points, or of numbers x, y, z, x, y, z, ...
---@param points table
---@param style? style
function lw.draw.lines(points, style) end

---A line from point to point; the list as `lines` takes it.
---@param points table
---@param style? style
function lw.draw.path(points, style) end

---A box: its edges, or its sides with fill = true.
---@param mins point
---@param maxs point
---@param style? style
---@overload fun(mins_x: number, mins_y: number, mins_z: number, maxs_x: number, maxs_y: number, maxs_z: number, style?: style)
function lw.draw.box(mins, maxs, style) end

---Many boxes: a list of { mins, maxs }, or of six numbers each.
---@param boxes table
---@param style? style
function lw.draw.boxes(boxes, style) end

---A sphere: three circles, or filled.
---@param middle point
---@param radius number
---@param style? style
---@overload fun(x: number, y: number, z: number, radius: number, style?: style)
function lw.draw.sphere(middle, radius, style) end

---An arrow; its head is style.size units long.
---@param from point
---@param to point
---@param style? style
---@overload fun(from_x: number, from_y: number, from_z: number, to_x: number, to_y: number, to_z: number, style?: style)
function lw.draw.arrow(from, to, style) end

---A convex polygon: its outline, or filled.
---@param points table
---@param style? style
function lw.draw.polygon(points, style) end

---Letters that face the eye, in the middle of which is the point; style.size is in pixels, however far it is.
---@param p point
---@param text any
---@param style? style
---@overload fun(x: number, y: number, z: number, text: any, style?: style)
function lw.draw.text(p, text, style) end

---Squares of style.size pixels, however far they are.
---@param points table
---@param style? style
function lw.draw.points(points, style) end

---What a view { origin, angles, fov, aspect, near, far } takes in, as `draw` gets one.
---@param view table
---@param style? style
function lw.draw.frustum(view, style) end

---A level grid of lines around a point.
---@param middle point
---@param spacing number
---@param cells? integer
---@param style? style
---@overload fun(x: number, y: number, z: number, spacing: number, cells?: integer, style?: style)
function lw.draw.grid(middle, spacing, cells, style) end

---A face of the level: its outline, or tinted with fill = true.
---@param face integer
---@param style? style
function lw.draw.face(face, style) end

---Many faces in one style.
---@param faces integer[]
---@param style? style
function lw.draw.faces(faces, style) end

---The box of a leaf.
---@param leaf integer
---@param style? style
function lw.draw.leaf(leaf, style) end

---The boxes of many leafs in one style.
---@param leaves integer[]
---@param style? style
function lw.draw.leaves(leaves, style) end

---The box of a cluster; nothing for -1.
---@param cluster integer
---@param style? style
function lw.draw.cluster(cluster, style) end

---The boxes of many clusters in one style.
---@param clusters integer[]
---@param style? style
function lw.draw.clusters(clusters, style) end

---A model of the search path: { origin, angles, frame, old_frame, mix, scale, color, skin, bright, lod }, each optional; whether it is in view, or nil and why it cannot be drawn.
---@param md3 string
---@param style? table
---@return boolean?
---@return string?
function lw.draw.model(md3, style) end

---The model at many places (points, or numbers x, y, z, x, y, z, ...) in one style, which may have `yaws`, a list of a number for each; how many are in view.
---@param md3 string
---@param places table
---@param style? table
---@return integer?
---@return string?
function lw.draw.models(md3, places, style) end

---What a model has: { frames, triangles, vertices, lods, surfaces, tags, mins, maxs }; nil and why when it cannot be read.
---@param md3 string
---@return table?
---@return string?
function lw.draw.model_info(md3) end

---Where a tag of a model is that is drawn in this style: origin and angles, for what is held there; nil and why when there is none.
---@param md3 string
---@param tag string
---@param style? table
---@return vec3?
---@return vec3|string
function lw.draw.tag(md3, tag, style) end

---A picture that faces the eye, `size` units wide (or { width, height }); style.roll turns it, style.angles lets it face there instead.
---@param image image|string
---@param p point
---@param size number|number[]
---@param style? style
---@overload fun(image: image|string, x: number, y: number, z: number, size: number|number[], style?: style)
function lw.draw.sprite(image, p, size, style) end

---The picture at many places, the list as `lines` takes it.
---@param image image|string
---@param points table
---@param size number|number[]
---@param style? style
function lw.draw.sprites(image, points, size, style) end
