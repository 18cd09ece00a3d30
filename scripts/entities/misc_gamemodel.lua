-- misc_gamemodel (Nexuiz): a model that stands in the level. model (an MD3), modelscale 1, angle or angles.
local gamemodel = { help = "A model that stands in the level." }

function gamemodel.spawn(self)
  self.visible = true
  self.style = { origin = self.origin, angles = self.angles, scale = self:number("modelscale", 1) }
end

function gamemodel.draw(self) lw.draw.model(self.model, self.style) end

return gamemodel
