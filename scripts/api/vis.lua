---@meta
-- lw.vis: Which parts of the level can see one another.
-- Written by the program from its binding rows.

---@class lw.vis
lw.vis = {}

---How many clusters the level has.
---@return integer
function lw.vis.clusters() end

---The cluster that a point is in; -1 in solid and outside.
---@param p point
---@return integer
---@overload fun(x: number, y: number, z: number): integer
function lw.vis.cluster_at(p) end

---What a cluster sees, as a set: row:has(d), #row, row:list(), and & | ~ - == between rows.
---@param cluster integer
---@return row
function lw.vis.row(cluster) end

---The clusters that a cluster sees, in order of number.
---@param cluster integer
---@return integer[]
function lw.vis.visible(cluster) end

---Whether cluster `from` can see cluster `to`; -1 sees all, and nobody else sees it.
---@param from integer
---@param to integer
---@return boolean
function lw.vis.sees(from, to) end

---The leafs of a cluster; of -1: those without a cluster that a node refers to.
---@param cluster integer
---@return integer[]
function lw.vis.leaves(cluster) end

---The faces that a cluster's leafs name, each once, in order of number.
---@param cluster integer
---@return integer[]
function lw.vis.faces(cluster) end

---The smallest and largest corner of a cluster's leafs; nil for -1.
---@param cluster integer
---@return vec3?
---@return vec3?
function lw.vis.bounds(cluster) end

---Freezes what the renderer takes for the viewer's cluster; without a cluster the eye's own counts again.
---@param cluster? integer
function lw.vis.lock(cluster) end

---The cluster that `lock` named, or nil.
---@return integer?
function lw.vis.locked() end

---What decides which leafs are drawn: "pvs" (rows and frustum), "frustum" or "none" (everything); returns the mode.
---@param mode? "pvs"|"frustum"|"none"
---@return string
function lw.vis.mode(mode) end

---What the frame shows: { clusters, leaves (front to back), faces }; in `update` that is the last frame.
---@return {clusters: integer[], leaves: integer[], faces: integer[]}
function lw.vis.drawn() end

---The rows in numbers: min mean max (population), one_way_pairs, see_all, see_nothing, self_unseen.
---@return table
function lw.vis.stats() end

---How many areas the level has: parts of it that area portals, in the frames of doors, divide.
---@return integer
function lw.vis.areas() end

---The area that a point is in; -1 in solid and outside.
---@param p point
---@return integer
---@overload fun(x: number, y: number, z: number): integer
function lw.vis.area_at(p) end

---The area portals: their brushes, the two areas that each joins, its box, and whether a door shuts it now (without a game none does). r.areas 0 draws what lies behind shut ones too.
---@return {brush: integer, from: integer, to: integer, mins: vec3, maxs: vec3, shut: boolean}[]
function lw.vis.area_portals() end

---Whether no shut door parts two areas; -1 is joined with all.
---@param from integer
---@param to integer
---@return boolean
function lw.vis.joined(from, to) end

---The portals of q3map2's .prt file: a list of { from, to, hint, points }, with clusters, faces = { cluster, points } and fits (as many clusters as the level has).
---@param prt_path string
---@return table?
---@return string?
function lw.vis.load_portals(prt_path) end

---@class row
local row = {}

---Whether the cluster is in the set; -1 never is.
---@param cluster integer
---@return boolean
function row:has(cluster) end

---The clusters of the set, in order of number.
---@return integer[]
function row:list() end
