-- Doors of real levels that fill an area portal hide what is behind them while they are shut, and nothing that is seen.
local lu = require "luaunit"

local function levels()
  local names = { "rooms" }    -- ours: so every game's run has a door that does it
  for _, file in ipairs(lw.fs.list("maps", ".bsp")) do names[#names + 1] = file:match("^maps/([^/]+)%.bsp$") end
  return names
end

local function picture(origin, yaw)
  local faces
  local image = assert(lw.raster.render { rasterizer = "soft", origin = origin, angles = lw.vec3(0, yaw, 0), width = 96, height = 64,
    view = "face", draw = function() faces = #lw.vis.drawn().faces end })
  return image, faces
end

-- From both sides of a portal, towards it: the same picture with and without what is behind, by fewer faces while it is shut.
local function look_at(portal)
  local middle, size = (portal.mins + portal.maxs) / 2, portal.maxs - portal.mins
  local along = size.x < size.y and lw.vec3(1, 0, 0) or lw.vec3(0, 1, 0)
  local fewer = 0
  for side = -1, 1, 2 do
    local eye = middle + along * (150 * side)
    local yaw = math.deg(math.atan(-along.y * side, -along.x * side))
    if lw.vis.area_at(eye) >= 0 then
      local image, faces = picture(eye, yaw)
      lw.console.run("r.areas 0")
      local whole, all = picture(eye, yaw)
      lw.console.run("r.areas 1")
      lu.assertEquals(image:diff(whole).max, 0)
      lu.assertTrue(faces <= all)
      fewer = fewer + (all - faces)
    end
  end
  return fewer
end

local function is_shut(brush)
  for _, portal in ipairs(lw.vis.area_portals()) do
    if portal.brush == brush then return portal.shut end
  end
end

local function try(name, counts)
  for _, portal in ipairs(lw.vis.area_portals()) do
    counts.portals = counts.portals + 1
    if portal.shut then
      counts.shut = counts.shut + 1
      counts.fewer = counts.fewer + look_at(portal)
      for _, door in ipairs(lw.entities.all("func_door")) do door:use(lw.player.entity) end
      lw.time.step(20)
      lu.assertFalse(is_shut(portal.brush), name .. ": it is open")
      lu.assertTrue(lw.vis.joined(portal.from, portal.to))
      look_at(portal)
      lw.time.step(125 * 8)
      lu.assertTrue(is_shut(portal.brush), name .. ": it is shut again")
    end
  end
end

TestAreas = {}

function TestAreas.test_shut_doors_hide_what_is_behind_them_and_nothing_else()
  local counts = { portals = 0, shut = 0, fewer = 0, levels = 0 }
  for _, name in ipairs(levels()) do
    lu.assertTrue(lw.map.open(name))
    lw.time.step(30)
    try(name, counts)
    counts.levels = counts.levels + 1
  end
  print(("%d levels, %d area portals, %d of them in doors; shut, these hide %d faces from before and behind"):format(
    counts.levels, counts.portals, counts.shut, counts.fewer))
  lu.assertTrue(counts.shut >= (lw.fs.exists("maps/oa_dm5.bsp") and 2 or 1) and counts.fewer > 0)
end
