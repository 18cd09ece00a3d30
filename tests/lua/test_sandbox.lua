-- The sandbox: what is gone, what was replaced, what stops. Each case runs in a host of its own.
local unit = require "luaunit"

local function good(chunk, options)
  local ok, value = lw.test.sandbox(chunk, options)
  unit.assertTrue(ok, value)
  return value
end

local function bad(chunk, words, options)
  local ok, message = lw.test.sandbox(chunk, options)
  unit.assertFalse(ok, chunk)
  unit.assertStrContains(message, words)
  return message
end

TestRemoved = {}

function TestRemoved:test_what_reaches_out_of_the_program_is_gone()
  for _, name in ipairs { "io", "dofile", "loadfile", "os.execute", "os.exit", "os.getenv", "os.remove", "os.rename",
    "os.tmpname", "os.setlocale", "debug.getregistry", "debug.sethook", "debug.getupvalue", "debug.setmetatable",
    "debug.getinfo", "debug.debug", "package.loadlib", "package.searchers", "package.cpath", "string.dump" } do
    unit.assertEquals(good("return type(" .. name .. ")"), "nil", name)
  end
end

function TestRemoved:test_what_is_left()
  for _, name in ipairs { "os.time", "os.clock", "os.date", "os.difftime", "debug.traceback", "string.format", "load",
    "require", "print", "coroutine.wrap", "utf8.char", "table.sort", "math.floor", "pcall", "xpcall", "setmetatable" } do
    unit.assertEquals(good("return type(" .. name .. ")"), "function", name)
  end
end

function TestRemoved:test_trust_brings_them_back()
  unit.assertEquals(good("return type(io.open) .. type(os.exit) .. type(debug.sethook)", { trust = true }),
    "functionfunctionfunction")
end

function TestRemoved:test_no_way_to_the_real_globals()
  unit.assertEquals(good("return type(load('return _G')().io)"), "nil")
  unit.assertEquals(good("return load('return _G')() == _G"), true)
  unit.assertEquals(good("x = 1; return load('x = x + 1; return x')()"), 2)
  unit.assertEquals(good("local f = load('return y', 'n', 't', { y = 7 }); return f()"), 7)
  unit.assertEquals(good("return _ENV == _G and _G._G == _G"), true)
  unit.assertEquals(good("return tostring(getmetatable(''))"), "false")
  unit.assertEquals(good("return require 'lw' == lw and package.loaded.lw == lw"), true)
end

function TestRemoved:test_binary_chunks()
  local binary = string.dump(function() return 1 end)
  local quoted = binary:gsub(".", function(c) return ("\\%03d"):format(c:byte()) end)
  unit.assertStrContains(good("return select(2, load('" .. quoted .. "'))"), "attempt to load a binary chunk")
  unit.assertStrContains(good("return select(2, load('" .. quoted .. "', 'n', 'b'))"), "only text")
  unit.assertStrContains(good("return select(2, load('" .. quoted .. "', 'n', 'bt'))"), "binary chunk")
  bad(binary, "binary chunk")
end

function TestRemoved:test_addresses_are_not_shown()
  for _, value in ipairs { "{}", "print", "function() end", "coroutine.create(print)", "lw.vis", "io or {}" } do
    local text = good("return tostring(" .. value .. ")")
    unit.assertStrMatches(text, "[a-z]+: #%d+")
  end
  unit.assertStrMatches(good("return ('%s %s'):format({}, 'x')"), "table: #%d+ x")
  bad("return ('%p'):format({})", "%p")
  bad("return string.format('%-20p', {})", "%p")
  unit.assertEquals(good("local t = {}; return tostring(t) == tostring(t)"), true)
  unit.assertEquals(good("return tostring({}) == tostring({})"), false)
  unit.assertEquals(good("return tostring(setmetatable({}, {__tostring = function() return 'me' end}))"), "me")
  unit.assertEquals(good("return ('%5.1f|%-4s|%d|%%|%q'):format(1.25, 'a', 3, 'q')"), "  1.2|a   |3|%|\"q\"")
end

