-- trigger_always: fires its targets once, when the level begins.
local always = { help = "Fires once at the start." }

function always.spawn(self) self:after(0.3) end

function always.think(self)
  self:fire(self)
  self:remove()
end

return always
