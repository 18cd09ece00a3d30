-- Models that the rows hide cost next to nothing: five hundred of them less than a tenth of a frame, in processor time.
local unit = require "luaunit"

local COUNT, ROUNDS = 500, 9

-- A model of 300 triangles or more, of those that every installation has, or else the one with the most.
local function choose()
  local best, most = nil, 0
  for _, path in ipairs(lw.fs.list("models", ".md3")) do
    local info = not path:find "_%d%.md3$" and lw.draw.model_info((path:gsub("%.md3$", "")))
    if info and info.triangles > most then best, most = path:gsub("%.md3$", ""), info.triangles end
    if most >= 300 then break end
  end
  return best, most
end

local function eye_of_level()
  for _, class in ipairs { "info_player_deathmatch", "info_player_start", "team_CTF_redspawn" } do
    local found = lw.entities.find { classname = class, origin = true }
    if #found > 0 then return lw.entities.lump(found[1]):vector "origin" + lw.vec3(0, 0, 30) end
  end
end

-- Middles of leafs that the eye's cluster does not see, as far as the model does not reach out of them.
local function hidden_places(eye)
  local leafs, places, from = {}, {}, lw.vis.cluster_at(eye)
  for leaf = 0, lw.bsp.count("leafs") - 1 do
    local cluster = lw.bsp.leaf(leaf).cluster
    if cluster >= 0 and not lw.vis.sees(from, cluster) then leafs[#leafs + 1] = leaf end
  end
  math.randomseed(1)
  for _ = 1, #leafs > 0 and COUNT or 0 do
    local leaf = lw.bsp.leaf(leafs[math.random(#leafs)])
    places[#places + 1] = (leaf.mins + leaf.maxs) / 2
  end
  return places
end

local function frame(eye, draw)
  assert(lw.raster.render { rasterizer = "soft", origin = eye, angles = { 0, 0, 0 }, width = 1280, height = 720, draw = draw })
  local stats = lw.raster.soft.stats()
  return stats.order_ms + stats.place_ms + stats.spans_ms + stats.triangles_ms + stats.overlay_ms, stats.models_place_ms + stats.models_ms
end

-- Milliseconds that they add, and those of the frame without them: the least of some rounds.
local function cost(model, eye, places)
  local added, whole, seen = math.huge, math.huge, 0
  for _ = 1, ROUNDS do
    whole = math.min(whole, (frame(eye)))
    local spent
    local _, drawing = frame(eye, function()
      local start = os.clock()
      seen = lw.draw.models(model, places)
      spent = (os.clock() - start) * 1000
    end)
    added = math.min(added, spent + drawing)
  end
  return added, whole, seen
end

TestHiddenModels = {}

function TestHiddenModels:test_hidden_models_cost_less_than_a_tenth_of_a_frame()
  local model, triangles = choose()
  if not model then return end    -- this game has no MD3
  lw.raster.soft.threads = 1
  local levels = 0
  for _, name in ipairs { "oa_dm1", "oa_rpg3dm2", "oasago2", "ctf_inyard", "aggressor", "strength", "basement" } do
    local eye = lw.map.open(name) and eye_of_level()
    local places = eye and hidden_places(eye) or {}
    if #places > 0 then
      local hidden = {}
      frame(eye, function()    -- a few stand across a leaf that is seen: those are not hidden
        for _, place in ipairs(places) do
          if lw.draw.models(model, { place }) == 0 then hidden[#hidden + 1] = place end
        end
      end)
      local kept = #hidden
      unit.assertTrue(kept > COUNT / 2, ("%s: %d of %d are hidden"):format(name, kept, COUNT))
      for i = kept + 1, COUNT do hidden[i] = hidden[i - kept] end
      local added, whole, seen = cost(model, eye, hidden)
      unit.assertEquals(seen, 0)
      print(("%-12s %d models of %d triangles add %.3f to %.2f ms"):format(name, COUNT, triangles, added, whole))
      unit.assertTrue(added < whole / 10, ("%s: %.3f of %.2f ms"):format(name, added, whole))
      levels = levels + 1
    end
  end
  lw.raster.soft.threads = 0
  unit.assertTrue(levels > 0)
end
