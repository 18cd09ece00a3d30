-- What a flight along a camera path costs, frame by frame, with both rasterizers; for a level's continuous tests.
--
--   leafwalk exec --trust --map LEVEL scripts/tools/flythrough_bench.lua PATH OUT.csv [fps=10] [size=640x360]
--       [rasterizers=gl,soft] [limit=MS] [against=BEFORE.csv] [slower=1.2]
--
-- PATH is a camera path's file, or "tour": one through every cluster. Each line of OUT.csv is a frame: its number, time,
-- place, cluster, what the PVS and the frustum left to draw, and every figure that each rasterizer keeps, "soft.spans"
-- say. The program ends with status 1 where the median of a rasterizer's milliseconds is above `limit`, or above
-- `slower` times that of `against`.
local tool = { name = "flythrough bench", help = "A camera path's frames as figures: run it with leafwalk exec." }

local function options(arg)
  local given = { fps = 10, size = "640x360", rasterizers = "gl,soft", slower = 1.2 }
  for i = 3, #arg do
    local name, value = arg[i]:match("^(%w+)=(.+)$")
    if not name then error("an option is name=value, not " .. arg[i], 0) end
    given[name] = tonumber(value) or value
  end
  return given
end

-- The rasterizer's own milliseconds of the whole frame, or the sum of its stages.
local function milliseconds(stats)
  if stats.frame_ms or stats.cpu_ms then return stats.frame_ms or stats.cpu_ms end
  local sum = 0
  for name, value in pairs(stats) do
    if name:find("_ms$") then sum = sum + value end
  end
  return sum
end

local function median(list)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  return sorted[(#sorted + 1) // 2] or 0
end

local function write_csv(name, rows)
  local columns, known = { "frame", "t", "x", "y", "z", "cluster", "clusters", "faces" }, {}
  local more = {}
  for _, name in ipairs(columns) do known[name] = true end
  for _, row in ipairs(rows) do
    for column in pairs(row) do
      if not known[column] then
        known[column] = true
        more[#more + 1] = column
      end
    end
  end
  table.sort(more)
  table.move(more, 1, #more, #columns + 1, columns)
  local lines = { table.concat(columns, ",") }
  for _, row in ipairs(rows) do
    local line = {}
    for i, column in ipairs(columns) do line[i] = ("%.6g"):format(row[column] or 0) end
    lines[#lines + 1] = table.concat(line, ",")
  end
  local file = assert(io.open(name, "w"))
  file:write(table.concat(lines, "\n"), "\n")
  file:close()
end

-- Medians of "NAME.ms" in a file that an earlier run wrote.
local function medians_of(name)
  local file = assert(io.open(name))
  local columns, lists = {}, {}
  for column in file:read("l"):gmatch("[^,]+") do columns[#columns + 1] = column end
  for line in file:lines() do
    local i = 0
    for value in line:gmatch("[^,]+") do
      i = i + 1
      local rasterizer = columns[i] and columns[i]:match("^(%w+)%.ms$")
      if rasterizer then
        lists[rasterizer] = lists[rasterizer] or {}
        table.insert(lists[rasterizer], tonumber(value))
      end
    end
  end
  file:close()
  local out = {}
  for rasterizer, list in pairs(lists) do out[rasterizer] = median(list) end
  return out
end

local function measure(path, given)
  local width, height = tostring(given.size):match("^(%d+)x(%d+)$")
  if not width then error("size is WxH, not " .. tostring(given.size), 0) end
  local rows, times = {}, {}
  local last = math.floor(path:duration() * given.fps)
  for i = 0, last do
    local pose = path:sample(i / given.fps)
    local row = { frame = i, t = i / given.fps, x = pose.origin.x, y = pose.origin.y, z = pose.origin.z, cluster = lw.vis.cluster_at(pose.origin) }
    local visible = lw.vis.visible(row.cluster)
    row.clusters = #visible
    for rasterizer in given.rasterizers:gmatch("%w+") do
      local image, why = lw.raster.render { rasterizer = rasterizer, origin = pose.origin, angles = pose.angles, fov = pose.fov,
        width = tonumber(width), height = tonumber(height), view = "lit" }
      if image then
        local stats = lw.raster[rasterizer].stats()
        for name, value in pairs(stats) do row[rasterizer .. "." .. name] = value end
        row[rasterizer .. ".ms"] = milliseconds(stats)
        row.faces = stats.faces or row.faces or stats.surfaces
        times[rasterizer] = times[rasterizer] or {}
        table.insert(times[rasterizer], row[rasterizer .. ".ms"])
      elseif i == 0 then
        io.stderr:write(rasterizer, " is left out: ", why, "\n")
      end
    end
    rows[#rows + 1] = row
    lw.time.progress(i + 1, last + 1)
  end
  return rows, times
end

function tool.main(arg)
  if #arg < 2 then error("PATH and OUT.csv are needed: scripts/tools/flythrough_bench.lua PATH OUT.csv [name=value ...]", 0) end
  local given = options(arg)
  local path, why
  if arg[1] == "tour" then path, why = lw.camera.tour { visit = "clusters" } else path, why = lw.camera.load_path(arg[1]) end
  if not path then error(why, 0) end
  local rows, times = measure(path, given)
  write_csv(arg[2], rows)
  local before = given.against and medians_of(given.against) or {}
  local wrong = {}
  for rasterizer in given.rasterizers:gmatch("%w+") do
    if times[rasterizer] then
      local now = median(times[rasterizer])
      local then_ = before[rasterizer]
      print(("%s: %d frames, median %.3f ms%s"):format(rasterizer, #times[rasterizer], now, then_ and (", before %.3f ms"):format(then_) or ""))
      if given.limit and now > given.limit then wrong[#wrong + 1] = ("%s: median %.3f ms, allowed are %g"):format(rasterizer, now, given.limit) end
      if then_ and now > then_ * given.slower then
        wrong[#wrong + 1] = ("%s: median %.3f ms, before it was %.3f"):format(rasterizer, now, then_)
      end
    end
  end
  if #wrong > 0 then error(table.concat(wrong, "; "), 0) end
end

return tool
