-- Reads every text of the project for what must not be there: somebody's machine, unfinished work, a file without its
-- idea, a first example that is too long. Run as `lua5.4 tests/checks/texts.lua SOURCE_FOLDER`.
local root = arg[1] or "."

-- Written so that this file does not match itself.
local machine_paths = { "/[w]ork/", "/[h]ome/%w", "/[r]oot/", "/[U]sers/%w", "[A-Z]:\\[U]sers" }
local unfinished = { "%f[%w]T[O]DO%f[%W]", "%f[%w]F[I]XME%f[%W]", "%f[%w]X[X]X%f[%W]" }

local faults = 0
local function fault(file, line, message)
  faults = faults + 1
  print(("%s:%d: %s"):format(file, line, message))
end

-- Which text opens a file of a kind: its idea, in a comment.
local openings = {
  { "%.[ch]$", "^/%*" },
  { "%.lua$", "^%-%-" },
  { "%.[vf]ert$", "^[/#]" }, { "%.frag$", "^[/#]" }, { "%.glsl$", "^[/#]" },
  { "%.cmake$", "^#" }, { "CMakeLists%.txt$", "^#" }, { "%.sh$", "^#" },
}

local function check(file)
  local handle = assert(io.open(root .. "/" .. file, "rb"))
  local text = handle:read("a")
  handle:close()
  if text:find("\0", 1, true) or file:find("%.pk3$") then return false end
  if text:find("^\xff\xd8") then return false end
  for _, row in ipairs(openings) do
    if file:find(row[1]) and not text:find(row[2]) then
      fault(file, 1, "does not begin with a comment that states its idea")
    end
  end
  local number = 0
  for line in (text .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    for _, pattern in ipairs(machine_paths) do
      if line:find(pattern) then fault(file, number, "a path of one machine: " .. line:match(pattern)) end
    end
    for _, pattern in ipairs(unfinished) do
      if line:find(pattern) then fault(file, number, "unfinished work: " .. line:match(pattern)) end
    end
    if file:find("%.[ch]$") and line:find("\t") then fault(file, number, "a tab") end
    if file:find("%.[ch]$") and line:find("%s$") then fault(file, number, "blanks at the end of a line") end
    if file:find("%.[ch]$") and utf8.len(line) and utf8.len(line) > 210 then fault(file, number, "a very long line") end
  end
  if file:find("^scripts/examples/.*%.lua$") and number - 1 >= 40 then
    fault(file, number, "an example has fewer than 40 lines")
  end
  return true
end

local pipe = assert(io.popen(("cd '%s' && find . -name .git -prune -o -path ./build -prune -o -path ./fonts -prune -o "
  .. "-type f -print | sort"):format(root)))
local count = 0
for file in pipe:lines() do
  if check((file:gsub("^%./", ""))) then count = count + 1 end
end
pipe:close()
assert(count > 10, "hardly a file under " .. root)
print(("%d texts, %d faults"):format(count, faults))
os.exit(faults == 0 and 0 or 1)
