-- exec, repl and test: Lua without a window.
package.path = (arg[1] or ".") .. "/tests/cli/?.lua;" .. package.path
local unit = require "luaunit"
local program = require "program"
local run, level = program.run, program.level

TestExec = {}

function TestExec:test_a_chunk_runs_and_prints()
  unit.assertEquals({ run { "exec", "-e", "print(1 + 1)" } }, { 0, "2\n", "" })
  unit.assertEquals({ run { "exec", "-e", "x = 1", "-e", "print(x)" } }, { 0, "1\n", "" })
end

function TestExec:test_a_script_gets_what_follows_untouched()
  local script = program.write("args.lua", "print(#arg, arg[0] ~= nil, table.concat(arg, '|'))")
  local status, out, err = run { "exec", script, "a b", "--map", "-e", "--help" }
  unit.assertEquals({ status, err }, { 0, "" })
  unit.assertEquals(out, "4\ttrue\ta b|--map|-e|--help\n")
end

function TestExec:test_main_is_called_with_the_arguments()
  local script = program.write("main.lua", "print('top') return { main = function(a) print('main', a[1], a == arg) end }")
  unit.assertEquals({ run { "exec", script, "x" } }, { 0, "top\nmain\tx\ttrue\n", "" })
end

function TestExec:test_an_error_has_status_1_and_a_traceback()
  local script = program.write("bad.lua", "local function inner() error('kaboom') end\nlocal function outer() inner() end\nouter()\n")
  local status, out, err = run { "exec", script }
  unit.assertEquals({ status, out }, { 1, "" })
  unit.assertStrMatches(err, "leafwalk: .*bad%.lua:1: kaboom\n.*stack traceback:.*bad%.lua:2.*")
  unit.assertEquals((run { "exec", "-e", "return 1 +" }), 1)
  unit.assertEquals((run { "exec", program.folder .. "/nothing.lua" }), 1)
  unit.assertEquals((run { "exec", "-e", "return { main = function() error('in main') end }" }), 1)
end

function TestExec:test_a_level_is_there_for_the_script()
  local status, out, err = run { "exec", "--map", level, "-e", "print(lw.map.name, lw.vis.clusters() > 0)" }
  unit.assertEquals({ status, out, err }, { 0, "rooms\ttrue\n", "" })
  unit.assertEquals((run { "exec", "--map", "nosuchlevel", "-e", "print(1)" }), 1)
end

function TestExec:test_the_budget_stops_a_loop()
  local status, _, err = run { "exec", "--budget", "0.2", "-e", "while true do end" }
  unit.assertEquals(status, 1)
  unit.assertStrContains(err, "budget")
end

function TestExec:test_only_trust_opens_the_whole_library()
  unit.assertEquals({ run { "exec", "-e", "print(io, os.execute)" } }, { 0, "nil\tnil\n", "" })
  unit.assertEquals({ run { "exec", "--trust", "-e", "print(type(io), type(os.execute))" } }, { 0, "table\tfunction\n", "" })
end

function TestExec:test_the_console_speaks_on_stdout()
  local status, out, err = run { "exec", "-e", "lw.console.run('echo hello; view')" }
  unit.assertEquals({ status, err }, { 0, "" })
  unit.assertStrMatches(out, "hello\nthe view is lit.*")
end

TestRepl = {}

function TestRepl:test_lines_run_and_expressions_are_printed()
  local status, out, err = run { "repl", input = "x = 20\nx + 1\nfor i = 1, 2 do\nprint(i)\nend\n" }
  unit.assertEquals({ status, err }, { 0, "" })
  unit.assertStrContains(out, "21\n1\n2\n")
end

function TestRepl:test_tables_are_shown_with_what_is_in_them()
  local status, out = run { "repl", "--map", level, input = [[
lw.vis.visible(0)
{ 3, "four", { five = { { {} } } }, x = true, a = lw.vec3(1, 2, 3), [2.5] = "odd" }, {}, "text"
(function() local t = {} for i = 1, 300 do t[i] = i end t.me = t return t end)()
lw.entities.all("func_door")
{ ("y"):rep(500) }
setmetatable({}, { __tostring = function() return "itself" end })
]] }
  unit.assertEquals(status, 0)
  local lines = {}
  for line in out:gmatch("[^\n]+") do lines[#lines + 1] = line end
  unit.assertStrMatches(lines[1], "{ 0, 1, .* }")
  unit.assertEquals(lines[2], '{ 3, "four", { five = { {...} } }, [2.5] = "odd", a = vec3(1 2 3), x = true }\t{}\ttext')
  unit.assertStrContains(lines[3], "99, 100, ... (300 in all), me = { 1, ")
  unit.assertEquals(lines[4], "{ entity 5 (func_door) }")
  unit.assertStrMatches(lines[5], '{ "y+ %.%.%." }')
  unit.assertEquals(lines[6], "itself")
end

function TestRepl:test_an_error_does_not_end_it_but_counts()
  local status, out, err = run { "repl", "--map", level, input = "error('oh')\nprint(lw.map.name)\n" }
  unit.assertEquals({ status, out }, { 1, "rooms\n" })
  unit.assertStrContains(err, "oh")
end

function TestRepl:test_the_end_within_a_statement_is_an_error()
  unit.assertEquals((run { "repl", input = "for i = 1, 2 do\n" }), 1)
  unit.assertEquals((run { "repl", input = "" }), 0)
end

TestTest = {}

function TestTest:test_tables_of_tests_are_run_and_counted()
  local good = program.write("test_good.lua",
    "local unit = require 'luaunit'\nTestA = {}\nfunction TestA:test_one() unit.assertEquals(1, 1) end\nfunction TestA:test_two() unit.assertEquals(lw ~= nil, true) end\n")
  local status, out = run { "test", good }
  unit.assertEquals(status, 0)
  unit.assertStrMatches(out, ".*2 passed, 0 failed\n")
  local bad = program.write("test_bad.lua",
    "local unit = require 'luaunit'\nleak = 1\nlocal T = {}\nfunction T.test_wrong() unit.assertEquals(1, 2) end\nfunction T.test_error() error('broken') end\nfunction T.test_fine() end\nreturn { TestB = T }\n")
  status, out = run { "test", good, bad }
  unit.assertEquals(status, 1)
  unit.assertStrContains(out, "test_wrong")
  unit.assertStrContains(out, "broken")
  unit.assertStrMatches(out, ".*3 passed, 2 failed\n")
end

function TestTest:test_a_file_that_tests_nothing_or_does_not_load_fails()
  unit.assertEquals((run { "test", program.write("test_none.lua", "return {}") }), 1)
  unit.assertEquals((run { "test", program.write("test_broken.lua", "function") }), 1)
  unit.assertEquals((run { "test", program.folder .. "/test_absent.lua" }), 1)
end

function TestTest:test_each_file_has_a_fresh_state()
  local first = program.write("test_1.lua", "TestA = {}\nfunction TestA.test() rawset(_G, 'leaked', 1); string.leaked = 1 end\n")
  local second = program.write("test_2.lua", "TestB = {}\nfunction TestB.test() assert(leaked == nil and string.leaked == nil) end\n")
  unit.assertEquals((run { "test", first, second }), 0)
end

program.finish(unit)
