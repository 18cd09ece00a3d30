-- The console's commands about scripts, on the host that runs this test.
local unit = require "luaunit"

local path

TestScripts = {}

function TestScripts:setUp() path = os.tmpname() end
function TestScripts:tearDown()
  lw.console.run("unscript '" .. path .. "'")
  os.remove(path)
end

local function write(text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

function TestScripts:test_a_script_that_a_script_adds_waits_until_nothing_runs()
  lw.console.variable("added", 0)
  write("lw.console.set('added', lw.console.variable('added') + 1); return {}")
  unit.assertTrue(lw.console.run('script "' .. path .. '"'))
  unit.assertTrue(lw.console.run("scripts; errors; errors clear; rescript"))
  unit.assertEquals(lw.console.variable("added"), 0)
end

function TestScripts:test_words_that_are_missing_or_wrong_stop_nothing()
  unit.assertTrue(lw.console.run("script; script nowhere.lua; unscript; unscript nowhere.lua; rescript nowhere.lua"))
end
