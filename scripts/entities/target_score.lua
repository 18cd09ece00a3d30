-- target_score: points for who fires it. count 1.
local score = { help = "Gives points." }

function score.use(self, activator)
  if activator and activator.is_player then lw.player.give("score", self:number("count", 1)) end
end

return score
