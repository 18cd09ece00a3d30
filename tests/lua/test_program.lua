-- lw.time, lw.console, lw.input, lw.fs, lw.log: the program as scripts reach it, without a window.
local unit = require "luaunit"

TestTime = {}

function TestTime:test_steps_are_a_125th_of_a_second_and_do_not_drift()
  local start = lw.time.now()
  for _ = 1, 1000 do lw.time.step(1) end
  unit.assertEquals(lw.time.now(), start + 8)
  lw.time.step(125)
  unit.assertEquals(lw.time.now(), start + 9)
  lw.time.step()
  unit.assertAlmostEquals(lw.time.now(), start + 9.008, 1e-12)
  lw.time.step(124)
  unit.assertEquals(lw.time.now(), start + 10)
  unit.assertErrorMsgContains("lw.time.step", lw.time.step, -1)
  unit.assertErrorMsgContains("whole number", lw.time.step, 0.5)
end

function TestTime:test_scale_and_pause()
  unit.assertEquals(lw.time.scale, 1)
  lw.time.scale = 0.5
  unit.assertEquals(lw.time.scale, 0.5)
  lw.time.scale = 1
  unit.assertFalse(lw.time.paused)
  lw.time.paused = true
  unit.assertTrue(lw.time.paused)
  lw.time.paused = false
  unit.assertErrorMsgContains("lw.time.scale", function() lw.time.scale = -1 end)
  unit.assertErrorMsgContains("lw.time.scale", function() lw.time.scale = "fast" end)
  unit.assertErrorMsgContains("no field 'speed'", function() lw.time.speed = 1 end)
  unit.assertNil(lw.time.speed)
  unit.assertEquals(type(lw.time.frame()), "number")
  unit.assertEquals(type(lw.time.delta()), "number")
  unit.assertErrorMsgContains("lw.time.progress", lw.time.progress, 1, 0)
end

TestConsole = {}

function TestConsole:test_commands_get_their_words()
  local got
  lw.console.command("test_words", function(...) got = { ... } end, "keeps its words")
  unit.assertTrue(lw.console.run('test_words one "two words" 3'))
  unit.assertEquals(got, { "one", "two words", "3" })
  unit.assertTrue(lw.console.run("test_words"))
  unit.assertEquals(got, {})
  local ran, why = lw.console.run("test_wrds")
  unit.assertNil(ran)
  unit.assertStrContains(why, "test_wrds")
  unit.assertErrorMsgContains("a function expected", lw.console.command, "x", 5)
  unit.assertErrorMsgContains("is no word", lw.console.command, "two words", print)
  unit.assertErrorMsgContains("is no word", lw.console.command, "", print)
  unit.assertErrorMsgContains("zero byte", lw.console.command, "a\0b", print)
end

function TestConsole:test_variables_have_the_kind_of_their_default()
  unit.assertEquals(lw.console.variable("test_number", 2.5, "a number"), 2.5)
  unit.assertEquals(lw.console.variable("test_flag", true, "a flag"), true)
  unit.assertEquals(lw.console.variable("test_text", "abc", "a text"), "abc")
  unit.assertTrue(lw.console.run("test_number 7; test_flag 0; test_text 'x'"))
  unit.assertEquals(lw.console.variable("test_number"), 7)
  unit.assertEquals(lw.console.variable("test_flag"), false)
  unit.assertEquals(lw.console.variable("test_number", 2.5), 7)
  unit.assertTrue(lw.console.set("test_number", 8))
  unit.assertTrue(lw.console.set("test_flag", true))
  unit.assertEquals(lw.console.variable("test_flag"), true)
  local set, why = lw.console.set("test_number", "many")
  unit.assertNil(set)
  unit.assertStrContains(why, "test_number is a number")
  unit.assertErrorMsgContains("no variable", lw.console.variable, "test_nmber")
  unit.assertErrorMsgContains("test_number", lw.console.variable, "test_nmber")
  unit.assertErrorMsgContains("the program's own", lw.console.variable, "r.gamma", 1)
  unit.assertEquals(type(lw.console.variable("r.gamma")), "number")
end

function TestConsole:test_a_variable_that_was_set_before_it_was_defined()
  lw.console.command("define_late", function() lw.console.variable("late_one", 1) end)
  lw.console.run("define_late")
  unit.assertEquals(lw.console.variable("late_one"), 1)
end

TestInput = {}

function TestInput:test_without_a_window_nothing_is_down()
  unit.assertFalse(lw.input.down("w"))
  unit.assertEquals({ lw.input.mouse() }, { 0, 0 })
  lw.input.bind("f12", "echo hello")
  lw.input.bind("f12", nil)
  unit.assertErrorMsgContains("is no key", lw.input.bind, "", "x")
  unit.assertErrorMsgContains("is no key", lw.input.bind, ("x"):rep(99), "x")
  unit.assertErrorMsgContains("is a text", lw.input.down, 5)
end

TestFiles = {}

function TestFiles:test_reading_and_listing()
  local text, why = lw.fs.read("no/such/file.txt")
  unit.assertNil(text)
  unit.assertStrContains(why, "no/such/file.txt")
  unit.assertFalse(lw.fs.exists("no/such/file.txt"))
  unit.assertEquals(type(lw.fs.list("maps", ".bsp")), "table")
  for _, name in ipairs(lw.fs.list("", ".bsp")) do unit.assertTrue(lw.fs.exists(name), name) end
  unit.assertErrorMsgContains("zero byte", lw.fs.read, "a\0b")
  unit.assertErrorMsgContains("is a text", lw.fs.read, {})
end

function TestFiles:test_names_that_leave_the_folder_are_refused()
  for _, name in ipairs { "../escape.txt", "a/../../escape.txt", "c:\\escape.txt", "", "..\\escape.txt" } do
    local written, why = lw.fs.write(name, "x")
    unit.assertNil(written, name)
    unit.assertEquals(type(why), "string")
    unit.assertNil((lw.fs.read(name .. "/../../../../etc/passwd")))
  end
  unit.assertErrorMsgContains("a text expected", lw.fs.write, "x.txt", 5)
end

TestLog = {}

function TestLog:test_messages_take_anything()
  lw.log.info("a", 1, nil, {}, lw.vec3(1, 2, 3))
  lw.log.info()
  unit.assertErrorMsgContains("no", lw.log.info, setmetatable({}, { __tostring = function() error("no") end }))
end