function TestRemoved:test_finalizers()
  bad("setmetatable({}, {__gc = function() end})", "__gc")
  unit.assertEquals(good("local mt = {}; local t = setmetatable({}, mt); mt.__gc = print; return getmetatable(t) == mt"), true)
  bad("local t = setmetatable({}, {__metatable = 1}); setmetatable(t, {})", "protected")
  unit.assertEquals(good("local n = 0; do local x <close> = setmetatable({}, {__close = function() n = 1 end}) end; return n"), 1)
end

function TestRemoved:test_collectgarbage_only_counts()
  unit.assertTrue(good("return collectgarbage('count')") > 10)
  bad("collectgarbage()", "collectgarbage")
  bad("collectgarbage('stop')", "collectgarbage")
end

function TestRemoved:test_metatables_of_objects_are_locked()
  unit.assertEquals(good("return tostring(getmetatable(lw.vec3(1, 2, 3)))"), "false")
  unit.assertEquals(good("return tostring(getmetatable(lw.time))"), "false")
end

-- Budgets are time on the wall: those of code that must pass are large enough for a busy machine.
TestLimits = {}

local function bad_soon(chunk, words, options)
  local start = os.clock()
  options = options or { budget = 0.1 }
  local message = bad(chunk, words, options)
  unit.assertTrue(os.clock() - start < 5, chunk)
  return message
end

function TestLimits:test_endless_loops_are_stopped()
  bad_soon("while true do end", "budget")
  bad_soon("while true do pcall(function() while true do end end) end", "budget")
  bad_soon("local function f() return f() end; f()", "budget")
  bad_soon("for i = 1, math.huge do local t = { i } end", "budget")
  bad_soon("repeat local c = coroutine.wrap(function() while true do end end); pcall(c) until false", "budget")
  bad_soon("local c = coroutine.create(function() while true do coroutine.yield() end end) while true do coroutine.resume(c) end",
    "budget")
  bad_soon("xpcall(function() while true do end end, function() while true do end end)", "budget")
  bad_soon("xpcall(error, function() while true do end end)", "budget")
  bad_soon("local t <close> = setmetatable({}, {__close = function() while true do end end}); while true do end", "budget")
  bad_soon("return setmetatable({}, {__index = function() while true do end end}).x", "budget")
  bad_soon("local t = {} for i = 1, 1000 do t[i] = i end; table.sort(t, function() while true do end end)", "budget")
  bad_soon("string.gsub('x', 'x', function() while true do end end)", "budget")
  bad_soon("load(function() while true do end end)", "budget")
end

function TestLimits:test_the_host_lives_on()
  local host = lw.test.host { budget = 0.5 }
  local ok, message = host:run("while true do end")
  unit.assertFalse(ok)
  unit.assertStrContains(message, "took longer than its budget of 0.5 s")
  local again, value = host:run("local n = 0; for i = 1, 1e5 do n = n + i end; return n")
  unit.assertTrue(again, value)
  unit.assertEquals(value, 5000050000)
  host:run("c = coroutine.wrap(function() while true do end end); pcall(c)")
  again, value = host:run("local n = 0; for i = 1, 1e5 do n = n + i end; return n")
  unit.assertTrue(again, value)
  host:close()
end

function TestLimits:test_progress_renews_the_budget()
  good("local start = os.clock() while os.clock() - start < 1.2 do lw.time.progress(1, 2) end", { budget = 0.6 })
end

function TestLimits:test_memory()
  local small = { memory = 8 * 1024 * 1024, budget = 5 }
  bad("local s = 'x' while true do s = s .. s end", "not enough memory", small)
  bad("local t = {} for i = 1, math.huge do t[i] = {} end", "not enough memory", small)
  bad("return ('x'):rep(1e9)", "too large", small)
  bad("return ('x'):rep(7e6) .. ('y'):rep(7e6)", "not enough memory", small)
  unit.assertEquals(good("return select(2, pcall(string.rep, 'x', 7.9e6, ''))", small), "not enough memory")
  unit.assertEquals(good("local s = 'x'; pcall(function() while true do s = s .. s end end); s = nil; return #('x'):rep(1e5)", small), 100000)
end

