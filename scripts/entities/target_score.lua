-- target_score: points for who fires it. count 1.
local score = { help = "Gives points." }

function score.use(self, activator)
  if activator and activator.is_player then lw.player.give("score", math.max(self:number("count", 1), 1)) end
end

return score
