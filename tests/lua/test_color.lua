-- lw.color: colours by parts, hue, name and number.
local unit = require "luaunit"
local color = lw.color

TestColor = {}

local function near(a, b)
  for i = 1, 4 do unit.assertAlmostEquals(a[i], b[i], 1e-9) end
end

function TestColor:test_hues()
  near(color.hsv(0, 1, 1), { 1, 0, 0, 1 })
  near(color.hsv(1 / 3, 1, 1), { 0, 1, 0, 1 })
  near(color.hsv(2 / 3, 1, 1), { 0, 0, 1, 1 })
  near(color.hsv(1 / 6, 1, 0.5), { 0.5, 0.5, 0, 1 })
  near(color.hsv(0.25, 0, 0.75, 0.5), { 0.75, 0.75, 0.75, 0.5 })
  near(color.hsv(7, 1, 1), { 1, 0, 0, 1 })
  near(color.hsv(-1 / 3, 1, 1), { 0, 0, 1, 1 })
end

function TestColor:test_forms()
  near(color.of("#ff8000"), { 1, 128 / 255, 0, 1 })
  near(color.of("#f80"), { 1, 136 / 255, 0, 1 })
  near(color.of("#ff800080"), { 1, 128 / 255, 0, 128 / 255 })
  near(color.of({ 0.25, 0.5, 0.75 }), { 0.25, 0.5, 0.75, 1 })
  near(color.of({ 2, -1, 0.5, 0.1 }), { 1, 0, 0.5, 0.1 })
  near(color.of("White"), { 1, 1, 1, 1 })
  unit.assertEquals(color.hex({ 1, 0.5, 0 }), "#ff8000")
  unit.assertEquals(color.hex({ 1, 0.5, 0, 0 }), "#ff800000")
  near(color.mix("black", "white", 0.25), { 0.25, 0.25, 0.25, 1 })
  near(color.alpha("white", 0.5), { 1, 1, 1, 0.5 })
  for _, name in ipairs(color.names()) do unit.assertEquals(#color.of(name), 4) end
end

function TestColor:test_numbers_have_colours_of_their_own()
  unit.assertEquals(color.number(17), color.number(17))
  unit.assertNotEquals(color.number(17), color.number(18))
  unit.assertEquals(color.number(5, 0.25)[4], 0.25)
  for n = -2, 50 do unit.assertTrue(math.max(table.unpack(color.number(n), 1, 3)) > 0.3) end
end

function TestColor:test_refusals()
  for _, case in ipairs { { "#ff", "rrggbb" }, { "#gggggg", "rrggbb" }, { "no such", "no name" }, { {}, "r is nil" }, { { 1, 2 }, "b is nil" },
    { { 0 / 0, 0, 0 }, "not a number" }, { { 1, 1, 1, "x" }, "a is string" }, { 3, "got number" } } do
    unit.assertErrorMsgContains("'lw.color.of'", color.of, case[1])
    unit.assertErrorMsgContains(case[2], color.of, case[1])
  end
  unit.assertErrorMsgContains("finite", color.hsv, 0 / 0, 1, 1)
end
