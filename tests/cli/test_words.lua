-- Commands, options and wrong words: what cli.md says of all commands alike.
package.path = (arg[1] or ".") .. "/tests/cli/?.lua;" .. package.path
local unit = require "luaunit"
local program = require "program"
local run, fails, level = program.run, program.fails, program.level

local commands = { "exec", "repl", "render", "info", "check", "bench", "test" }

TestWords = {}

function TestWords:test_each_command_explains_itself_with_an_example()
  for _, command in ipairs(commands) do
    for _, words in ipairs { { command, "--help" }, { "--help", command } } do
      local status, out, err = run(words)
      unit.assertEquals({ status, err }, { 0, "" })
      unit.assertStrContains(out, "leafwalk " .. command)
      unit.assertStrMatches(out, ".*Example:\n  .*leafwalk .*" .. command .. ".*")
    end
  end
end

function TestWords:test_help_lists_the_commands()
  local status, out = run { "--help" }
  unit.assertEquals(status, 0)
  for _, command in ipairs(commands) do unit.assertStrContains(out, "leafwalk " .. command) end
end

function TestWords:test_help_after_a_level_is_help()
  unit.assertEquals((run { level, "--help" }), 0)
  fails({ "nosuchlevel", "--help" }, 2)
end

function TestWords:test_a_command_that_is_not_built_is_a_wrong_word()
  for _, word in ipairs { "record", "compile" } do fails({ word, level }, 2) end
end

function TestWords:test_version() unit.assertStrMatches(select(2, run { "--version" }), "leafwalk [0-9.]+\n") end

function TestWords:test_a_wrong_word_is_refused_with_suggestions()
  unit.assertStrContains(fails({ "rendr", "x" }, 2), "render")
  unit.assertStrContains(fails({ "room" }, 2), "rooms")
  fails({ "zzzzzzzzzz" }, 2)
  fails({ "" }, 2)
end

function TestWords:test_a_wrong_option_is_refused_with_suggestions()
  unit.assertStrContains(fails({ "info", level, "--jsn" }, 2), "--json")
  fails({ "info", level, "--origin", "1,2,3" }, 2)
  fails({ "info" }, 2)
  fails({ "info", level, "more" }, 2)
  fails({ "render", level }, 2)
  fails({ "render", level, "-o" }, 2)
  fails({ "render", level, "-o", "x.png", "--origin", "1,2" }, 2)
  fails({ "render", level, "-o", "x.jpg" }, 2)
  unit.assertStrContains(fails({ "render", level, "-o", "x.png", "--view", "depht" }, 2), "depth")
  unit.assertStrContains(fails({ "render", level, "-o", "x.png", "--rasterizer", "vulkan" }, 2), "gl")
end

function TestWords:test_variables_are_set_and_checked()
  unit.assertStrContains(fails({ "info", level, "--set", "r.gamma=9" }, 2), "0.5 to 3")
  fails({ "info", level, "--set", "r.gamma" }, 2)
  local status, _, err = run { "info", level, "--set", "r.gamma=1.2", "--set", "some.scripts=word" }
  unit.assertEquals({ status, err }, { 0, "" })
  unit.assertStrContains(select(3, run { "info", level, "--set", "r.gama=1.2" }), "did you mean r.gamma?")
end

function TestWords:test_a_path_that_is_not_there_is_a_failure() fails({ "--path", "/no/such/folder", "info", level }, 1) end

function TestWords:test_a_game_that_is_not_there_is_a_failure() fails({ "--game", "nosuchgame", "info", level }, 1) end

function TestWords:test_the_window_without_a_display_says_what_to_use()
  unit.assertStrContains(fails({ level }, 1), "render")
  unit.assertStrContains(fails({}, 1), "display")
end

program.finish(unit)
