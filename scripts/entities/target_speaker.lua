-- target_speaker: where a sound comes from. noise, wait 0, random 0. Flags: 1 LOOPED_ON, 2 LOOPED_OFF, 4 GLOBAL, 8 ACTIVATOR.
--
-- A file without an ending is a .wav. With a wait it sounds by itself, again and again.
local speaker = { help = "Where a sound comes from." }
local LOOPED_ON, LOOPED_OFF, GLOBAL, ACTIVATOR = 1, 2, 4, 8

function speaker.spawn(self)
  local noise = self:key("noise")
  if not noise then
    lw.log.warn(("%s: it has no noise"):format(tostring(self)))
    return
  end
  self.noise = noise:find("%.%w+$") and noise or noise .. ".wav"
  self.looped = self:flags() & (LOOPED_ON | LOOPED_OFF) ~= 0
  self.wait, self.random = self:number("wait", 0), self:number("random", 0)
  self.everywhere = self:flags() & GLOBAL ~= 0
  if self:flags() & LOOPED_ON ~= 0 then speaker.loop(self, true) end
  if self.wait > 0 and not self.looped then self:after(self.wait) end
end

function speaker.loop(self, on)
  self.sounding = on
  if on then self:play(self.noise, { loop = true, everywhere = self.everywhere }) else self:quiet() end
end

function speaker.think(self)
  self.sounded = lw.time.now()
  self:play(self.noise, { everywhere = self.everywhere })
  if self.wait > 0 then self:after(math.max(self.wait + self.random * (math.random() * 2 - 1), 0.1)) end
end

function speaker.use(self, activator)
  if not self.noise then return end
  if self.looped then return speaker.loop(self, not self.sounding) end
  self.sounded = lw.time.now()
  local own = self:flags() & ACTIVATOR ~= 0 or self.noise:sub(1, 1) == "*"    -- heard from who fired it
  local from = own and activator and activator.valid and activator or self
  from:play((self.noise:gsub("^%*", "sound/player/")), { everywhere = self.everywhere })
end

return speaker
