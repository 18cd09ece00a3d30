-- Commands, variables and a state that survives: type `mark some text` on the console to leave a marker where the eye is.
-- Change this file and save it: the markers stay.
local markers = {}

local state

function markers.load(saved)
  state = saved
  state.list = state.list or {}
  lw.console.variable("markers.color", "orange", "the colour of markers")
  lw.console.command("mark", function(...)
    local text = table.concat({ ... }, " ")
    table.insert(state.list, { map = lw.map.name, at = lw.camera.origin, text = text ~= "" and text or "here" })
  end, "mark [TEXT]: leaves a marker where the eye is")
  lw.console.command("unmark", function() state.list = {} end, "unmark: removes all markers")
end

function markers.draw()
  local color = lw.console.variable("markers.color")
  for _, marker in ipairs(state.list) do
    if marker.map == lw.map.name then
      lw.draw.points({ marker.at }, { color = color, size = 8, xray = true })
      lw.draw.text(marker.at + lw.vec3(0, 0, 12), marker.text, { color = color, size = 18, xray = true })
    end
  end
end

return markers
