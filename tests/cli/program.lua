-- Runs the program as a user does: words in, status, stdout and stderr out. For the tests beside it, which plain lua5.4
-- runs as `lua5.4 tests/cli/test_x.lua SOURCE_FOLDER PROGRAM`.
local program = { root = arg[1] or ".", path = arg[2] or "build/debug/leafwalk" }

local function quoted(text) return "'" .. tostring(text):gsub("'", "'\\''") .. "'" end
program.quoted = quoted

local pipe = assert(io.popen("mktemp -d"))
program.folder = pipe:read("l")    -- for what a test writes
pipe:close()

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read("a") or ""
  if file then file:close() end
  return text
end
program.read = read

function program.write(name, text)
  local path = program.folder .. "/" .. name
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

-- program.run{ "info", "x", input = "text for stdin", display = ":0" } -> status, stdout, stderr
function program.run(words)
  local line = {}
  for i, word in ipairs(words) do line[i] = quoted(word) end
  local input = words.input and quoted(program.write("input", words.input)) or "/dev/null"
  local command = ("unset DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER; XDG_DATA_HOME=%s; export XDG_DATA_HOME; %s timeout 120 %s %s <%s >%s 2>%s")
    :format(quoted(program.folder .. "/data"), words.environment or "", quoted(program.path), table.concat(line, " "), input,
      quoted(program.folder .. "/out"), quoted(program.folder .. "/err"))
  local _, how, status = os.execute("sh -c " .. quoted(command))
  assert(how == "exit" and status < 124, ("%s: %s %s\n%s"):format(table.concat(words, " "), how, status, read(program.folder .. "/err")))
  return status, read(program.folder .. "/out"), read(program.folder .. "/err")
end

program.level = program.root .. "/maps/rooms.bsp"

-- A failure is one line on stderr that begins so; returns it.
function program.fails(words, wanted)
  local status, out, err = program.run(words)
  local what = table.concat(words, " ")
  assert(status == wanted, ("%s: status %d, not %d\n%s%s"):format(what, status, wanted, out, err))
  assert(err:find("^leafwalk: [^\n]+\n$"), what .. ": not one line on stderr: " .. err)
  assert(out == "", what .. ": says on stdout: " .. out)
  return err
end

-- Whether a game's data is installed; ./test --all has installed it, so that a test leaves nothing out there.
function program.has_game()
  local there = os.execute("ls /usr/share/games/openarena/baseoa/pak1-maps.pk3 >/dev/null 2>&1")
  assert(there or os.getenv("LEAFWALK_ALL") ~= "1", "openarena-081-maps is not installed")
  return there
end

-- Runs the tests and ends, with what was written gone.
function program.finish(unit)
  local failures = unit.LuaUnit.run("-o", "text")
  os.execute("rm -rf " .. quoted(program.folder))
  os.exit(failures == 0 and 0 or 1)
end

return program
