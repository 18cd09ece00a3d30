-- lw.draw: what its functions take and what they refuse. What comes of it in the frame is in tests/unit/script.
local unit = require "luaunit"
local rooms = require "rooms"

TestDraw = {}

function TestDraw:setUp() rooms.open() end

local STYLE = { color = { 1, 0.5, 0, 0.5 }, fill = true, width = 2, xray = true, blend = "add" }

function TestDraw:test_everything_is_drawn_in_every_form_of_points()
  lw.draw.line(0, 0, 0, 1, 1, 1)
  lw.draw.line({ 0, 0, 0 }, lw.vec3(1, 1, 1), STYLE)
  lw.draw.box(0, 0, 0, lw.vec3(8, 8, 8), STYLE)
  lw.draw.boxes({ { { 0, 0, 0 }, { 1, 1, 1 } }, { mins = lw.vec3(0, 0, 0), maxs = lw.vec3(1, 1, 1) } }, STYLE)
  lw.draw.boxes({ 0, 0, 0, 1, 1, 1 }, STYLE)
  lw.draw.sphere(rooms.first, 10)
  lw.draw.sphere(rooms.first, 10, STYLE)
  lw.draw.arrow(rooms.first, rooms.bend, STYLE)
  lw.draw.polygon({ { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, STYLE)
  lw.draw.text(rooms.first, "a text\nin two lines", { size = 20, color = "red" })
  lw.draw.points({ rooms.first, { 1, 2, 3 } }, { size = 5 })
  lw.draw.points { 1, 2, 3, 4, 5, 6 }
  lw.draw.frustum({ origin = rooms.first, angles = { 0, 90, 0 }, fov = 90 }, STYLE)
  lw.draw.grid(rooms.first, 32, 8, STYLE)
  lw.draw.lines({ rooms.first, rooms.bend }, STYLE)
  lw.draw.path({ rooms.first, rooms.bend, rooms.second }, STYLE)
  lw.draw.face(0, STYLE)
  lw.draw.leaf(0, STYLE)
  lw.draw.cluster(0, STYLE)
  lw.draw.cluster(-1, STYLE)
  lw.draw.faces({ 0, 1 }, STYLE)
  lw.draw.leaves({ 0, 1 }, STYLE)
  lw.draw.clusters({ 0, -1 }, STYLE)
end

function TestDraw:test_nonsense_is_refused_with_its_place()
  unit.assertEquals(rooms.refusal(lw.draw.cluster, 15), "bad argument #1 to 'lw.draw.cluster' (cluster 15, this map has 0..14)")
  unit.assertStrContains(rooms.refusal(lw.draw.clusters, { 0, 15 }), "item 2 of the list is cluster 15")
  unit.assertStrContains(rooms.refusal(lw.draw.faces, { "x" }), "item 1")
  unit.assertStrContains(rooms.refusal(lw.draw.faces, 3), "list")
  unit.assertStrContains(rooms.refusal(lw.draw.lines, { 1, 2, 3, 4 }), "4 numbers")
  unit.assertStrContains(rooms.refusal(lw.draw.lines, { rooms.first }), "two a line")
  unit.assertStrContains(rooms.refusal(lw.draw.boxes, { { 1 } }), "item 1")
  unit.assertStrContains(rooms.refusal(lw.draw.boxes, { 1, 2, 3 }), "six")
  unit.assertStrContains(rooms.refusal(lw.draw.polygon, { rooms.first, rooms.bend }), "3 at least")
  unit.assertStrContains(rooms.refusal(lw.draw.sphere, rooms.first, -1), "radius")
  unit.assertStrContains(rooms.refusal(lw.draw.grid, rooms.first, 0), "spacing")
  unit.assertStrContains(rooms.refusal(lw.draw.frustum, { origin = rooms.first }), "angles")
  unit.assertStrContains(rooms.refusal(lw.draw.text, rooms.first), "nothing")
  unit.assertStrContains(rooms.refusal(lw.draw.text, rooms.first, "x", { font = "Nosuchfont" }), "Nosuchfont")
  unit.assertStrContains(rooms.refusal(lw.draw.line, rooms.first, rooms.bend, { color = "no colour" }), "no colour")
  unit.assertStrContains(rooms.refusal(lw.draw.line, rooms.first, 3), "lw.draw.line")
end
