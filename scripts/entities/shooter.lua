-- shooter_rocket, shooter_plasma, shooter_grenade: shoot when used, at their target or along their angle; random 1 degree.
local mover = require "mover"
local shooter = { help = "Shoots when used.", classes = { "shooter_rocket", "shooter_plasma", "shooter_grenade" } }
local speeds = { shooter_rocket = 900, shooter_plasma = 2000, shooter_grenade = 700 }
local colors = { shooter_rocket = { 1, 0.6, 0.2 }, shooter_plasma = { 0.3, 0.6, 1 }, shooter_grenade = { 0.3, 0.9, 0.3 } }

function shooter.use(self)
  local target = self.target and lw.entities.named(self.target)[1]
  local way = target and (target.origin - self.origin):normalized() or mover.direction(self)
  local off = math.rad(mover.setting(self, "random", 1))
  way = (way + lw.vec3(math.random() - 0.5, math.random() - 0.5, math.random() - 0.5) * (2 * off)):normalized()
  local shot = lw.entities.spawn { classname = "shot", origin = self.origin }
  shot.owner, shot.color = self, colors[self.classname]
  shot.visible, shot.velocity = true, way * speeds[self.classname]
  shot.from = self.origin
  shot:after(0.02)
end

return shooter
