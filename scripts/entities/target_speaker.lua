-- target_speaker: where a sound comes from. noise, wait 0, random 0. Flags: 1 LOOPED_ON, 2 LOOPED_OFF, 4 GLOBAL, 8 ACTIVATOR.
--
-- It keeps the times of its sounds; `sounding` says when it is heard.
local speaker = { help = "Where a sound comes from." }
local LOOPED_ON, LOOPED_OFF = 1, 2

function speaker.spawn(self)
  local noise = self:key("noise")
  if not noise then
    lw.log.warn(("%s: it has no noise"):format(tostring(self)))
    return
  end
  self.noise = noise:find("%.%w+$") and noise or noise .. ".wav"
  self.looped = self:flags() & (LOOPED_ON | LOOPED_OFF) ~= 0
  self.sounding = self:flags() & LOOPED_ON ~= 0
  self.wait, self.random = self:number("wait", 0), self:number("random", 0)
  if self.wait > 0 and not self.looped then self:after(self.wait) end
end

function speaker.think(self)
  self.sounded = lw.time.now()
  if self.wait > 0 then self:after(math.max(self.wait + self.random * (math.random() * 2 - 1), 0.1)) end
end

function speaker.use(self)
  if self.looped then self.sounding = not self.sounding else self.sounded = lw.time.now() end
end

return speaker
