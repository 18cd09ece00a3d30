-- trigger_push: a jump pad. Whoever touches it is thrown so that the top of his arc is its target.
local throw = require "throw"
local push = { help = "A jump pad: throws to its target." }

function push.spawn(self)
  self.solid, self.visible = "trigger", false
  self:after(0.1, "aim")    -- targets come later in the list
end

function push.aim(self)
  local target = self.target and lw.entities.named(self.target)[1]
  if not target then
    lw.log.warn(("%s: nothing is called \"%s\": it throws nowhere"):format(tostring(self), self.target or ""))
    return
  end
  self.velocity_given = throw.velocity((self.absmin + self.absmax) * 0.5, target.origin)
  if not self.velocity_given then
    lw.log.warn(("%s: its target is not above it: it throws nowhere"):format(tostring(self)))
  end
end

-- On every step that touches it, as in the game: a tall one throws higher than its target.
function push.touch(self, other)
  if not other.is_player or not self.velocity_given then return end
  if lw.time.now() > (self.heard or 0) + 0.5 then self:play("sound/world/jumppad.wav") end
  self.heard = lw.time.now()
  lw.player.push(self.velocity_given)
end

return push
