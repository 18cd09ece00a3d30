-- lw.record: pictures of what is on screen.
local unit = require "luaunit"
local rooms = require "rooms"

TestRecord = {}

function TestRecord:test_a_screenshot_is_a_png()
  rooms.open()
  local name = os.tmpname() .. ".png"
  unit.assertEquals(lw.record.screenshot(name), name)
  local file = assert(io.open(name, "rb"))
  unit.assertEquals(file:read(8), "\x89PNG\r\n\x1a\n")
  file:close()
  os.remove(name)
end

function TestRecord:test_a_place_that_cannot_be_written_is_told()
  rooms.open()
  local written, why = lw.record.screenshot("/no/such/folder/x.png")
  unit.assertNil(written)
  unit.assertStrContains(why, "/no/such/folder")
  unit.assertStrContains(rooms.refusal(lw.record.screenshot, "x.jpg"), "x.jpg")
end

function TestRecord:test_a_film_goes_by_the_clock()
  rooms.open()
  local name = os.tmpname() .. ".y4m"
  unit.assertEquals(lw.record.start { path = name, fps = 25, size = { 32, 16 }, rasterizer = "soft" }, name)
  unit.assertTrue(lw.record.active())
  local again, why = lw.record.start { path = name .. "2.y4m" }
  unit.assertNil(again)
  unit.assertStrContains(why, "already")
  lw.time.step(25)    -- a fifth of a second: frames at 0, 0.04 .. 0.16
  unit.assertEquals(lw.record.stop(), 5)
  unit.assertFalse(lw.record.active())
  unit.assertAlmostEquals(lw.time.now(), 0.2, 1e-9)
  local file = assert(io.open(name, "rb"))
  local bytes = file:read("a")
  file:close()
  os.remove(name)
  local header = "YUV4MPEG2 W32 H16 F25:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n"
  unit.assertEquals(bytes:sub(1, #header), header)
  unit.assertEquals(#bytes, #header + 5 * (6 + 3 * 32 * 16))
end

function TestRecord:test_a_films_table_is_looked_at()
  rooms.open()
  for _, wrong in ipairs { { film = 1 }, { path = "x.avi" }, { path = "x.y4m", fps = 0 }, { path = "x.y4m", size = { 0, 1 } },
    { path = "x.y4m", size = "axb" }, { path = "x.y4m", blur = 0.5 }, { path = 5 }, { path = "x.y4m", passes = { 1 } } } do
    unit.assertStrContains(rooms.refusal(lw.record.start, wrong), "lw.record.start")
  end
  local started, why = lw.record.start { path = "/no/such/folder/x.y4m" }
  unit.assertNil(started)
  unit.assertStrContains(why, "/no/such/folder")
  started, why = lw.record.stop()
  unit.assertNil(started)
  unit.assertStrContains(why, "no film")
end
