---@meta
-- lw.bsp: The level as the file has it: every lump, and what stands where.
-- Written by the program from its binding rows.

---@class lw.bsp
lw.bsp = {}

---How many records a lump has: entities textures planes nodes leafs leaffaces leafbrushes models brushes brushsides vertices meshverts effects faces lightmaps lightvols visdata.
---@param lump string
---@return integer
function lw.bsp.count(lump) end

---One texture, read-only, with the fields of its lump.
---@param i integer
---@return {name: string, flags: integer, contents: integer}
function lw.bsp.texture(i) end

---for i, texture in lw.bsp.textures() do: each of them, in the file's order.
---@return function
function lw.bsp.textures() end

---One plane, read-only, with the fields of its lump.
---@param i integer
---@return {normal: vec3, dist: number}
function lw.bsp.plane(i) end

---for i, plane in lw.bsp.planes() do: each of them, in the file's order.
---@return function
function lw.bsp.planes() end

---One node, read-only, with the fields of its lump; a child below 0 is leaf -1 - child.
---@param i integer
---@return {plane: integer, front: integer, back: integer, mins: vec3, maxs: vec3}
function lw.bsp.node(i) end

---for i, node in lw.bsp.nodes() do: each of them, in the file's order.
---@return function
function lw.bsp.nodes() end

---One leaf, read-only, with the fields of its lump.
---@param i integer
---@return {cluster: integer, area: integer, mins: vec3, maxs: vec3, first_face: integer, face_count: integer, first_brush: integer, brush_count: integer}
function lw.bsp.leaf(i) end

---for i, leaf in lw.bsp.leaves() do: each of them, in the file's order.
---@return function
function lw.bsp.leaves() end

---One brush, read-only, with the fields of its lump.
---@param i integer
---@return {first_side: integer, side_count: integer, texture: integer}
function lw.bsp.brush(i) end

---for i, brush in lw.bsp.brushes() do: each of them, in the file's order.
---@return function
function lw.bsp.brushes() end

---One brushside, read-only, with the fields of its lump.
---@param i integer
---@return {plane: integer, texture: integer}
function lw.bsp.brushside(i) end

---for i, brushside in lw.bsp.brushsides() do: each of them, in the file's order.
---@return function
function lw.bsp.brushsides() end

---One vertex, read-only, with the fields of its lump; its color is four bytes of 0..255.
---@param i integer
---@return {position: vec3, uv: number[], lightmap_uv: number[], normal: vec3, color: integer[]}
function lw.bsp.vertex(i) end

---for i, vertex in lw.bsp.vertices() do: each of them, in the file's order.
---@return function
function lw.bsp.vertices() end

---One face, read-only, with the fields of its lump; type 1 is planar, 2 a patch, 3 a mesh, 4 a flare.
---@param i integer
---@return {texture: integer, effect: integer, type: integer, first_vertex: integer, vertex_count: integer, first_index: integer, index_count: integer, lightmap: integer, lightmap_xy: integer[], lightmap_size: integer[], lightmap_origin: vec3, lightmap_vecs: vec3[], normal: vec3, patch_size: integer[]}
function lw.bsp.face(i) end

---for i, face in lw.bsp.faces() do: each of them, in the file's order.
---@return function
function lw.bsp.faces() end

---One model, read-only, with the fields of its lump; model 0 is the world.
---@param i integer
---@return {mins: vec3, maxs: vec3, first_face: integer, face_count: integer, first_brush: integer, brush_count: integer}
function lw.bsp.model(i) end

---for i, model in lw.bsp.models() do: each of them, in the file's order.
---@return function
function lw.bsp.models() end

---One effect, read-only, with the fields of its lump.
---@param i integer
---@return {name: string, brush: integer, side: integer}
function lw.bsp.effect(i) end

---for i, effect in lw.bsp.effects() do: each of them, in the file's order.
---@return function
function lw.bsp.effects() end

---One page of light as a picture, as the file has it.
---@param i integer
---@return image
function lw.bsp.lightmap(i) end

---for i, image in lw.bsp.lightmaps() do: every page of light.
---@return function
function lw.bsp.lightmaps() end

---The faces that a leaf names.
---@param leaf integer
---@return integer[]
function lw.bsp.leaf_faces(leaf) end

---The brushes that a leaf names.
---@param leaf integer
---@return integer[]
function lw.bsp.leaf_brushes(leaf) end

---The leaf that a point is in.
---@param p point
---@return integer
---@overload fun(x: number, y: number, z: number): integer
function lw.bsp.leaf_at(p) end

---The leafs whose space touches a box, in order of number.
---@param mins point
---@param maxs point
---@return integer[]
---@overload fun(mins_x: number, mins_y: number, mins_z: number, maxs_x: number, maxs_y: number, maxs_z: number): integer[]
function lw.bsp.leaves_in(mins, maxs) end

---A face's triangles as they are drawn, patches tessellated: a list of { a, b, c }; empty for what is never drawn.
---@param face integer
---@return vec3[][]
function lw.bsp.face_polygon(face) end

---A patch's control points: { size = {w, h}, width, height, points = vec3 row by row }; nil for a face of another type.
---@param face integer
---@return {size: integer[], width: integer, height: integer, points: vec3[]}?
function lw.bsp.patch(face) end

---The light grid at a point: { ambient, directed, direction } in the file's 0..255; nil where the level has none.
---@param p point
---@return {ambient: vec3, directed: vec3, direction: vec3}?
---@overload fun(x: number, y: number, z: number): {ambient: vec3, directed: vec3, direction: vec3}?
function lw.bsp.light_at(p) end
