-- lua5.4 compare.lua DEBUG RELEASE: both builds draw the same pictures by software, to the bit.
local folder = arg[0]:match("^(.*)/") or "."
local levels = { { "openarena", "oa_dm1" }, { "openarena", "oa_rpg3dm2" }, { "openarena", "ctf_inyard" }, { "nexuiz", "basement" } }

local function hashes(program, game, level)
  local pipe = assert(io.popen(("'%s' --game %s --budget none exec '%s/draw.lua' %s 2>/dev/null"):format(program, game, folder, level)))
  local text = pipe:read("a")
  assert(pipe:close(), program .. " failed")
  return text
end

local wrong = 0
for _, level in ipairs(levels) do
  local one, other = hashes(arg[1], level[1], level[2]), hashes(arg[2], level[1], level[2])
  local _, pictures = one:gsub("\n", "")
  print(("%s: %d pictures"):format(level[2], pictures))
  if one ~= other or pictures < 10 then
    wrong = wrong + 1
    print(one .. "but\n" .. other)
  end
end
os.exit(wrong == 0)
