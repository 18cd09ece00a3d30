-- What can be seen from here, as the level's compiler worked it out: the potentially visible set of the eye's cluster.
--
-- L locks the set to this cluster, so that one can fly away and look at what is drawn from there. R turns the question
-- around: who can see this place? Clusters that see without being seen (or the other way round) are red.
local hud = require "hud"

local pvs = {
  name = "visible clusters",
  help = "The clusters that this place can see; or, reversed, those that can see it.",
  more = "B boxes or faces, L lock the set of this place, R who sees this place",
  keys = { v = "toggle", b = "next_show", l = "lock", r = "reverse" },
}

local SHOWS = { "boxes and faces", "boxes", "faces" }
local MUTUAL = { color = { 0.35, 0.95, 0.5, 0.55 } }
local THROUGH_WALLS = { color = { 0.35, 0.95, 0.5, 0.12 }, xray = true }
local ONE_WAY = { color = { 1, 0.25, 0.2, 0.8 }, width = 2 }
local HERE = { color = { 1, 0.9, 0.3, 1 }, width = 3, xray = true }

local state, seen, faces_of, tint_of

function pvs.load(saved)
  state, seen = saved, nil
  state.show = state.show or 1
end

function pvs.map() seen, faces_of, tint_of = nil, {}, {} end

-- The faces of the clusters in `list`, by cluster. Each counts for the first that names it, so that none is tinted twice.
local function share_faces(list)
  local own, taken = {}, {}
  for _, cluster in ipairs(list) do
    local faces = {}
    faces_of[cluster] = faces_of[cluster] or lw.vis.faces(cluster)
    for _, face in ipairs(faces_of[cluster]) do
      if not taken[face] then
        taken[face] = true
        faces[#faces + 1] = face
      end
    end
    own[cluster] = faces
    tint_of[cluster] = tint_of[cluster] or { color = lw.color.number(cluster, 0.35), fill = true }
  end
  return own
end

function pvs:next_show() state.show = state.show % #SHOWS + 1 end

function pvs:reverse() state.reversed, seen = not state.reversed, nil end

function pvs:lock()
  if lw.vis.locked() then
    lw.vis.lock(nil)
    state.locked_view = nil
  else
    lw.vis.lock(lw.vis.cluster_at(lw.camera.origin))
    state.locked_view = { origin = lw.camera.origin, angles = lw.camera.angles, fov = lw.camera.fov, far = 128 }
  end
end

-- All about one cluster's question: who is seen (or sees), and which of them it holds for in one direction only.
local function look(cluster)
  local list, mutual, one_way = {}, {}, {}
  for other = 0, lw.vis.clusters() - 1 do
    local forth, back = lw.vis.sees(cluster, other), lw.vis.sees(other, cluster)
    if state.reversed then forth, back = back, forth end
    if forth then
      list[#list + 1] = other
      local group = (back or cluster < 0) and mutual or one_way
      group[#group + 1] = other
    end
  end
  return { cluster = cluster, list = list, mutual = mutual, one_way = one_way, faces = share_faces(list) }
end

function pvs.draw(view)
  local cluster = lw.vis.locked() or view.cluster
  if not seen or seen.cluster ~= cluster then seen = look(cluster) end
  local show = SHOWS[state.show]
  if show:find("faces") then
    for _, c in ipairs(seen.list) do lw.draw.faces(seen.faces[c], tint_of[c]) end
  end
  if show:find("boxes") then
    lw.draw.clusters(seen.mutual, THROUGH_WALLS)
    lw.draw.clusters(seen.mutual, MUTUAL)
  end
  lw.draw.clusters(seen.one_way, ONE_WAY)
  lw.draw.cluster(cluster, HERE)
  if lw.vis.locked() and state.locked_view then lw.draw.frustum(state.locked_view, HERE) end
end

function pvs.overlay(width, height)
  if not seen then return end
  local all, drawn = lw.vis.clusters(), lw.vis.drawn()
  local part = all > 0 and 100 * #seen.list / all or 0
  local title = seen.cluster < 0 and "in no cluster: everything is drawn"
    or (state.reversed and "who sees cluster %d" or "what cluster %d sees"):format(seen.cluster)
  local portals, shut = lw.vis.area_portals(), 0
  for _, portal in ipairs(portals) do shut = shut + (portal.shut and 1 or 0) end
  hud.panel("top right", width, height, {
    { title, style = hud.title },
    { state.reversed and "see it" or "sees", ("%d of %d (%.0f %%)"):format(#seen.list, all, part) },
    { "one way only", #seen.one_way },
    { "drawn now: clusters", #drawn.clusters },
    { "leaves", #drawn.leaves },
    { "faces", ("%d of %d"):format(#drawn.faces, lw.bsp.count("faces")) },
    { "doors shut", ("%d of %d area portals"):format(shut, #portals) },
    { "locked (L)", lw.vis.locked() and "yes" or "no" },
    { "shown (B)", SHOWS[state.show] },
  })
end

return pvs
