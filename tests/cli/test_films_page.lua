-- docs/films.md: the script in it flies, the commands marked to be run do run, and parts joined as it says are the whole.
package.path = (arg[1] or ".") .. "/tests/cli/?.lua;" .. package.path
local unit = require "luaunit"
local program = require "program"

local page = program.read(program.root .. "/docs/films.md")

-- The indented lines after a mark.
local function blocks(mark)
  local found = {}
  for text in page:gmatch("<!%-%- " .. mark .. " %-%->\n(.-)\n\n[^ ]") do found[#found + 1] = (text:gsub("^    ", ""):gsub("\n    ", "\n")) end
  return found
end

TestFilmsPage = {}

local function shell(text)
  local folder = program.folder .. "/place"
  os.execute("mkdir -p " .. program.quoted(folder .. "/bin") .. "")
  os.execute(("ln -sfn \"$(realpath %s)\" %s"):format(program.quoted(program.root .. "/scripts"), program.quoted(folder .. "/scripts")))
  os.execute(("ln -sfn \"$(realpath %s)\" %s"):format(program.quoted(program.path), program.quoted(folder .. "/bin/leafwalk")))
  local good = os.execute(("cd %s && unset DISPLAY WAYLAND_DISPLAY; export XDG_DATA_HOME=$PWD/data PATH=$PWD/bin:$PATH; sh -e -c %s >out 2>err")
    :format(program.quoted(folder), program.quoted(text)))
  return good, program.read(folder .. "/out") .. program.read(folder .. "/err")
end

function TestFilmsPage:test_its_commands_run_and_parts_join()
  local script = page:match("<!%-%- file: flight%.lua %-%->\n(.-return flight)\n")
  unit.assertTrue(script and #script > 100)
  os.execute("mkdir -p " .. program.quoted(program.folder .. "/place"))
  program.write("place/flight.lua", (script:gsub("^    ", ""):gsub("\n    ", "\n")))
  local commands = blocks("run")
  unit.assertEquals(#commands, 3)
  local has_parallel = os.execute("command -v parallel >/dev/null 2>&1")
  for _, command in ipairs(commands) do
    if has_parallel or not command:find("| parallel") then
      local good, said = shell(command)
      unit.assertTrue(good, command .. "\n" .. said)
    end
  end
  local good, said = shell("leafwalk record rooms flight.lua -o whole.y4m --size 64x36 --rasterizer soft --frames 0-39")
  unit.assertTrue(good, said)
  local whole = program.read(program.folder .. "/place/whole.y4m")
  unit.assertTrue(#whole > 40 * 64 * 36 * 3)
  unit.assertTrue(whole == program.read(program.folder .. "/place/joined.y4m"))
  if has_parallel then unit.assertTrue(whole == program.read(program.folder .. "/place/film.y4m")) end
end

program.finish(unit)
