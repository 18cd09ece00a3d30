-- func_static: part of the level that never moves; other games call it func_wall.
local static = { help = "Never moves.", classes = { "func_static", "func_wall" } }

function static.spawn(self) self.solid = true end

return static