function TestLimits:test_loops_in_c_are_capped()
  unit.assertEquals(good("return ('').rep('', math.maxinteger)"), "")
  unit.assertEquals(good("return ('ab'):rep(3, ',')"), "ab,ab,ab")
  unit.assertEquals(good("return ('x'):rep(5)"), "xxxxx")
  unit.assertEquals(good("return ('x'):rep(-1)"), "")
  bad("('x'):rep(math.maxinteger, 'yy')", "too large")
  bad_soon("table.insert(setmetatable({}, {__len = function() return 10^15 // 1 | 0 end}), 1, 'x')", "items")
  bad_soon("table.move({}, 1, 10^10 // 1 | 0, 2)", "items")
  bad_soon("table.remove(setmetatable({}, {__len = function() return 1 << 40 end}), 1)", "items")
  bad_soon("table.concat(setmetatable({}, {__index = function() return '' end}), '', 1, 1 << 40)", "items")
  bad_soon("table.sort(setmetatable({}, {__len = function() return 1 << 30 end}), rawequal)", "items")
  unit.assertEquals(good("local t = { 1, 2, 3 }; table.insert(t, 1, 0); table.insert(t, 4); return table.concat(t, ' ')"), "0 1 2 3 4")
  unit.assertEquals(good("local t = { 3, 1, 2 }; table.sort(t); return table.remove(t) .. table.remove(t, 1) .. #t"), "311")
end

function TestLimits:test_deep_recursion_names_the_script()
  local message = bad("local function f() return 1 + f() end\nf()", "stack overflow", { budget = 30 })    -- a million calls, however slow the machine is
  unit.assertStrContains(message, "chunk:1:")
  bad("return " .. ("("):rep(300) .. "1" .. (")"):rep(300), "C stack overflow")
end

function TestLimits:test_not_a_number_as_a_key()
  bad("local t = {} t[0/0] = 1", "NaN")
end

function TestLimits:test_errors_that_are_no_texts()
  bad("error({})", "(error object is a table value)")
  bad("error()", "nil")
  bad("error(setmetatable({}, {__tostring = function() return 'told so' end}))", "told so")
  bad("error(setmetatable({}, {__tostring = function() while true do end end}))", "", { budget = 0.1 })
end

TestEnvironment = {}

function TestEnvironment:test_methods_of_texts_that_a_script_adds()
  unit.assertEquals(good("function string.trim(s) return (s:gsub('^%s+', '')) end; return ('  x'):trim()"), "x")
  unit.assertEquals(good("string.format = nil; return ('%d'):format(3)"), "3")
end

function TestEnvironment:test_math_has_the_same_bits_everywhere()
  unit.assertEquals(good("return math.sin(1)"), 0x1.aed548f090ceep-1)
  unit.assertAlmostEquals(good("return math.atan(1, -1)"), math.pi * 3 / 4, 1e-15)
  unit.assertAlmostEquals(good("return math.log(8)"), math.log(8), 1e-15)
  unit.assertEquals(good("return math.log(8, 2)"), 3.0)
  unit.assertEquals(good("return math.log(0.25, 2)"), -2.0)
  unit.assertAlmostEquals(good("return math.log(1000, 10)"), 3, 1e-14)
end

function TestEnvironment:test_random_numbers_come_from_the_seed()
  local chunk = "return math.random(1e9 // 1 | 0)"
  unit.assertEquals(good(chunk, { seed = 5 }), good(chunk, { seed = 5 }))
  unit.assertNotEquals(good(chunk, { seed = 5 }), good(chunk, { seed = 6 }))
end

function TestEnvironment:test_xpcall_and_coroutines_work_as_lua_has_them()
  unit.assertEquals(good("return select('#', xpcall(function(...) return ... end, print, 1, nil, 3))"), 4)
  unit.assertEquals(good("return select(2, xpcall(error, function(m) return 'handled ' .. m end, 'x', 0))"), "handled x")
  unit.assertEquals(good([[
    local c = coroutine.wrap(function() return xpcall(function() coroutine.yield(1); error('late', 0) end, function(m) return m .. '!' end) end)
    c()
    local ok, message = c()
    return tostring(ok) .. message]]), "falselate!")
  unit.assertEquals(good("local c = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end); return c(1) + c(5)"), 12)
end

