-- lw.vec3: a value with arithmetic, and every form in which a point may come.
local unit = require "luaunit"
local vec3 = lw.vec3

TestVec3 = {}

function TestVec3:test_made_of_numbers_lists_fields_and_other_vectors()
  for _, v in ipairs { vec3(1, 2, 3), vec3({ 1, 2, 3 }), vec3({ x = 1, y = 2, z = 3 }), vec3(vec3(1, 2, 3)) } do
    unit.assertEquals({ v.x, v.y, v.z }, { 1, 2, 3 })
    unit.assertEquals({ v:unpack() }, { 1, 2, 3 })
  end
  unit.assertEquals({ vec3():unpack() }, { 0, 0, 0 })
  unit.assertEquals(vec3(0.1, 0, 0).x, 0.1)
end

function TestVec3:test_arithmetic()
  local a, b = vec3(1, 2, 3), vec3(4, 5, 6)
  unit.assertTrue(a + b == vec3(5, 7, 9))
  unit.assertTrue(b - a == vec3(3, 3, 3))
  unit.assertTrue(-a == vec3(-1, -2, -3))
  unit.assertTrue(a * 2 == vec3(2, 4, 6) and 2 * a == a * 2)
  unit.assertTrue(a * b == vec3(4, 10, 18))
  unit.assertTrue(b / 2 == vec3(2, 2.5, 3))
  unit.assertTrue(a + { 1, 1, 1 } == vec3(2, 3, 4))
  unit.assertFalse(a == b)
  unit.assertFalse(a == 1)
  unit.assertEquals(#vec3(3, 4, 0), 5)
  unit.assertEquals(a:dot(b), 32)
  unit.assertEquals(a:dot(4, 5, 6), 32)
  unit.assertEquals(a:dot { 4, 5, 6 }, 32)
  unit.assertTrue(vec3(1, 0, 0):cross(0, 1, 0) == vec3(0, 0, 1))
  unit.assertTrue(vec3(0, 0, 9):normalized() == vec3(0, 0, 1))
  unit.assertTrue(vec3():normalized() == vec3())
  unit.assertEquals(vec3(1, 1, 1):distance(1, 1, 4), 3)
  unit.assertTrue(vec3(0, 0, 0):lerp(vec3(2, 4, 6), 0.5) == vec3(1, 2, 3))
  unit.assertEquals(tostring(vec3(1, 2.5, -3)), "vec3(1 2.5 -3)")
end

function TestVec3:test_fields_can_be_written_and_change_nothing_else()
  local a = vec3(1, 2, 3)
  local b = vec3(a)
  b.x = 9
  b[3] = 7
  unit.assertEquals({ a:unpack() }, { 1, 2, 3 })
  unit.assertEquals({ b[1], b[2], b[3] }, { 9, 2, 7 })
  unit.assertErrorMsgContains("no field 'w'", function() a.w = 1 end)
  unit.assertErrorMsgContains("a vec3's y is a number", function() a.y = "1" end)
  unit.assertNil(a.w)
end

function TestVec3:test_what_is_no_point_is_refused_in_words()
  local function refused(words, ...)
    unit.assertErrorMsgContains("'lw.vec3'", vec3, ...)
    unit.assertErrorMsgContains(words, vec3, ...)
  end
  refused("bad argument #2", 1)
  refused("y of a point expected, got nil", 1, nil, 3)
  refused("got string", 1, "2", 3)
  refused("got boolean", true)
  refused("its z is nil", { 1, 2 })
  refused("x of a point is not a number", 0 / 0, 0, 0)
  refused("z of a point is inf", 0, 0, math.huge)
  refused("y of a point is 1e+39", { 0, 1e39, 0 })
  unit.assertErrorMsgContains("bad argument #1 to 'vec3:dot'", function() vec3():dot("x") end)
  unit.assertErrorMsgContains("'vec3:dot' is called on a wrong object", function() vec3().dot(3, 4, 5, 6) end)
  unit.assertErrorMsgContains("a vec3 or a number expected", function() return vec3() + "x" end)
  unit.assertErrorMsgContains("both sides are vec3", function() return vec3() + 1 end)
  unit.assertErrorMsgContains("both sides are vec3", function() return 1 - vec3() end)
end
