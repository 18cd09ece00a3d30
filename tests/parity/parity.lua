-- Pictures of real levels beside an engine's own: the table of how alike they are, and pictures of where they differ.
--
--   lua5.4 tests/parity/parity.lua SOURCE PROGRAM [--reference DIR] [--out DIR] [--rasterizer gl|soft] [VIEW ...]
--
-- DIR holds views.json and a picture for each view (see its README). Where it, or the game's data, is not there, one line
-- says so and nothing is tested. The measure is image:diff's: SSIM of luma and the mean error per channel, of 255.
local source, program = arg[1] or ".", arg[2] or "build/release/leafwalk"
local options = { reference = source .. "/../shared/corpus/parity", out = source .. "/build/parity", rasterizer = "gl" }
local wanted = {}
for i = 3, #arg do
  local name = arg[i]:match("^%-%-(%a+)$")
  if name then options[name] = arg[i + 1]
  elseif not (arg[i - 1] or ""):match("^%-%-") then wanted[arg[i]] = true end
end
local limits = { gl = { median = 0.985, least = 0.96, error = 2 }, soft = { median = 0.97, least = 0.94, error = 3 } }
local limit = assert(limits[options.rasterizer], "--rasterizer is gl or soft")

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end
local function run(...)
  local words = { quoted(program) }
  for _, word in ipairs { ... } do words[#words + 1] = quoted(word) end
  local pipe = assert(io.popen(table.concat(words, " ") .. " 2>&1"))
  local text = pipe:read("a")
  return pipe:close(), text
end

local file = io.open(options.reference .. "/views.json")
if not file then
  print("parity: skipped: there is no " .. options.reference .. "/views.json")
  os.exit(0)
end
local views = {}
for line in file:lines() do
  local view = { name = line:match('"name": "([^"]+)"'), map = line:match('"map": "([^"]+)"'), picture = line:match('"picture": "([^"]+)"'),
    origin = line:match('"origin": %[([^%]]+)%]'), angles = line:match('"angles": %[([^%]]+)%]'),
    fov = line:match('"fov": ([%d.]+)'), time = line:match('"time": ([%d.]+)') }
  if view.name and (not next(wanted) or wanted[view.name]) then views[#views + 1] = view end
end
assert(#views > 0, "no such view")
if not (run("--game", "openarena", "info", views[1].map)) then
  print("parity: skipped: the levels of OpenArena are not installed")
  os.exit(0)
end

local function numbers(text)    -- without blanks, and without the exponents that the command line does not know
  local list = {}
  for word in text:gmatch("[^,%s]+") do list[#list + 1] = ("%.6f"):format(tonumber(word)) end
  return table.concat(list, ",")
end

os.execute("mkdir -p " .. quoted(options.out))
local ssims, errors, failed = {}, {}, {}
print(("%-18s %8s %7s %5s"):format("view", "ssim", "error", "max"))
for _, view in ipairs(views) do
  local ours = ("%s-%s.png"):format(view.name, options.rasterizer)
  local fine, text = run("--game", "openarena", "render", view.map, "--origin=" .. numbers(view.origin), "--angles=" .. numbers(view.angles),
    "--fov", view.fov, "--time", view.time, "--size", "1280x720", "--rasterizer", options.rasterizer, "--set", "r.overbright=0",
    "-o", options.out .. "/" .. ours)
  assert(fine, text)
  local compare = ([[
    local a, b = assert(lw.assets.image(%q)), assert(lw.assets.image(%q))
    local d = a:diff(b)
    print(("%%.6f %%.6f %%d"):format(d.ssim, d.error, d.max))
    assert(d.image:save(%q))]]):format(ours, view.picture, options.out .. "/" .. ours:gsub("%.png$", "-diff.png"))
  fine, text = run("exec", "--trust", "--path", options.reference, "--path", options.out, "-e", compare)
  local ssim, difference, most = text:match("([%d.]+) ([%d.]+) (%d+)")
  assert(fine and ssim, text)
  ssims[#ssims + 1], errors[#errors + 1] = tonumber(ssim), tonumber(difference)
  print(("%-18s %8.4f %7.2f %5d"):format(view.name, ssim, difference, most))
  if tonumber(ssim) < limit.least then failed[#failed + 1] = view.name .. " is under " .. limit.least end
end

local function median(list)
  table.sort(list)
  return (list[(#list + 1) // 2] + list[#list // 2 + 1]) / 2
end
print(("%-18s %8.4f %7.2f"):format("median", median(ssims), median(errors)))
print("pictures and differences (four times as bright) are in " .. options.out)
if median(ssims) < limit.median then failed[#failed + 1] = "the median is under " .. limit.median end
if median(errors) > limit.error then failed[#failed + 1] = "the median error is over " .. limit.error end
for _, why in ipairs(failed) do print("FAILED: " .. why) end
os.exit(#failed == 0 and 0 or 1)
