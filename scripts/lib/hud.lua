-- Panels of text in the corners of the screen.
local hud = {}

hud.text = { size = 15, color = "#e8e8e8" }
hud.title = { size = 15, color = "#ffd070" }
local BACK = { color = { 0.04, 0.05, 0.07, 0.72 }, fill = true }
local MARGIN, PADDING, GAP = 10, 8, 16

-- How wide the columns of some lines are, and how high a line is.
local function measure(lines)
  local left, right, height, whole = 0, 0, 0, 0    -- whole: of lines without a value
  for _, line in ipairs(lines) do
    local row = type(line) == "table" and line or { line }
    local w, h = lw.ui.measure(row[1], row.style or hud.text)
    local v = row[2] and lw.ui.measure(row[2], row.style or hud.text) or 0
    if row[2] then left, right = math.max(left, w), math.max(right, v) else whole = math.max(whole, w) end
    height = math.max(height, math.ceil(h * 1.2))
  end
  if right > 0 then whole = whole - right - GAP end
  return math.max(left, whole), right, height
end

-- A panel in a corner ("top left", "bottom right", ...) of a screen of this size. A line is a text, or { label, value }
-- with the values at the right; `style` in it is used for both. `lift` moves it away from the top or bottom.
-- Returns the place inside: x, y, width, height.
function hud.panel(corner, width, height, lines, lift)
  local left, right, line = measure(lines)
  local w = left + (right > 0 and right + GAP or 0) + 2 * PADDING
  local h = #lines * line + 2 * PADDING
  local x = corner:find("right") and width - w - MARGIN or MARGIN
  local y = corner:find("bottom") and height - h - MARGIN - (lift or 0) or MARGIN + (lift or 0)
  lw.ui.rect(x, y, w, h, BACK)
  for i, text in ipairs(lines) do
    local row = type(text) == "table" and text or { text }
    local top = y + PADDING + (i - 1) * line
    lw.ui.text(x + PADDING, top, row[1], row.style or hud.text)
    if row[2] then
      local v = lw.ui.measure(row[2], row.style or hud.text)
      lw.ui.text(x + w - PADDING - v, top, row[2], row.style or hud.text)
    end
  end
  return x + PADDING, y + PADDING, w - 2 * PADDING, h - 2 * PADDING
end

return hud
