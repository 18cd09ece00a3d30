-- func_static: part of the level that never moves.
local static = { help = "Never moves." }

function static.spawn(self) self.solid = true end

return static
