-- What shooters send on its way: flies until it meets something, hurts that, and is gone.
local shot = { help = "A missile in flight." }

function shot.think(self)
  local hit = lw.trace.ray(self.from, self.origin, { entities = true, ignore = self, mask = "shot" })
  if hit.hit then
    if hit.entity then hit.entity:hurt(20) end
    return self:remove()
  end
  self.from = self.origin
  self.age = (self.age or 0) + 1
  if self.age > 500 then return self:remove() end    -- ten seconds
  self:after(0.02)
end

function shot.draw(self) lw.draw.sphere(self.origin, 6, { color = self.color, fill = true }) end

return shot
