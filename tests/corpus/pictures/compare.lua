-- lua5.4 compare.lua DEBUG RELEASE: both builds draw the same pictures by software, to the bit.
local folder = arg[0]:match("^(.*)/") or "."
local same = dofile(folder .. "/../same.lua")
local levels = { { "openarena", "oa_dm1" }, { "openarena", "oa_rpg3dm2" }, { "openarena", "ctf_inyard" }, { "nexuiz", "basement" } }

same(arg[1], arg[2], levels, function(level)
  return ("--game %s exec '%s/draw.lua' %s"):format(level[1], folder, level[2])
end, function(level, text)
  local _, pictures = text:gsub("\n", "")
  return ("%s: %d pictures"):format(level[2], pictures), pictures >= 10
end)
