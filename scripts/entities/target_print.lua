-- target_print: shows its message. Flags: 1 red, 2 blue (to players of that team), 4 private (to who fired it).
local teams = require "teams"
local target = { help = "Shows its message." }
local PRIVATE = 4

function target.use(self, activator)
  local private = self:flags() & PRIVATE ~= 0 and activator and activator.is_player
  if not private and teams.refuses(self, lw.player.entity, true) then return end
  lw.log.info((self:key("message", ""):gsub("\\n", "\n")))
end

return target
