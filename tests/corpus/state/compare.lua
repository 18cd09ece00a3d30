-- lua5.4 compare.lua STEPS DEBUG RELEASE: both builds walk the same recorded way and end in the same state, to the bit.
local steps, debug_build, release_build = arg[1], arg[2], arg[3]
local folder = arg[0]:match("^(.*)/") or "."
local levels = { "oa_dm2", "ps9ctf", "oa_dm3" }

local function state(program, level)
  local pipe = assert(io.popen(("'%s' --game openarena --budget none exec '%s/walk.lua' %s %s 2>/dev/null"):format(program, folder, level, steps)))
  local text = pipe:read("a")
  assert(pipe:close(), program .. " failed")
  return text
end

local wrong = 0
for _, level in ipairs(levels) do
  local one, other = state(debug_build, level), state(release_build, level)
  print(("%s: %s"):format(level, one:gsub("\n", "")))
  if one ~= other or not one:find("^%x+%s+vec3") then
    wrong = wrong + 1
    print("  but " .. other)
  end
end
os.exit(wrong == 0)
