-- The window, where a virtual X server (Xvfb) is there: it opens, runs scripts, takes what changes on the disk, ends.
package.path = (arg[1] or ".") .. "/tests/cli/?.lua;" .. package.path
local unit = require "luaunit"
local program = require "program"
local run, level = program.run, program.level

local function has_xvfb() return os.execute("command -v Xvfb >/dev/null && command -v xvfb-run >/dev/null") end

local function window(words)
  if not has_xvfb() then unit.skip("no Xvfb") end
  words.environment = "xvfb-run -a -s '-screen 0 800x600x24'"
  return run(words)
end

TestWindow = {}

function TestWindow:test_it_opens_runs_scripts_and_ends()
  local script = program.write("window.lua", [[
    local tool, frames, maps = {}, 0, {}
    function tool.map(name) maps[#maps + 1] = name end
    function tool.update(dt)
      frames = frames + 1
      if frames == 5 then lw.console.run("screenshot window.png; map rooms") end
      if frames == 8 then
        lw.fs.write("window.txt", ("%d %s %s"):format(#maps, table.concat(maps, ","), lw.camera.fov))
        lw.console.run("quit")
      end
    end
    return tool]])
  local status, out = window { level, script, "--size", "320x200", "--fov", "75" }
  unit.assertEquals({ status, out }, { 0, "" })
  unit.assertEquals(program.read(program.folder .. "/data/leafwalk/window.txt"), "2 rooms,rooms 75.0")
  local picture = program.read(program.folder .. "/data/leafwalk/window.png")
  unit.assertEquals({ (">I4I4"):unpack(picture, 17) }, { 320, 200, 25 })
end

-- A trusted script saves another one and waits for it: the new code runs within 150 ms, or at the next frame.
function TestWindow:test_a_saved_script_runs_at_once_and_a_broken_one_does_not()
  local other = program.write("other.lua", "return {}")
  local script = program.write("saver.lua", ([[
    local tool, frames, saved, slowest = {}, 0, nil, 0
    local function save(text) local file = io.open(%q, "w") file:write(text) file:close() end
    lw.console.command("loaded", function(word)
      lw.fs.write("reload.txt", ("%%s %%.3f %%.3f"):format(word, lw.time.now() - saved, slowest))
      if word == "broken" then lw.fs.write("reload.txt", "the broken one ran") end
    end, "the other script says so")
    function tool.update(dt)
      frames, slowest = frames + 1, math.max(slowest, frames > 10 and dt or 0)
      if frames == 15 then save("lw.console.run('loaded broken') return {") end
      if frames == 40 then saved = lw.time.now() save("lw.console.run('loaded good') return {}") end
      if frames == 80 or lw.fs.exists("reload.txt") and frames > 45 then lw.console.run("quit") end
    end
    return tool]]):format(other))
  local status, _, err = window { level, "--trust", script, other, "--size", "160x120" }
  unit.assertEquals(status, 0)
  unit.assertStrContains(err, "other.lua")    -- the broken version, named
  local text = program.read(program.folder .. "/data/leafwalk/reload.txt")
  local word, seconds, slowest = text:match("(%S+) (%S+) (%S+)")
  unit.assertEquals(word, "good", text)
  unit.assertTrue(tonumber(seconds) <= 0.15 + 2 * tonumber(slowest), text)
end

program.finish(unit)