function TestEnvironment:test_the_traceback_names_bindings_and_leaves_the_host_out()
  local message = bad("local function inner() lw.vec3('x') end\nlocal function outer() inner() end\nouter()", "lw.vec3")
  unit.assertStrContains(message, "bad argument #1 to 'lw.vec3'")
  unit.assertStrContains(message, "[C]: in 'lw.vec3'")
  unit.assertStrContains(message, "chunk:1: in ")
  unit.assertNil(message:find("[C]: in ?", 1, true))
end

TestBudget = {}

function TestBudget:test_time_in_bindings_is_not_the_scripts()
  -- Each call sorts a table of many keys in C; the loop itself is short.
  local chunk = [[
    local t = {}
    for i = 1, 20000 do t["key" .. i] = i end
    local start = os.clock()
    local calls = 0
    while os.clock() - start < 1.2 do lw.json.encode(t); calls = calls + 1 end
    return calls]]
  unit.assertTrue(good(chunk, { budget = 0.6 }) > 0)
end

function TestBudget:test_lua_that_runs_within_bindings_is_the_scripts()
  bad_soon([[
    local slow = setmetatable({}, { __tostring = function() local t = os.clock(); while os.clock() - t < 0.05 do end; return "x" end })
    while true do lw.console.print(slow) end]], "budget", { budget = 0.3 })
  bad_soon([[
    lw.console.command("slow", function() local t = os.clock(); while os.clock() - t < 0.05 do end end)
    while true do lw.console.run("slow") end]], "budget", { budget = 0.3 })
end

TestHostile = {}

function TestHostile:test_recursion_through_c()
  for _, chunk in ipairs { "local function f() return ('x'):gsub('x', f) end f()", "local function f() return coroutine.wrap(f)() end f()",
    "local function f() return select(2, xpcall(f, f)) end error(f())", "local t = setmetatable({}, {}) getmetatable(t).__index = function(_, k) return t[k] end return t.x",
    "local function f() table.sort({ 1, 2 }, f) end f()", "lw.console.command('r', function() lw.console.run('r') end) lw.console.run('r') error('back')",
    "local function f() load(f)() end f()", "local function f() require('x') error(f()) end f()",
    "local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) print(t)",
    "lw.console.command('c', function() coroutine.wrap(function() lw.console.run('c') end)() end) lw.console.run('c') error('back')" } do
    local ok, message = lw.test.sandbox(chunk, { budget = 1 })
    unit.assertFalse(ok, chunk)
    unit.assertEquals(type(message), "string")
  end
end

function TestHostile:test_what_is_kept_outside_of_luas_memory_has_an_end()
  bad("for i = 1, 1e6 do lw.console.command('c' .. i, print) end", "more than 4096")
  bad("for i = 1, 1e6 do lw.console.variable('v' .. i, i) end", "more than 4096")
  bad("for i = 1, 1e6 do lw.input.bind('k' .. i, 'x') end", "more than 4096")
  bad("lw.console.variable('long', ('x'):rep(1e5))", "longer than 4096")
  bad("lw.console.variable('short', 'x') lw.console.set('short', ('x'):rep(1e5))", "longer than 4096")
  bad("lw.console.command('x', print, ('x'):rep(1e5))", "longer than 4096")
end

function TestHostile:test_functions_of_bindings_with_anything()
  local odd = { "nil", "0/0", "math.huge", "-1", "1 << 62", "'x'", "('x'):rep(1e6)", "{}", "print", "lw", "lw.vec3()", "true", "'\0'" }
  for _, row in ipairs(lw.test.rows()) do
    if row.shape:find("^%(") and not row.name:find(":") and row.module ~= "test" and row.module ~= "log" then
      local name = row.module == "lw" and "lw." .. row.name or "lw." .. row.module .. "." .. row.name
      local host = lw.test.host { budget = 1 }
      local ok, message = host:run(([[
        local odd = { n = %d, %s }
        local f = %s
        for i = 0, odd.n do pcall(f, odd[i]); pcall(f, odd[i], odd[i]); pcall(f, odd[i], 1, 2, 3); pcall(f, 1, odd[i], odd[i], odd[i]) end
        return true]]):format(#odd, table.concat(odd, ", "), name))
      unit.assertTrue(ok, name .. ": " .. tostring(message))
      host:close()
    end
  end
end
