-- func_static: part of the level that never moves; other games call it func_wall.
local mover = require "mover"
local static = { help = "Never moves.", draw = mover.draw, classes = { "func_static", "func_wall" } }

function static.spawn(self) self.solid = true end

return static
