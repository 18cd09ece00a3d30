-- What both builds of the program print for a level is the same: used by pictures/compare.lua and state/compare.lua.
-- same(one, other, levels, command, shown): `command` and `shown` are called with a level; `shown` also gets what was
-- printed, and returns what to say of it and whether it is of use at all.
local function printed(program, arguments)
  local pipe = assert(io.popen(("'%s' --budget none %s 2>/dev/null"):format(program, arguments)))
  local text = pipe:read("a")
  assert(pipe:close(), program .. " failed")
  return text
end

return function(one, other, levels, command, shown)
  local wrong = 0
  for _, level in ipairs(levels) do
    local left, right = printed(one, command(level)), printed(other, command(level))
    local text, useful = shown(level, left)
    print(text)
    if left ~= right or not useful then
      wrong = wrong + 1
      print(left .. "but\n" .. right)
    end
  end
  os.exit(wrong == 0)
end
