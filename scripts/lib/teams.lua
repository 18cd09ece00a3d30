-- Flags 1 (red) and 2 (blue) of triggers, relays and messages: they ask for a player of that team.
--
-- lw.player.team is nil at first: a player of every team, so that a level of teams can be walked through alone.
local teams = {}
local RED, BLUE = 1, 2

-- Whether an entity's flags keep out who fired it. Of both flags each asks for its team, so that nobody of one team passes,
-- as in the game; `either`: one of them is enough.
function teams.refuses(self, activator, either)
  local team = activator and activator.is_player and lw.player.team
  local flags = self:flags()
  if not team or flags & (RED | BLUE) == 0 then return false end
  local red, blue = flags & RED ~= 0, flags & BLUE ~= 0
  if either then return not ((red and team == "red") or (blue and team == "blue")) end
  return (red and team ~= "red") or (blue and team ~= "blue")
end

return teams
