-- target_push: throws who fired it. speed 1000, angle; or a target, as a jump pad has. Flag 1: the pad's sound.
local throw = require "throw"
local mover = require "mover"
local push = { help = "Throws whoever fired it." }

function push.spawn(self) self:after(0.1, "aim") end

function push.aim(self)
  local target = self.target and lw.entities.named(self.target)[1]
  if target then
    self.throw = throw.velocity(self.origin, target.origin)
    if not self.throw then lw.log.warn(("%s: its target is not above it: it throws nowhere"):format(tostring(self))) end
  else
    self.throw = mover.direction(self) * mover.setting(self, "speed", 1000)
  end
end

function push.use(self, activator)
  if activator and activator.is_player and self.throw then lw.player.push(self.throw) end
end

return push
