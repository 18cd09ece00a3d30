-- Runs every command of README.md. Run as `lua5.4 tests/checks/readme.lua SOURCE_FOLDER PROGRAM`.
--
-- The rule: a block fenced with ```sh holds commands, one a line (a backslash at the end goes on), started from the
-- source folder; each must succeed. A block fenced with ```sh window holds commands that open a window: they are started
-- without a display, where they must say just that (a wrong word or option would be status 2). Blocks of other kinds are
-- not commands. `./run ARGS` stands for the program with ARGS; `./run` alone and `./test` are what runs this very test.
-- A command that names a level of a game is left out where that game's data is not installed, save in ./test --all.
local root, program = arg[1] or ".", arg[2] or "build/debug/leafwalk"

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function commands_of(text)
  local found, block, line_number, held = {}, nil, 0, nil
  for line in (text .. "\n"):gmatch("(.-)\n") do
    line_number = line_number + 1
    local fence = line:match("^```(.*)$")
    if fence then
      block = not block and fence or nil
    elseif block and block:match("^sh%f[%W]") then
      local command = (held and held .. " " or "") .. line:gsub("%s+#%s.*$", "")
      if command:find("\\$") then
        held = command:sub(1, -2)
      else
        held = nil
        if command:find("%S") and not command:find("^#") then
          found[#found + 1] = { text = command, line = line_number, window = block:find("window") ~= nil }
        end
      end
    end
  end
  assert(not block, "README.md ends within a block")
  return found
end

-- The commands run in a folder that looks like the source folder, so that what they write stays in the build folder.
local function make_stage()
  local stage = io.popen("mktemp -d"):read("l")
  assert(os.execute(([[cd %s && for f in * ; do case $f in build|run|test) ;; *) ln -s "$PWD/$f" %s/ ;; esac; done]])
    :format(quoted(root), quoted(stage))))
  local run = assert(io.open(stage .. "/run", "w"))
  run:write("#!/bin/sh\n[ \"$1\" != --no-game-data ] || shift\nexec ", quoted(program), ' "$@"\n')
  run:close()
  assert(os.execute(("chmod +x %s/run && mkdir -p %s/build/release && ln -s %s %s/build/release/leafwalk")
    :format(stage, stage, quoted(program), stage)))
  return stage
end

local function has_game(command)
  for game, folder in pairs({ openarena = "/usr/share/games/openarena", nexuiz = "/usr/share/games/nexuiz" }) do
    if command:find(game, 1, true) and not os.execute("ls " .. folder .. "/*/*.pk3 >/dev/null 2>&1") then return false end
  end
  return true
end

local sample = commands_of("```sh\na \\\nb\n# c\nd   # why\n```\n```sh window\ne\n```\n```lua\nf\n```\n")
assert(#sample == 3 and sample[1].text:gsub("%s+", " ") == "a b" and sample[2].text == "d" and sample[3].window)

local handle = assert(io.open(root .. "/README.md"))
local commands = commands_of(handle:read("a"))
handle:close()
assert(#commands > 0, "README.md shows no command")

local stage = make_stage()
local failed, ran = 0, 0
for _, command in ipairs(commands) do
  local itself = command.text:find("^%./test") or command.text:find("^%./run%s*$")
      or command.text:find("^%./run%s+%-%-no%-game%-data%s*$") or command.text:find("^git clone")
  if itself then
    print("not run here: " .. command.text)
  elseif not has_game(command.text) and os.getenv("LEAFWALK_ALL") ~= "1" then
    print("no game data: " .. command.text)
  else
    ran = ran + 1
    local line = ("cd %s && unset DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER && PATH=%s/build/release:$PATH && { %s ; } </dev/null >out 2>&1")
      :format(quoted(stage), quoted(stage), command.text)
    local ok, _, status = os.execute("timeout 120 sh -c " .. quoted(line))
    local out = io.open(stage .. "/out")
    local text = out and out:read("a") or ""
    if out then out:close() end
    local good = ok
    if command.window then good = not ok and status == 1 and text:lower():find("display", 1, true) end
    if not good then
      failed = failed + 1
      print(("README.md:%d: status %s: %s\n%s"):format(command.line, status, command.text, text))
    end
  end
end
os.execute("rm -rf " .. quoted(stage))
print(("%d commands, %d run, %d failed"):format(#commands, ran, failed))
os.exit(failed == 0 and 0 or 1)
