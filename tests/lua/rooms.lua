-- Opens the level of ours that every test of the bindings asks: two rooms with a bend between them (maps/rooms.lua).
local rooms = {
  first = lw.vec3(56, 64, 50), bend = lw.vec3(816, 256, 60), second = lw.vec3(624, 1104, 50),
  wall = lw.vec3(300, 700, 60), outside = lw.vec3(-500, 0, 0),
}

function rooms.open() assert(lw.map.open("rooms")) end

-- The game as at its start: somebody who walks by no input.
function rooms.play()
  rooms.open()
  lw.player.mode = "walk"
  lw.player.move()
end

function rooms.steps(n) lw.time.step(n or 1) end
function rooms.seconds(s) lw.time.step(math.floor(s * 125 + 0.5)) end

-- The error that a call raises, without the place; fails when it raises none.
function rooms.refusal(f, ...)
  local fine, message = pcall(f, ...)
  assert(not fine, "this should have been refused")
  return (tostring(message):gsub("^[^:]*:%d+: ", ""))
end

return rooms
