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
