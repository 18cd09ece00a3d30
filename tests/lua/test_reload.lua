-- Scripts that are loaded, called, changed on the disk and reloaded; what a broken save leaves alone.
local unit = require "luaunit"

local folder

local function write(name, text)
  local path = folder .. "/" .. name
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

local host

local function variable(name) return lw.console.variable(name) end

TestReload = {}

function TestReload:setUp()
  folder = os.tmpname()
  os.remove(folder)
  assert(os.execute("mkdir -p '" .. folder .. "/sub'"))
  host = lw.test.host { budget = 0.6 }
  lw.console.variable("seen", "")
  lw.console.set("seen", "")
end

function TestReload:tearDown()
  host:close()
  os.execute("rm -r '" .. folder .. "'")
end

-- A script that writes what happens into the console variable "seen", which this file defines.
local head = [[
local tool = {}
local function seen(what)
  lw.console.set("seen", lw.console.variable("seen") .. what .. ";")
end
]]

local function saw() return lw.console.variable("seen") end

function TestReload:test_callbacks_in_order()
  local path = write("a.lua", head .. [[
function tool.load(state) state.n = (state.n or 0) + 1; seen("load" .. state.n) end
function tool.update(dt) seen("update") end
function tool.draw(view) seen(("draw %s %s %.3f"):format(math.type(view.cluster), type(view.origin), #view.forward)) end
function tool.overlay(w, h) seen("overlay" .. w .. "x" .. h) end
function tool.unload() seen("unload") end
return tool]])
  unit.assertEquals({ host:add(path) }, { true })
  host:frame(64, 32)
  unit.assertEquals(saw(), "load1;update;draw integer userdata 1.000;overlay64x32;")
  host:reload(path)
  unit.assertEquals(saw(), "load1;update;draw integer userdata 1.000;overlay64x32;unload;load2;")
  host:drop(path)
  unit.assertStrContains(saw(), "load2;unload;")
end

function TestReload:test_a_map_that_is_open_is_told_after_load_and_again_when_another_is_opened()
  unit.assertTrue(lw.map.open("maps/rooms.bsp"))
  local path = write("a.lua", head .. [[
function tool.load() seen("load") end
function tool.map(name) seen("map " .. name .. (lw.map.name == name and "" or "?")) end
function tool.draw(view) seen(tostring(view.cluster == lw.vis.cluster_at(view.origin) and view.leaf >= 0 and view.fov > 0)) end
return tool]])
  unit.assertTrue(host:add(path))
  host:frame()
  host:map()
  unit.assertEquals(saw(), "load;map rooms;true;map rooms;")
end

function TestReload:test_a_broken_save_leaves_the_last_good_version_running()
  local good = head .. [[
lw.console.command("hello", function() seen("hello1") end, "greets")
function tool.update() seen("one") end
return tool]]
  local path = write("a.lua", good)
  unit.assertEquals({ host:add(path) }, { true })
  for i, broken in ipairs {
    "local x = = 3", "error('kaboom')", "return 5", "return", "while true do end", "return { update = 3 }",
    "return { keys = { v = 'nothing' } }", "return { load = function() error('in load') end }",
    "lw.console.command('hello', function() end); lw.console.command('other', function() end); error('late')",
    "local t = {} t[0/0] = 1", "local function f() return 1 + f() end f()", "require 'nowhere'", "lw.vec3('x')",
    string.dump(load("return {}")),
  } do
    write("a.lua", broken)
    host:changed(path)
    unit.assertNotNil(host:error(), broken)
    unit.assertStrContains(host:error(), "its last good version runs on", broken)
    lw.console.set("seen", "")
    host:frame()
    unit.assertTrue(lw.console.run("hello"))
    unit.assertEquals(saw(), "one;hello1;", i .. ": " .. broken)
    unit.assertNil(lw.console.run("other"))
  end
  write("a.lua", (good:gsub("one", "two")))
  host:changed(path)
  unit.assertNil(host:error())
  lw.console.set("seen", "")
  host:frame()
  unit.assertEquals(saw(), "two;")
end

function TestReload:test_the_panel_names_file_line_and_lines_around()
  local path = write("a.lua", "local tool = {}\nfunction tool.update()\n  local x = nil + 1\nend\nreturn tool\n")
  unit.assertEquals({ host:add(path) }, { true })
  for _ = 1, 3 do host:frame() end
  local text = host:error()
  unit.assertStrContains(text, "a.lua:3: attempt to perform arithmetic on a nil value")
  unit.assertStrContains(text, ">   3    local x = nil + 1")
  unit.assertStrContains(text, "    2  function tool.update()")
  unit.assertStrContains(text, "(3 times)")
  unit.assertStrContains(text, "stack traceback:")
  unit.assertNil(text:find("[C]: in ?", 1, true))
end

function TestReload:test_a_callback_that_fails_five_times_in_a_row_is_stopped_and_the_rest_lives()
  local path = write("a.lua", head .. [[
local n = 0
function tool.update() n = n + 1; seen("u" .. n); error("no") end
function tool.draw() seen("d") end
return tool]])
  host:add(path)
  local other = write("b.lua", "local n = 0; lw.console.variable('b.frames', 0); return { update = function() n = n + 1; lw.console.set('b.frames', n) end }")
  host:add(other)
  for _ = 1, 8 do host:frame() end
  unit.assertEquals(saw(), "u1;d;u2;d;u3;d;u4;d;u5;d;d;d;d;")
  unit.assertEquals(variable("b.frames"), 8)
  host:reload(path)
  host:frame()
  unit.assertStrContains(saw(), "d;u1;d;")
end

function TestReload:test_a_callback_over_its_budget_is_stopped_and_the_host_lives()
  local path = write("a.lua", head .. "function tool.update() while true do end end\nfunction tool.draw() seen('d') end\nreturn tool")
  host:add(path)
  host:frame()
  unit.assertStrContains(host:error(), "update of ")
  unit.assertStrContains(host:error(), "budget")
  unit.assertEquals(saw(), "d;")
end

function TestReload:test_modules_reload_their_users_once()
  write("sub/colors.lua", "return { value = 'first' }")
  write("shapes.lua", "local c = require 'sub.colors'; return { value = c.value }")
  local text = head .. [[
local shapes, again = require "shapes", require "shapes"
assert(shapes == again)
function tool.load() seen("load " .. shapes.value) end
return tool]]
  local path = write("a.lua", text)
  unit.assertEquals({ host:add(path) }, { true })
  unit.assertEquals(saw(), "load first;")
  local colors = write("sub/colors.lua", "return { value = 'second' }")
  local shapes = write("shapes.lua", "local c = require 'sub.colors'; return { value = c.value .. '!' }")
  host:changed(colors)
  host:changed(shapes)
  host:changed(path)
  unit.assertEquals(saw(), "load first;load second!;")
  write("shapes.lua", "error('shapes is broken')")
  host:changed(shapes)
  unit.assertStrContains(host:error(), "shapes.lua:1: shapes is broken")
  write("shapes.lua", "return { value = 'mended' }")
  host:changed(shapes)
  unit.assertNil(host:error())
  unit.assertStrContains(saw(), "load mended;")
end

function TestReload:test_a_module_that_comes_later()
  local path = write("a.lua", head .. "local later = require 'later'\nfunction tool.load() seen(later) end\nreturn tool")
  local added, message = host:add(path)
  unit.assertFalse(added)
  unit.assertStrContains(message, "module 'later' not found")
  local later = write("later.lua", "return 'here'")
  host:changed(later)
  unit.assertNil(host:error())
  unit.assertEquals(saw(), "here;")
end

function TestReload:test_modules_that_require_one_another()
  write("x.lua", "return require 'y'")
  write("y.lua", "return require 'x'")
  local added, message = host:add(write("a.lua", "require 'x' return {}"))
  unit.assertFalse(added)
  unit.assertStrContains(message, "requires itself")
  for _, name in ipairs { "../a", "/etc/passwd", "a..b", "", "C:x", "a\0b" } do
    unit.assertFalse((host:run(("require(%q)"):format(name))), name)
  end
end

function TestReload:test_the_same_bytes_reload_nothing()
  local text = head .. "function tool.load() seen('load') end\nreturn tool"
  local path = write("a.lua", text)
  host:add(path)
  write("a.lua", text)
  host:changed(path)
  unit.assertEquals(saw(), "load;")
end

function TestReload:test_registering_again_replaces_and_what_is_gone_goes()
  local path = write("a.lua", head .. [[
lw.console.command("one", function(a, b) seen("one" .. tostring(a) .. tostring(b)) end)
lw.console.command("one", function(a, b) seen("ONE" .. tostring(a) .. tostring(b)) end)
lw.console.variable("speed", 3, "how fast")
lw.input.bind("f9", "one x")
return tool]])
  host:add(path)
  lw.console.run("one 'a b' 2; one")
  unit.assertEquals(variable("speed"), 3)
  lw.console.set("speed", 7)
  write("a.lua", head .. "lw.console.variable('speed', 3, 'how fast')\nreturn tool")
  host:changed(path)
  unit.assertNil(lw.console.run("one"))
  unit.assertEquals(variable("speed"), 7)
  write("a.lua", head .. "lw.console.variable('other', 3)\nerror('late')")
  host:changed(path)
  unit.assertError(variable, "other")
  unit.assertEquals(variable("speed"), 7)
  host:drop(path)
  unit.assertError(variable, "speed")
end

function TestReload:test_a_script_that_never_loaded_is_tried_again()
  local path = write("a.lua", "return {")
  unit.assertFalse((host:add(path)))
  unit.assertStrContains(host:error(), "does not load")
  host:frame()
  write("a.lua", "return {}")
  host:changed(path)
  unit.assertNil(host:error())
end

function TestReload:test_an_unload_that_raises_stops_nothing()
  local path = write("a.lua", "return { unload = function() error('in unload') end }")
  host:add(path)
  write("a.lua", head .. "function tool.load() seen('new') end\nreturn tool")
  host:changed(path)
  unit.assertNil(host:error())
  unit.assertEquals(saw(), "new;")
end

function TestReload:test_a_load_that_raises_brings_the_old_one_back()
  local path = write("a.lua", head .. [[
function tool.load(state) state.n = (state.n or 0) + 1; seen("load" .. state.n) end
function tool.unload() seen("unload") end
return tool]])
  host:add(path)
  write("a.lua", "return { load = function(state) error('n is ' .. state.n) end }")
  host:changed(path)
  unit.assertStrContains(host:error(), "n is 1")
  unit.assertEquals(saw(), "load1;unload;load2;")
end

function TestReload:test_coroutines_of_the_old_version_are_closed()
  local path = write("a.lua", head .. [[
function tool.load(state)
  if state.co then return seen("old is " .. coroutine.status(state.co)) end
  state.co = coroutine.create(function()
    local guard <close> = setmetatable({}, { __close = function() seen("closed") end })
    coroutine.yield()
  end)
  coroutine.resume(state.co)
end
function tool.update() end
return tool]])
  host:add(path)
  host:frame()
  local again = write("a.lua", (head .. [[
function tool.load(state) tool.state = state end
function tool.update() seen(coroutine.status(tool.state.co)) end
return tool]]))
  host:changed(again)
  host:frame()
  unit.assertStrContains(saw(), "dead")
end

function TestReload:test_keys()
  local path = write("a.lua", head .. [[
tool.keys = { v = "toggle", b = "jump", n = function(self) seen("n" .. tostring(self == tool)) end }
function tool.jump(self) seen("jump" .. tostring(self == tool)) end
function tool.draw() seen("d") end
function tool.key(name, down) if name == "k" then seen("k" .. tostring(down)) return true end end
return tool]])
  host:add(path)
  host:frame()
  unit.assertTrue(host:key("v"))
  host:frame()
  unit.assertTrue(host:key("v"))
  host:frame()
  unit.assertTrue(host:key("b"))
  unit.assertTrue(host:key("n"))
  unit.assertTrue(host:key("k", false))
  unit.assertFalse(host:key("x"))
  unit.assertFalse(host:key("b", false))
  unit.assertEquals(saw(), "d;d;jumptrue;ntrue;kfalse;")
end

function TestReload:test_reload_asked_for_by_the_script_itself_waits_for_the_next_frame()
  local path = write("a.lua", head .. [[
function tool.load(state) state.n = (state.n or 0) + 1 seen("load" .. state.n) end
function tool.update() if not tool.asked then tool.asked = true; lw.console.run("again") end seen("u") end
return tool]])
  host:add(path)
  -- the outer host's command reloads the inner host while its update runs
  lw.console.command("again", function() host:reload(path) end)
  host:frame()
  unit.assertEquals(saw(), "load1;u;")
  host:frame()
  unit.assertStrContains(saw(), "load1;u;load2;")
end

function TestReload:test_errors_in_commands_are_shown_and_stop_nothing()
  local path = write("a.lua", head .. "lw.console.command('fails', function() error('oh no') end)\nreturn tool")
  host:add(path)
  lw.console.run("fails; fails")
  unit.assertStrContains(host:error(), "oh no")
  unit.assertStrContains(host:error(), "(2 times)")
end

function TestReload:test_references_kept_in_state_over_a_reload()
  local path = write("a.lua", head .. [[
function tool.load(state)
  state.require = state.require or require
  state.run = state.run or lw.console.command
  state.require("lw")
  pcall(state.require, "nothing.there")
  state.run("kept", function() seen("kept") end)
end
return tool]])
  host:add(path)
  for _ = 1, 3 do host:reload(path) end
  unit.assertNil(host:error())
  lw.console.run("kept")
  unit.assertEquals(saw(), "kept;")
end

function TestReload:test_many_reloads_keep_memory_flat()
  local path = write("a.lua", head .. [[
lw.console.command("x", function() end)
local big = ("x"):rep(10000)
function tool.load(state) state.n = (state.n or 0) + 1 end
function tool.update() coroutine.wrap(function() coroutine.yield(big) end)() end
return tool]])
  host:add(path)
  local function settle()
    for _ = 1, 200 do host:reload(path) host:frame() end
    return host:memory()
  end
  settle()
  local before = settle()
  local after = settle()
  unit.assertTrue(after < before * 1.5 + 200000, before .. " -> " .. after)
end

-- Memory may end at any point: the host either does not open, in words, or lives on.
function TestReload:test_memory_that_ends_anywhere()
  write("shapes.lua", "return { big = ('x'):rep(3000) }")
  local path = write("a.lua", head .. [[
local shapes = require "shapes"
lw.console.command("x", function() end, "help")
lw.console.variable("speed", 3, "help")
function tool.load(state) state.n = (state.n or 0) + 1 end
function tool.update() tool.list = { lw.vec3(1, 2, 3), tostring({}), lw.json.decode("[1,[2],{}]"), ("x"):rep(500) } end
function tool.draw(view) tool.co = coroutine.wrap(function() coroutine.yield(view.origin + view.forward) end); tool.co() end
return tool]])
  local opened, loaded = 0, 0
  for memory = 20000, 400000, 1500 do
    local ok, small = pcall(lw.test.host, { memory = memory })
    if ok then
      opened = opened + 1
      if small:add(path) then loaded = loaded + 1 end
      small:frame()
      small:reload(path)
      small:frame()
      lw.console.run("x")
      small:run("local t = {} for i = 1, 1e6 do t[i] = { i } end")
      small:frame()
      small:error()
      small:close()
    else
      unit.assertStrContains(small, "memory")
    end
  end
  unit.assertTrue(opened > 50 and loaded > 30 and loaded < opened, opened .. " opened, " .. loaded .. " loaded")
end
