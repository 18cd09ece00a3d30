-- Walks through a level by a recorded row of inputs, fires things, and prints the state's hash: leafwalk exec walk.lua LEVEL STEPS.
-- The numbers come from a generator of its own, so that every build gets the same row.
local seed = 20000
local function number(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return (seed >> 8) % n
end

local function main(arg)
  assert(lw.map.open(arg[1]))
  lw.player.mode = "walk"
  local steps, spots = tonumber(arg[2]), lw.entities.find { classname = "info_player_deathmatch" }
  local yaw = 0
  for at = 0, steps - 1, 25 do
    if at % 1250 == 0 and #spots > 0 then
      lw.player.teleport(lw.entities.lump(spots[number(#spots) + 1]):vector("origin") + lw.vec3(0, 0, 9))
    end
    yaw = (yaw + number(91) - 45) % 360
    lw.player.angles = lw.vec3(number(61) - 30, yaw, 0)
    lw.player.move { forward = number(4) > 0 and 1 or -1, side = number(3) - 1, jump = number(5) == 0, crouch = number(9) == 0 }
    if number(20) == 0 then
      local e = lw.entities.get(1 + number(lw.entities.count()))
      if e then e:use() end
    end
    lw.time.step(25)
  end
  local o = lw.player.origin
  assert(o.x == o.x and o.y == o.y and o.z == o.z)
  print(("%016x"):format(lw.entities.hash()), o)
end

return { main = main }
