-- A box around every cluster that the eye's cluster can see, each in the colour of its number.
local boxes = { keys = { v = "toggle" } }

local styles = setmetatable({}, {
  __index = function(made, cluster)
    made[cluster] = { color = lw.color.number(cluster, 0.6), width = 2 }
    return made[cluster]
  end,
})

function boxes.draw(view)
  for _, cluster in ipairs(lw.vis.visible(view.cluster)) do
    lw.draw.cluster(cluster, styles[cluster])
  end
end

function boxes.overlay()
  local cluster = lw.vis.cluster_at(lw.camera.origin)
  lw.ui.text(20, 20, ("cluster %d sees %d clusters (V: boxes on and off)"):format(cluster, #lw.vis.row(cluster)))
end

return boxes
