-- The software renderer at work, whichever renderer the window has: the first of a picture's spans or edges, more and more
-- of them, and one row of it: the edges that cross the row, how near what it shows is, how many spans it is made of.
--
-- `leafwalk exec --map MAP scripts/tools/spans.lua [ROW]` prints a row of what is seen from the first place to spawn.
local hud = require "hud"

local spans = {
  name = "spans",
  help = "The software renderer's spans or edges, one after the other, and one row of the picture.",
  more = "comma and period step, slash: spans, edges or light, a click chooses the row",
  keys = { m = "toggle", [","] = "back", ["."] = "forth", ["/"] = "switch" },
}

local WIDTH, HEIGHT, CURVE = 480, 270, 60
local MARGIN, SECONDS = 10, 12    -- how long all of them take to come
local SHOWS = { "spans", "edges", "lit" }
local BACK, ROW = { color = { 0.04, 0.05, 0.07, 0.85 }, fill = true }, { color = "#ffffffa0", fill = true }
local LEADING, TRAILING = { color = "#ffd070", fill = true }, { color = "#7090b0", fill = true }
local NEARNESS = { color = "#60e070", low = 0, width = 1 }

local soft = lw.raster.soft
local state, shown

function spans.load(saved)
  state = saved
  state.part, state.show, state.row = state.part or 0, state.show or 1, state.row or HEIGHT // 2
end

local function step(by)
  local count = shown and shown.count or 0
  state.held = math.max(0, math.min((state.held or math.floor(state.part * count)) + by, count))
end

function spans:back() step(-1) end
function spans:forth() step(1) end

function spans:switch()
  state.show, state.held, state.part = state.show % #SHOWS + 1, nil, 0
end

local function render(view)
  return lw.raster.render { rasterizer = "soft", width = WIDTH, height = HEIGHT, view = view }
end

-- The whole picture says how many there are; the second one stops before them.
local function watch(view, held, part)
  local image, why = render(view)
  if not image then return { why = why } end
  local whole = soft.stats()
  local count = math.floor(view == "edges" and whole.edges or whole.spans)
  local drawn = held and math.min(held, count) or math.floor(part * count)
  soft.stop_after(drawn)
  image, why = render(view)
  soft.stop_after()
  return { image = image, why = why, count = count, drawn = drawn, stats = whole, row = soft.scanline(state.row) }
end

function spans.update(dt)
  if not lw.map.name then return end
  if not state.held then state.part = (state.part + dt / SECONDS) % 1 end
  shown = watch(SHOWS[state.show], state.held, state.part)
end

-- 1/distance at each pixel of a row: between the ends of a span it is straight.
local function nearness(row)
  local values, most = {}, 1e-6
  for x = 1, WIDTH do values[x] = 0 end
  for _, span in ipairs(row.spans) do
    local first, last, steps = 1 / span.depth0, 1 / span.depth1, math.max(span.x1 - 1 - span.x0, 1)
    for x = span.x0, span.x1 - 1 do values[x + 1] = first + (last - first) * (x - span.x0) / steps end
    most = math.max(most, first, last)
  end
  return values, most
end

local function place(width) return width - WIDTH - MARGIN, MARGIN end

local function draw_row(x, y, row)
  local values, most = nearness(row)
  NEARNESS.high = most
  lw.ui.rect(x, y, WIDTH, CURVE, BACK)
  lw.ui.plot(x, y, WIDTH, CURVE, values, NEARNESS)
  for _, edge in ipairs(row.edges) do
    if edge.x >= 0 and edge.x < WIDTH then lw.ui.rect(x + edge.x, y + CURVE, 1, edge.leading and 8 or 5, edge.leading and LEADING or TRAILING) end
  end
end

function spans.overlay(width, height)
  if not shown then return end
  shown.width = width
  local x, y = place(width)
  if not shown.image then
    hud.panel("top right", width, height, { { "spans", shown.why, style = hud.title } })
    return
  end
  lw.ui.image(x, y, shown.image)
  lw.ui.rect(x, y + state.row, WIDTH, 1, ROW)
  if shown.row then draw_row(x, y + HEIGHT, shown.row) end
  local stats = shown.stats
  hud.panel("top right", width, height, {
    { SHOWS[state.show], ("%d of %d"):format(shown.drawn, shown.count), style = hud.title },
    { "surfaces, edges, spans", ("%d, %d, %d"):format(stats.surfaces, stats.edges, stats.spans) },
    { "pixels drawn for each one covered", ("%.2f"):format(stats.overdraw) },
    { ("row %d"):format(state.row), shown.row and ("%d edges, %d spans"):format(#shown.row.edges, #shown.row.spans) or "no spans" },
    spans.more,
  }, HEIGHT + CURVE + 12)
end

function spans.click(button, x, y, down)
  local left, top = place(shown and shown.width or 0)
  if not down or x < left or x >= left + WIDTH or y < top or y >= top + HEIGHT then return false end
  state.row = math.floor(y - top)
  return true
end

function spans.main(arg)
  local row = tonumber(arg[1] or HEIGHT // 2)
  assert(render "lit")
  local line, why = soft.scanline(row)
  if not line then error(why, 0) end
  for _, span in ipairs(line.spans) do
    local texture = lw.bsp.texture(lw.bsp.face(span.face).texture).name
    print(("pixels %3d to %3d   %7.1f to %7.1f away   face %4d   %s"):format(span.x0, span.x1 - 1, span.depth0, span.depth1, span.face, texture))
  end
  print(("row %d of %d: %d edges, %d spans"):format(row, HEIGHT, #line.edges, #line.spans))
end

return spans
