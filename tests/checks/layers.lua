-- Holds src/ to the house map: who may include whom, which folder knows which outside library, and a few habits that
-- a compiler does not see. Run as `lua5.4 tests/checks/layers.lua SOURCE_FOLDER`.
local root = arg[1] or "."

-- Each folder may include itself and the folders before it.
local folders = {
  "base", "files", "bsp", "assets", "compile", "frame", "scene", "sim", "render", "record", "platform", "engine",
  "script", "app",
}
local place = {}
for i, name in ipairs(folders) do place[name] = i end

-- Headers of outside libraries (Lua patterns on the included name) and the one folder that may know them.
local outside = {
  { "^cglm/", "base" }, { "^pthread%.h$", "base" },
  { "^zip%.h$", "files" }, { "^zipconf%.h$", "files" },
  { "^stb", "assets" },
  { "^glad/", "render/gl" }, { "^GL/", "render/gl" }, { "^EGL/", "platform" },
  { "^png", "record" },
  { "^SDL", "platform" },
  { "^lua", "script" }, { "^lauxlib%.h$", "script" }, { "^lualib%.h$", "script" },
}

-- Calls that belong to base/, which counts what is allocated.
local allocators = { "malloc", "calloc", "realloc", "free", "strdup", "strndup", "asprintf", "vasprintf", "getline" }

local faults = 0
local function fault(file, line, ...)
  faults = faults + 1
  print(("%s:%d: %s"):format(file, line, string.format(...)))
end

local function lines_of(command)
  local pipe = assert(io.popen(command))
  local all = {}
  for line in pipe:lines() do all[#all + 1] = line end
  pipe:close()
  return all
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

-- Comments, strings and character constants become blanks of the same length, so that lines and columns stay.
local function code_of(text)
  local out, at = {}, 1
  local function blank(s) out[#out + 1] = s:gsub("[^\n]", " ") end
  while at <= #text do
    local two, one = text:sub(at, at + 1), text:sub(at, at)
    local stop
    if two == "/*" then
      stop = select(2, text:find("*/", at + 2, true)) or #text
    elseif two == "//" then
      stop = (text:find("\n", at, true) or #text + 1) - 1
    elseif one == '"' or one == "'" then
      stop = at
      repeat
        stop = stop + 1
        if text:sub(stop, stop) == "\\" then stop = stop + 2 end
      until stop >= #text or text:sub(stop, stop) == one
    end
    if stop then
      blank(text:sub(at, stop))
      at = stop + 1
    else
      out[#out + 1] = one
      at = at + 1
    end
  end
  return table.concat(out)
end

-- "render/gl/gl_world.c" stands in folder "render", room "render/gl".
local function standing(path)
  return path:match("^([^/]+)/"), path:match("^(.+)/[^/]+$")
end

local function check_include(file, line, kind, name)
  local folder, room = standing(file)
  for _, row in ipairs(outside) do
    if name:find(row[1]) then
      if room ~= row[2] then fault(file, line, "<%s> belongs to %s/ alone", name, row[2]) end
      return
    end
  end
  if kind == "<" then return end
  local to_folder, to_room = standing(name)
  if not to_folder then
    return fault(file, line, 'includes are written from src/: "%s/%s"', room, name)
  end
  if not place[to_folder] then
    return fault(file, line, '"%s" is in no folder of the house map', name)
  end
  local there = io.open(root .. "/src/" .. name, "rb")
  if not there then return fault(file, line, '"%s" is not there', name) end
  there:close()
  if place[to_folder] > place[folder] then
    fault(file, line, "%s/ may not know %s/, which stands after it", folder, to_folder)
  end
  if name:find("_internal%.h$") and room ~= to_room then
    fault(file, line, '"%s" is for %s/ alone', name, to_room)
  end
  -- A renderer's folder is entered by its door (render/gl/gl.h), and renderers do not know one another.
  local renderer = to_room:match("^render/([^/]+)")
  if renderer and room ~= to_room then
    if room ~= "render" and folder == "render" then
      fault(file, line, "renderers do not know one another")
    elseif name ~= ("render/%s/%s.h"):format(renderer, renderer) then
      fault(file, line, "render/%s/ is entered by render/%s/%s.h", renderer, renderer, renderer)
    end
  end
end

local function check_file(file)
  local folder = standing(file)
  if not folder or not place[folder] then
    return fault(file, 1, "is in no folder of the house map")
  end
  local text = read(root .. "/src/" .. file)
  local code = code_of(text)
  local number = 0
  for line in (text .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    local open, name = line:match('^%s*#%s*include%s*([<"])([^>"]+)')
    if open then check_include(file, number, open, name) end
  end
  number = 0
  for line in (code .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    if folder ~= "base" then
      for _, name in ipairs(allocators) do
        if (" " .. line):find("[^%w_.>]" .. name .. "%s*%(") then
          fault(file, number, "%s() is called in base/ alone", name)
        end
      end
    end
    if file:find("%.c$") and line:find("^%s*extern%f[^%w_]") then
      fault(file, number, "extern in a .c file: a header declares what is shared")
    end
    -- A variable of the file that is not const is state in a global.
    local declared = line:match("^static%s+(.*)$")
    if declared and not declared:find("%f[%w_]const%f[^%w_]") and not declared:find("^inline") then
      local head = declared:match("^[^=;{]*")
      if not head:find("(", 1, true) and declared:find("[=;]") then
        fault(file, number, "state in a global: %s", head)
      end
    end
  end
end

-- The check itself must be able to fail: the same functions, on lines that break each rule.
local function must_find(what, file, line)
  local before, quiet = faults, print
  print = function() end
  local ok, message = pcall(function()
    local open, name = line:match('^#include ([<"])([^>"]+)')
    check_include(file, 1, open, name)
  end)
  print = quiet
  assert(ok, message)
  assert(faults > before, "layers.lua does not see " .. what)
  faults = before
end
must_find("an include upwards", "bsp/x.c", '#include "app/x.h"')
must_find("a library out of its folder", "bsp/x.c", "#include <zip.h>")
must_find("GLAD outside of render/gl", "render/soft/soft.c", "#include <glad/gl.h>")
must_find("an include that is not written from src/", "bsp/x.c", '#include "bsp.h"')
assert(code_of('a /* free(x) */ "free(y)" \'\\\'\' z'):gsub(" ", "") == "az")

local files = lines_of(("cd '%s/src' && find . -name '*.[ch]' | sort"):format(root))
assert(#files > 0, "no files under " .. root .. "/src")
for _, file in ipairs(files) do check_file(file:gsub("^%./", "")) end
print(("%d files, %d faults"):format(#files, faults))
os.exit(faults == 0 and 0 or 1)
