-- The textures of our level, computed: each is a picture of shades, and a palette that turns shades into colours, written
-- as an indexed PNG.
local textures = {}

-- ---------------------------------------------------------------- PNG

local crc_table = {}
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do c = c & 1 == 1 and 0xedb88320 ~ (c >> 1) or c >> 1 end
  crc_table[i] = c
end

local function chunk(kind, data)
  local text, c = kind .. data, 0xffffffff
  for i = 1, #text do c = crc_table[(c ~ text:byte(i)) & 255] ~ (c >> 8) end
  return string.pack(">I4", #data) .. text .. string.pack(">I4", c ~ 0xffffffff)
end

local function bit_writer()
  local out, held, count = {}, 0, 0
  local writer = {}
  function writer.put(value, bits)    -- lowest bit first
    held, count = held | value << count, count + bits
    while count >= 8 do
      out[#out + 1] = string.char(held & 255)
      held, count = held >> 8, count - 8
    end
  end
  function writer.code(value, bits)    -- Huffman codes stand highest bit first
    local turned = 0
    for _ = 1, bits do turned, value = turned << 1 | value & 1, value >> 1 end
    writer.put(turned, bits)
  end
  function writer.bytes()
    if count > 0 then writer.put(0, 8 - count) end
    return table.concat(out)
  end
  return writer
end

local length_base, length_extra, distance_base, distance_extra = {}, {}, {}, {}
do
  local base = 3
  for i = 0, 27 do
    length_extra[i] = i < 8 and 0 or (i - 4) // 4
    length_base[i] = base
    base = base + (1 << length_extra[i])
  end
  length_base[28], length_extra[28] = 258, 0
  base = 1
  for i = 0, 29 do
    distance_extra[i] = i < 4 and 0 or (i - 2) // 2
    distance_base[i] = base
    base = base + (1 << distance_extra[i])
  end
end

local function put_literal(w, symbol)    -- the fixed code of deflate
  if symbol < 144 then w.code(0x30 + symbol, 8)
  elseif symbol < 256 then w.code(0x190 + symbol - 144, 9)
  elseif symbol < 280 then w.code(symbol - 256, 7)
  else w.code(0xc0 + symbol - 280, 8) end
end

-- zlib with deflate's fixed code: repetitions are sought at the last place that began with the same three bytes.
local function compress(data)
  local w, last, at = bit_writer(), {}, 1
  w.put(1, 1)
  w.put(1, 2)
  while at <= #data do
    local key = data:sub(at, at + 2)
    local from, length = last[key], 0
    if from and at - from <= 32768 and #key == 3 then
      while length < 258 and at + length <= #data and data:byte(from + length) == data:byte(at + length) do length = length + 1 end
    end
    if length >= 3 then
      local i, j = 28, 29
      while length_base[i] > length do i = i - 1 end
      while distance_base[j] > at - from do j = j - 1 end
      put_literal(w, 257 + i)
      w.put(length - length_base[i], length_extra[i])
      w.code(j, 5)
      w.put(at - from - distance_base[j], distance_extra[j])
    else
      length = 1
      put_literal(w, data:byte(at))
    end
    for k = at, at + length - 1 do last[data:sub(k, k + 2)] = k end
    at = at + length
  end
  put_literal(w, 256)
  local a, b = 1, 0
  for i = 1, #data do
    a = (a + data:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return "\x78\x01" .. w.bytes() .. string.pack(">I4", b << 16 | a)
end

-- size: of the square; shade(x, y) -> 0..255; ramp: { shade, r, g, b } rows, from dark to bright.
local function png(size, shade, ramp)
  local palette, row = {}, 1
  for i = 0, 255 do
    while ramp[row + 1] and ramp[row + 1][1] < i do row = row + 1 end
    local a, b = ramp[row], ramp[row + 1] or ramp[row]
    local t = b[1] > a[1] and (i - a[1]) / (b[1] - a[1]) or 0
    for k = 2, 4 do palette[#palette + 1] = string.char(math.floor(a[k] + t * (b[k] - a[k]) + 0.5)) end
  end
  local lines = {}
  for y = 0, size - 1 do
    local line = { "\0" }
    for x = 0, size - 1 do line[#line + 1] = string.char(math.max(0, math.min(255, math.floor(shade(x, y) + 0.5)))) end
    lines[#lines + 1] = table.concat(line)
  end
  return "\x89PNG\r\n\x1a\n" .. chunk("IHDR", string.pack(">I4I4BBBBB", size, size, 8, 3, 0, 0, 0))
    .. chunk("PLTE", table.concat(palette)) .. chunk("IDAT", compress(table.concat(lines))) .. chunk("IEND", "")
end

-- ---------------------------------------------------------------- noise

local function hash(x, y, seed)    -- 0..1
  local h = (x * 374761393 + y * 668265263 + seed * 2246822519) & 0xffffffff
  h = ((h ~ h >> 13) * 1274126177) & 0xffffffff
  return ((h ~ h >> 16) & 0xffff) / 65535
end

-- Smooth noise that repeats after `size` pixels; `cell` pixels from one value to the next.
local function noise(x, y, size, cell, seed)
  local n = size // cell
  local i, j = x // cell, y // cell
  local u, v = x % cell / cell, y % cell / cell
  u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
  local a, b = hash(i % n, j % n, seed), hash((i + 1) % n, j % n, seed)
  local c, d = hash(i % n, (j + 1) % n, seed), hash((i + 1) % n, (j + 1) % n, seed)
  return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v
end

local function rough(x, y, size, seed)    -- around 0
  return noise(x, y, size, 32, seed) * 0.45 + noise(x, y, size, 8, seed + 1) * 0.3 + noise(x, y, size, 2, seed + 2) * 0.25 - 0.5
end

-- How far inside a tile of w x h a pixel is, and its light edge above and dark one below: brighter at top and left.
local function bevel(x, y, w, h, wide)
  local light = math.max(0, wide - math.min(x, y)) - math.max(0, wide - math.min(w - 1 - x, h - 1 - y))
  return light / wide
end

-- Stones of w x h in rows that are shifted by half; joints of `joint` pixels between them.
local function masonry(size, w, h, joint, seed, contrast)
  return function(x, y)
    local row = y // h
    local shifted = (x + (row % 2) * w // 2) % size
    local column = shifted // w
    local u, v = shifted % w, y % h
    if u < joint or v < joint then return 40 + 34 * rough(x, y, size, seed + 9) end
    local tone = 130 + contrast * (hash(column, row, seed) - 0.5)
    return tone + 26 * bevel(u - joint, v - joint, w - joint, h - joint, 3) + 62 * rough(x, y, size, seed)
  end
end

local function plates(size, w, seed, rivets)
  return function(x, y)
    local u, v = x % w, y % w
    local tone = 128 + 34 * bevel(u, v, w, w, 3) + 30 * rough(x, y, size, seed) + 12 * (noise(x, y, size, 4, seed + 5) - 0.5)
    if rivets then
      local du, dv = math.min(u, w - 1 - u) - 8, math.min(v, w - 1 - v) - 8
      local square = du * du + dv * dv
      if square < 10 then tone = tone + 44 - 8 * (du + dv) elseif square < 20 then tone = tone - 36 end
    end
    return tone
  end
end

-- Every texture by its name, as the bytes of a PNG file.
function textures.all()
  local stone_ramp = { { 0, 14, 15, 18 }, { 60, 52, 55, 62 }, { 130, 112, 118, 128 }, { 255, 214, 220, 228 } }
  local all = {
    brick = png(256, masonry(256, 64, 32, 3, 11, 70),
      { { 0, 16, 13, 12 }, { 50, 62, 54, 48 }, { 110, 122, 78, 58 }, { 150, 158, 104, 78 }, { 255, 236, 190, 160 } }),
    stone = png(256, masonry(256, 128, 64, 4, 23, 40), stone_ramp),
    floor = png(256, function(x, y)
      local u, v, w = x % 64, y % 64, 64
      if u < 2 or v < 2 then return 36 + 30 * rough(x, y, 256, 33) end
      local odd = (x // 64 + y // 64) % 2
      return 112 + 30 * odd + 16 * (hash(x // 64, y // 64, 31) - 0.5) + 20 * bevel(u - 2, v - 2, w - 2, w - 2, 2) + 46 * rough(x, y, 256, 35)
    end, { { 0, 18, 16, 14 }, { 60, 58, 54, 48 }, { 130, 118, 110, 98 }, { 255, 226, 216, 198 } }),
    ceiling = png(128, function(x, y)
      local line = (x < 2 or y < 2) and -34 or (x < 4 or y < 4) and 16 or 0
      return 138 + line + 56 * rough(x, y, 128, 41)
    end, { { 0, 20, 19, 17 }, { 130, 134, 128, 116 }, { 255, 236, 230, 214 } }),
    trim = png(128, plates(128, 64, 51, true), { { 0, 12, 13, 15 }, { 128, 92, 98, 108 }, { 255, 206, 214, 226 } }),
    crate = png(128, function(x, y)
      local edge = math.min(x, y, 127 - x, 127 - y)
      local grain = 46 * (noise(x, y, 128, 16, 61) - 0.5) + 40 * (noise(x * 4 % 128, y, 128, 8, 63) - 0.5) + 18 * (hash(x, y, 62) - 0.5)
      if edge < 16 then return 136 + grain * 0.7 + 30 * bevel(x, y, 128, 128, 3) - (edge > 13 and 40 or 0) end
      local across = math.abs(x - y)
      if across < 14 then return 140 + grain * 0.7 - (across > 11 and 46 or 0) end
      return 104 + grain - (y % 16 < 2 and 44 or 0)
    end, { { 0, 18, 11, 6 }, { 90, 84, 56, 30 }, { 140, 140, 98, 56 }, { 255, 236, 196, 140 } }),
    door = png(128, function(x, y)
      local stripe = y >= 48 and y < 80
      if stripe then
        local bright = (x + y) % 32 < 16
        return (bright and 226 or 20) + 26 * rough(x, y, 128, 71) - ((y < 50 or y >= 78) and 20 or 0)
      end
      return math.min(170, plates(128, 64, 73, true)(x, y))
    end, { { 0, 16, 16, 18 }, { 128, 96, 104, 116 }, { 185, 150, 158, 168 }, { 200, 190, 150, 40 }, { 255, 250, 206, 70 } }),
    lamp = png(64, function(x, y)
      local edge = math.min(x, y, 63 - x, 63 - y)
      if edge < 4 then return 70 + 8 * edge end
      return 225 + math.min(28, edge)
    end, { { 0, 30, 30, 32 }, { 120, 110, 110, 108 }, { 200, 240, 232, 210 }, { 255, 255, 252, 240 } }),
  }
  return all
end

return textures
