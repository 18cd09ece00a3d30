-- lw.ui: letters, rectangles, pictures and plots on the screen.
local unit = require "luaunit"
local rooms = require "rooms"

TestUi = {}

function TestUi:test_a_longer_text_is_wider_and_a_larger_one_higher()
  local w, h = lw.ui.measure("abc")
  local w2, h2 = lw.ui.measure("abcabc")
  local w3, h3 = lw.ui.measure("abc", { size = 32 })
  unit.assertTrue(w > 0 and w2 > w and h2 == h and w3 > w and h3 > h)
  unit.assertTrue(select(2, lw.ui.measure("abc\nabc")) > h)
  unit.assertEquals({ lw.ui.text(10, 10, "abc") }, { w, h })
  unit.assertEquals(lw.ui.measure(12), lw.ui.measure("12"))
end

function TestUi:test_a_font_is_a_style()
  local font = assert(lw.ui.font("", 24))
  unit.assertEquals(font.size, 24)
  unit.assertTrue(font.line > 20 and font.ascent > 0)
  unit.assertEquals({ lw.ui.measure("abc", font) }, { lw.ui.measure("abc", { size = 24 }) })
  local none, why = lw.ui.font("Nosuchfont")
  unit.assertNil(none)
  unit.assertStrContains(why, "Nosuchfont")
  unit.assertNil((lw.ui.font("../../etc/passwd")))
  unit.assertStrContains(rooms.refusal(lw.ui.font, "", 1000), "4..256")
end

function TestUi:test_pictures_are_drawn_and_forgotten()
  rooms.open()
  for i = 1, 50 do
    lw.ui.image(0, 0, lw.bsp.lightmap(i % lw.bsp.count("lightmaps")), 32, 32, { color = "red" })
    if i % 10 == 0 then collectgarbage() end
  end
  lw.ui.image(10, 10, "textures/rooms/brick")
  unit.assertStrContains(rooms.refusal(lw.ui.image, 0, 0, 7), "image")
end

function TestUi:test_plots_take_any_numbers()
  lw.ui.plot(0, 0, 100, 50, { 1, 2, 3, 0 / 0, 1 / 0, -5 }, { fill = true })
  lw.ui.plot(0, 0, 100, 50, {})
  lw.ui.plot(0, 0, 100, 50, { 1 }, { low = 0, high = 10 })
  unit.assertStrContains(rooms.refusal(lw.ui.plot, 0, 0, 10, 10, { "x" }), "value 1")
  unit.assertStrContains(rooms.refusal(lw.ui.plot, 0, 0, 10, 10, 3), "list")
  unit.assertStrContains(rooms.refusal(lw.ui.plot, 0, 0, 10, 10, {}, { low = "x" }), "low")
end

function TestUi:test_nonsense_is_refused()
  lw.ui.rect(0, 0, 10, 10)
  lw.ui.rect(-1e300, 0, 1e300, 10, { fill = true })
  unit.assertStrContains(rooms.refusal(lw.ui.rect, 0, 0, -1, 10), "width -1")
  unit.assertStrContains(rooms.refusal(lw.ui.rect, 0 / 0, 0, 1, 10), "finite")
  unit.assertStrContains(rooms.refusal(lw.ui.text, 0, 0), "nothing")
  unit.assertStrContains(rooms.refusal(lw.ui.text, "a", 0, "x"), "#1")
end
