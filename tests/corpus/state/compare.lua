-- lua5.4 compare.lua STEPS DEBUG RELEASE: both builds walk the same recorded way and end in the same state, to the bit.
local steps = arg[1]
local folder = arg[0]:match("^(.*)/") or "."
local same = dofile(folder .. "/../same.lua")

same(arg[2], arg[3], { "oa_dm2", "ps9ctf", "oa_dm3" }, function(level)
  return ("--game openarena exec '%s/walk.lua' %s %s"):format(folder, level, steps)
end, function(level, text)
  return ("%s: %s"):format(level, text:gsub("\n", "")), text:find("^%x+%s+vec3") ~= nil
end)
