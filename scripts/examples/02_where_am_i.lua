-- Where the eye is in the level's own terms: leaf, cluster, area, and the light that falls there.
local where = {}

local view, light

function where.draw(now)
  view, light = now, lw.bsp.light_at(now.origin)
  lw.draw.leaf(view.leaf, { color = "yellow", width = 2 })
  if light then
    local tail = view.origin + view.forward * 64
    lw.draw.arrow(tail, tail + light.direction * 24, { color = "yellow", width = 2 })
  end
end

function where.overlay()
  local leaf = lw.bsp.leaf(view.leaf)
  local lines = {
    ("origin   %.0f %.0f %.0f"):format(view.origin:unpack()),
    ("leaf     %d, with %d faces and %d brushes"):format(view.leaf, leaf.face_count, leaf.brush_count),
    ("cluster  %d, which sees %d of %d"):format(view.cluster, #lw.vis.row(view.cluster), lw.vis.clusters()),
    ("area     %d"):format(leaf.area),
  }
  if light then
    lines[5] = ("light    %.0f %.0f %.0f from everywhere"):format(light.ambient:unpack())
    lines[6] = ("         %.0f %.0f %.0f from where the arrow points"):format(light.directed:unpack())
  end
  lw.ui.text(20, 20, table.concat(lines, "\n"))
end

return where
