-- The graph of names, entity text that is written back, and ways that are told before they happen.
local lu = require "luaunit"
local rooms = require "rooms"
local links = require "links"
local ent_text = require "ent_text"
local trajectories = require "trajectories"

local function entity(index, ...)
  local pairs_of, list = { ... }, { index = index }
  for i = 1, #pairs_of, 2 do list[#list + 1] = { pairs_of[i], pairs_of[i + 1] } end
  return list
end

TestLinks = {}

function TestLinks.test_who_fires_whom_without_case_and_to_many()
  local graph = links.graph {
    entity(1, "classname", "trigger_multiple", "target", "Door"),
    entity(2, "classname", "func_door", "targetname", "door"),
    entity(3, "classname", "func_door", "targetname", "DOOR", "target", "light", "target2", "door"),
  }
  lu.assertEquals(#graph.edges, 4)
  lu.assertEquals(#graph.missing, 1)
  lu.assertEquals(graph.missing[1].name, "light")
  lu.assertEquals(graph.cycles, { { 3 } }, "it fires itself")
end

function TestLinks.test_a_wrong_name_is_told_with_the_one_that_was_meant()
  local graph = links.graph {
    entity(1, "classname", "func_button", "target", "brigde_left"),
    entity(2, "classname", "func_door", "targetname", "bridge_left"),
  }
  local report = links.report(graph)
  lu.assertStrContains(report[1], '1 func_button: target "brigde_left" is nobody\'s targetname (did you mean "bridge_left"?)')
  lu.assertStrContains(report[2], '2 func_door: nobody fires "bridge_left"')
  lu.assertEquals(links.distance("brigde", "bridge"), 1)
  lu.assertEquals(links.distance("", "abc"), 3)
  lu.assertNil(links.nearest("x", { "elevator" }))
end

function TestLinks.test_circles_of_any_length_are_found_once()
  local ring, chain = {}, {}
  for i = 1, 2000 do
    ring[i] = entity(i, "classname", "target_relay", "targetname", "r" .. i, "target", "r" .. (i % 2000 + 1))
    chain[i] = entity(i, "classname", "target_relay", "targetname", "r" .. i, "target", i < 2000 and "r" .. i + 1 or "r0")
  end
  lu.assertEquals(#links.graph(ring).cycles, 1)
  lu.assertEquals(#links.graph(ring).cycles[1], 2000)
  lu.assertEquals(links.graph(chain).cycles, {})
end

function TestLinks.test_the_graph_for_graphviz()
  local dot = links.dot(links.graph {
    entity(1, "classname", "a\"b", "target", "x"), entity(2, "classname", "c", "targetname", "x"), entity(3, "classname", "d", "target", "y"),
  }, "level")
  lu.assertStrContains(dot, 'digraph "level" {')
  lu.assertStrContains(dot, '1 [label="1 a\\"b"]')
  lu.assertStrContains(dot, "1 -> 2;")
  lu.assertStrContains(dot, "3 -> missing1")
end

function TestLinks.test_entity_text_comes_back_as_it_was()
  rooms.open()
  local list = {}
  for i = 0, lw.entities.count() - 1 do list[#list + 1] = ent_text.changed(lw.entities.lump(i)) end
  local text, count = ent_text.write(list), 0
  for key, value in lw.entities.text():gmatch('"([^"]*)" "([^"]*)"') do
    count = count + 1
    lu.assertStrContains(text, ('"%s" "%s"'):format(key, value))
  end
  lu.assertTrue(count > 50)
end

function TestLinks.test_a_changed_key_is_the_last_of_its_name_and_others_keep_their_place()
  local one = entity(0, "classname", "x", "target", "a", "Target", "b", "wait", "1")
  lu.assertEquals(ent_text.changed(one, { target = "c", wait = false, new = "2" }),
    { { "classname", "x" }, { "target", "a" }, { "Target", "c" }, { "new", "2" } })
  lu.assertEquals(ent_text.write { { { "a", "b{}//" } } }, '{\n"a" "b{}//"\n}\n')
  lu.assertStrContains(ent_text.write { { { 'in"side', "x" } } }, 'in"side "x"')
  lu.assertErrorMsgContains("a quote cannot be written", ent_text.write, { { { "a", 'two "words"' } } })
end

function TestLinks.test_ways_are_told_before_they_happen()
  rooms.open()
  lw.player.mode = "walk"
  lw.time.step(30)
  local door = lw.entities.all("func_door")[1]
  local sweep = trajectories.sweep(door)
  lu.assertAlmostEquals((sweep.maxs2 - sweep.maxs1).z, 130 - 8, 1e-3)
  lu.assertAlmostEquals(sweep.seconds, 122 / 200, 1e-3)
  lw.entities.spawn { classname = "target_position", targetname = "top", origin = lw.vec3(300, 200, 150) }
  local pad = lw.entities.spawn { classname = "trigger_push", target = "top", origin = lw.vec3(200, 200, 0) }
  pad.mins, pad.maxs = lw.vec3(-32, -32, 0), lw.vec3(32, 32, 16)
  lw.time.step(30)
  local way = trajectories.pad(pad)
  lu.assertTrue((way.apex - lw.vec3(300, 200, 150)):length() < 1)
  lu.assertTrue(way.lands and way.lands.z < 30 and way.lands.x > 300, tostring(way.lands))
  lw.player.teleport(200, 200, 25)
  lw.player.push(way.velocity)
  local highest = 0
  for _ = 1, 150 do
    lw.time.step(1)
    highest = math.max(highest, lw.player.origin.z)
  end
  lu.assertAlmostEquals(highest, 150 + 17, 12, "from 25, not from the pad's middle at 8")
end
