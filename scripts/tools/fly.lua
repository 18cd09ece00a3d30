-- Flies along a camera path, for films: leafwalk record LEVEL scripts/tools/fly.lua --set camera.path=paths/LEVEL.lua -o film.mp4
--
-- The path is a file on the search path or in the writable folder (where the camera editor saves), beside this script, or
-- with --trust anywhere; without one it is paths/LEVEL.lua if that is there, else a tour through every cluster. The film
-- ends with the path.
local fly = { name = "fly", help = "Flies along a camera path: the variable camera.path names it." }

local path

function fly.map(name)
  local file = lw.console.variable("camera.path", "", "the camera path that fly.lua follows; none: paths/LEVEL.lua, else a tour")
  local why
  if file == "" and lw.fs.exists("paths/" .. name .. ".lua") then file = "paths/" .. name .. ".lua" end
  if file == "" then
    path, why = lw.camera.tour { visit = "clusters" }
  else
    path, why = lw.camera.load_path(file)
  end
  if not path then error(why, 0) end
end

function fly.update()
  local now = lw.time.now()
  path:apply(now)
  if lw.record.active() and not path:settings().loop and now >= path:duration() then lw.record.stop() end
end

return fly
