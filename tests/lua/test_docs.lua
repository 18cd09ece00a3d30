-- The documents come from the binding rows: none without help, none whose shape cannot be read, stubs and reference as
-- committed.
local unit = require "luaunit"

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

TestDocs = {}

function TestDocs:test_every_row_has_help_and_a_shape_that_can_be_read()
  local rows = lw.test.rows()
  unit.assertTrue(#rows > 50)
  local names = {}
  for _, row in ipairs(rows) do
    local full = row.module .. " " .. row.name
    unit.assertNil(names[full], full .. " stands twice")
    names[full] = true
    unit.assertTrue(#(row.help or "") > 5, full .. " has no help")
    unit.assertTrue(#(row.shape or "") > 0, full .. " has no shape")
    if row.shape:find("^%(") then
      unit.assertEquals({ lw.test.shape(row.shape) }, { true }, full)
    end
  end
end

function TestDocs:test_every_function_in_lw_has_a_row_and_every_row_a_function()
  local rows = {}
  for _, row in ipairs(lw.test.rows()) do
    if row.name:find("%.") and row.shape:find("^%(") then    -- of something that is a field of the module
      local field, key = row.name:match("(.-)%.(.+)")
      unit.assertEquals(type(lw[row.module][field][key]), "function", row.name)
    elseif row.shape:find("^%(") and not row.name:find(":") then
      local name = row.module == "lw" and row.name or row.module .. "." .. row.name
      rows[name] = true
    end
  end
  local found = {}
  for name, value in pairs(lw) do
    if type(value) == "function" then found[name] = true end
    if type(value) == "table" then
      for inner, f in pairs(value) do
        if type(f) == "function" then found[name .. "." .. inner] = true end
      end
    end
  end
  unit.assertEquals(found, rows)
end

function TestDocs:test_every_field_of_an_entity_is_there_and_of_the_kind_that_its_row_says()
  assert(lw.map.open("rooms"))
  local entity, seen = lw.entities.spawn { classname = "info_null" }, 0
  for _, row in ipairs(lw.test.rows()) do
    local field = row.name:match("^entity%.(.+)")
    if field then
      seen = seen + 1
      local value = entity[field]
      unit.assertTrue(value ~= nil or row.shape:find("?", 1, true) ~= nil, row.name .. " is nil")
      unit.assertTrue(row.shape:find(value == nil and "?" or type(value) == "userdata" and "vec3" or math.type(value) or type(value), 1, true) ~= nil
        or (row.shape == "number" and math.type(value) ~= nil), row.name .. " is " .. tostring(value))
    end
  end
  unit.assertTrue(seen > 15)
end

function TestDocs:test_shapes_are_read_strictly()
  for _, shape in ipairs { "()", "(a: integer)", "(a?: number, ...: any) -> boolean", "(p: point) -> x: number, y: number",
    '(mode: "a"|"b") -> {min: number, list: integer[]}?', "(f: fun(a: number, b: string): boolean)", "() -> vec3[][]" } do
    unit.assertEquals({ lw.test.shape(shape) }, { true })
  end
  for _, shape in ipairs { "", "a", "(", "(a)", "(a: )", "(a: int)", "(a: integer", "(a: integer) ->", "(a: integer) integer",
    "(end: integer)", '(a: "x)', "(a: {b})", "() -> integer,", "(a: integer,)", "(a: integer[)", "(1: integer)" } do
    local good, why = lw.test.shape(shape)
    unit.assertFalse(good, shape)
    unit.assertStrContains(why, "shape")
  end
end

function TestDocs:test_stubs_and_reference_are_as_the_rows_say()
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute("mkdir -p '" .. folder .. "'"))
  unit.assertEquals({ lw.test.write_docs(folder, folder .. "/lua-reference.md") }, { true })
  local pipe = io.popen("cd '" .. folder .. "' && ls *.lua")
  local stale = {}
  for name in pipe:lines() do
    local new = read(folder .. "/" .. name)
    unit.assertNotNil(load(new), name .. " is no Lua")
    if new ~= read("scripts/api/" .. name) then stale[#stale + 1] = "scripts/api/" .. name end
  end
  pipe:close()
  if read(folder .. "/lua-reference.md") ~= read("docs/lua-reference.md") then stale[#stale + 1] = "docs/lua-reference.md" end
  os.execute("rm -r '" .. folder .. "'")
  unit.assertEquals(stale, {}, "stale; leafwalk exec --trust -e 'lw.console.run(\"writedocs\")' writes them")
end

function TestDocs:test_help_on_the_console()
  for _, name in ipairs { "vis.row", "lw.vis.row", "vis", "lw.time", "time.scale", "vec3:dot", "vec3", "update", "raster.soft.stop_after", "lw.raster.gl.stats", "soft.filter" } do
    unit.assertTrue((lw.console.run("help " .. name)), name)
  end
end
