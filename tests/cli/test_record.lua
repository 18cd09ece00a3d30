-- record: films that are the same each time, in one run or in parts, and what is told when the world refuses.
package.path = (arg[1] or ".") .. "/tests/cli/?.lua;" .. package.path
local unit = require "luaunit"
local program = require "program"
local run, fails, level, read = program.run, program.fails, program.level, program.read

-- Moves the eye by all that could differ from run to run: order of tables, chance, clocks, the player's way.
local script = program.write("flight.lua", [[
local film = {}
local bag = { one = 1, two = 2, three = 3, four = 4, five = 5, six = 6, [7] = 7, [true] = 8 }
local yaw, order = 0, {}
function film.load() lw.player.mode = "walk" lw.player.move { forward = 1 } end
function film.update(dt)
  assert(dt == 1 / 30, dt)
  order = {}
  for key in pairs(bag) do order[#order + 1] = tostring(key) end
  assert(next(bag) == 7 and table.concat(order, " ") == "7 five four one six three two true", table.concat(order, " "))
  yaw = yaw + #order[1 + lw.time.frame() % #order] + math.random() * 3
  assert(math.abs(os.clock() - lw.time.now()) < 1e-9 and os.time() == math.floor(lw.time.now()))
  assert(lw.time.now() == lw.time.frame() / 30)
  lw.camera.fov = 80 + lw.time.frame() % 7
  lw.camera.angles = { 0, yaw, 0 }
end
function film.draw(view) lw.draw.box(view.origin + view.forward * 40 - lw.vec3(4, 4, 4), view.origin + view.forward * 40 + lw.vec3(4, 4, 4)) end
function film.overlay(w, h) lw.ui.text(4, 4, lw.time.frame() .. " " .. #lw.vis.drawn().faces) end
return film
]])

local function path(name) return program.folder .. "/" .. name end

local function record(out, words)
  local all = { "record", level, script, "-o", out, "--size", "64x36", "--fps", "30", "--rasterizer", "soft" }
  for _, word in ipairs(words) do all[#all + 1] = word end
  return all
end

local function film(name, words)
  local status, out, err = run(record(path(name), words))
  unit.assertEquals({ status, out, err }, { 0, "", "" }, name)
  return read(path(name))
end

local header = "YUV4MPEG2 W64 H36 F30:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n"
local frame_size = #"FRAME\n" + 3 * 64 * 36

TestRecord = {}

function TestRecord:test_the_same_film_twice_has_the_same_bytes()
  local first, second = film("a.y4m", { "--frames", "0-23" }), film("b.y4m", { "--frames", "0-23" })
  unit.assertEquals(#first, #header + 24 * frame_size)
  unit.assertEquals(first:sub(1, #header), header)
  unit.assertTrue(first == second)
  local frames = {}
  for i = 0, 23 do frames[first:sub(#header + i * frame_size + 1, #header + (i + 1) * frame_size)] = true end
  local count = 0
  for _ in pairs(frames) do count = count + 1 end
  unit.assertEquals(count, 24, "every frame is another one")
end

function TestRecord:test_four_parts_joined_are_the_whole()
  local whole, joined = film("whole.y4m", { "--frames", "0-19" }), header
  for part = 0, 3 do
    local bytes = film("part" .. part .. ".y4m", { "--frames", ("%d-%d"):format(part * 5, part * 5 + 4) })
    joined = joined .. bytes:sub(#header + 1)
  end
  unit.assertTrue(whole == joined)
end

-- Flares come and go by the frames before: a part of a film begins as the whole goes on. The flare is a face of our level.
function TestRecord:test_parts_with_flares_are_the_whole()
  local bytes = read(level)
  local faces = string.unpack("<i4", bytes, 9 + 8 * 13)
  local function put(at, format, ...)
    local value = string.pack(format, ...)
    bytes = bytes:sub(1, faces + at) .. value .. bytes:sub(faces + at + #value + 1)
  end
  put(8, "<i4", 4)
  put(48, "<fff", 56, 200, 50)
  put(60, "<fff", 1, 1, 1)
  put(84, "<fff", 0, 0, 0)
  local own, turning = program.write("flare.bsp", bytes), program.write("turning.lua", [[
    return { update = function()
      lw.camera.origin = lw.vec3(56, 64, 50)
      lw.camera.angles = { 0, 90 + 60 * math.sin(lw.time.frame()), 0 }
    end, draw = function() end }
  ]])
  local function part(name, frames, flares)
    local status, out, err = run { "record", own, turning, "-o", path(name), "--size", "64x36", "--fps", "30", "--rasterizer", "soft", "--frames", frames, "--set", "r.flares=" .. flares }
    unit.assertEquals({ status, out, err }, { 0, "", "" }, name)
    return read(path(name)):sub(#header + 1)
  end
  local whole = part("flares.y4m", "0-19", 1)
  unit.assertTrue(part("flares1.y4m", "0-8", 1) .. part("flares2.y4m", "9-19", 1) == whole)
  local without, differ = part("dark.y4m", "0-19", 0), 0
  for i = 0, 19 do differ = differ + (whole:sub(i * frame_size + 1, (i + 1) * frame_size) ~= without:sub(i * frame_size + 1, (i + 1) * frame_size) and 1 or 0) end
  unit.assertTrue(differ > 5, differ .. " frames with a flare")
end

-- With blur there are several updates a frame, so the strict script above is not for it.
function TestRecord:test_blurred_parts_are_the_whole_too()
  local strict = script
  script = program.write("plain.lua", "return { update = function() lw.camera.angles = { 0, lw.time.now() * 90, 0 } end }")
  local whole, part = film("blur.y4m", { "--frames", "0-3", "--blur", "3" }), film("blur2.y4m", { "--frames", "2-3", "--blur", "3" })
  local sharp = film("sharp.y4m", { "--frames", "0-3" })
  script = strict
  unit.assertTrue(whole:sub(#header + 2 * frame_size + 1) == part:sub(#header + 1))
  unit.assertFalse(whole == sharp)
end

function TestRecord:test_seconds_say_how_many_frames()
  unit.assertEquals(#film("s.y4m", { "--seconds", "0.2" }), #header + 6 * frame_size)
end

function TestRecord:test_pictures_and_passes_stand_in_folders()
  local all = "color,depth,normal,face,leaf,cluster,material,lightmap,overdraw"
  local status, out, err = run(record(path("seq/%04d.png"), { "--frames", "3-4", "--passes", all }))
  unit.assertEquals({ status, out, err }, { 0, "", "" })
  for _, name in ipairs { "0003.png", "0004.png", "depth/0003.pfm", "depth/0004.png", "normal/0003.png", "face/0003.png", "leaf/0004.png",
    "cluster/0003.png", "material/0003.png", "lightmap/0003.png", "overdraw/0003.png", "film.json" } do
    unit.assertTrue(#read(path("seq/" .. name)) > 0, name)
  end
  unit.assertEquals(#read(path("seq/depth/0003.pfm")), #"Pf\n64 36\n-1.0\n" + 64 * 36 * 4)
  local json = read(path("seq/film.json"))
  for _, word in ipairs { '"level_hash"', '"fps": [30, 1]', '"rasterizer": "soft"', "flight.lua", '"soft.filter"' } do
    unit.assertStrContains(json, word)
  end
  unit.assertStrContains(fails(record(path("seq/%04d.png"), { "--frames", "4-5" }), 1), "0004.png")
  unit.assertStrContains(fails(record(path("x.y4m"), { "--passes", "color,depht" }), 1), "depht")
end

function TestRecord:test_what_is_there_stays()
  local name = program.write("there.y4m", "precious")
  unit.assertStrContains(fails(record(name, { "--frames", "0-1" }), 1), "--force")
  unit.assertEquals(read(name), "precious")
  film("there.y4m", { "--frames", "0-1", "--force" })
end

function TestRecord:test_places_that_cannot_be_written_are_told()
  os.execute("ln -sf /dev/full " .. program.quoted(path("full.y4m")))
  unit.assertStrContains(fails(record(path("full.y4m"), { "--frames", "0-1" }), 1), "No space left")
  unit.assertStrContains(fails(record("/no/such/folder/x.y4m", { "--frames", "0-1" }), 1), "/no/such/folder")
  unit.assertStrContains(fails(record("/proc/x/%05d.png", { "--frames", "0-1" }), 1), "/proc/x")
end

function TestRecord:test_a_disk_that_fills_up_leaves_whole_frames()
  local blocks = 40    -- of 512 bytes
  local status = os.execute(("sh -c %s"):format(program.quoted(("ulimit -f %d; trap '' XFSZ; %s record %s %s -o %s --size 64x36 --fps 30 --rasterizer soft --frames 0-9 2>%s")
    :format(blocks, program.path, level, script, path("small.y4m"), path("small.err")))))
  unit.assertNotEquals(status, true)
  unit.assertStrContains(read(path("small.err")), "frame 2")
  unit.assertEquals(#read(path("small.y4m")), #header + 2 * frame_size)
end

function TestRecord:test_an_encoder_that_dies_ends_the_film_with_its_frame()
  local folder = path("bin")
  os.execute("mkdir -p " .. program.quoted(folder))
  program.write("bin/ffmpeg", "#!/bin/sh\nhead -c 20000 >/dev/null\necho 'no such codec: frobnitz' >&2\nexit 7\n")
  os.execute("chmod +x " .. program.quoted(folder .. "/ffmpeg"))
  local words = record(path("dead.mp4"), { "--frames", "0-400" })
  words.environment = "PATH=" .. program.quoted(folder .. ":/usr/bin:/bin")
  local err = fails(words, 1)
  unit.assertStrContains(err, "frobnitz")
  unit.assertStrContains(err, "the frames before ")
  unit.assertStrContains(read(path("dead.mp4.ffmpeg.log")), "frobnitz")
end

function TestRecord:test_a_film_that_is_stopped_is_whole()
  os.execute(("sh -c %s"):format(program.quoted(("%s record %s %s -o %s --size 64x36 --fps 30 --rasterizer soft --frames 0-90000 2>%s & sleep 2; kill -INT $!; wait $!")
    :format(program.path, level, script, path("stopped.y4m"), path("stopped.err")))))
  unit.assertStrContains(read(path("stopped.err")), "stopped by signal")
  local bytes = #read(path("stopped.y4m"))
  unit.assertTrue(bytes > #header and (bytes - #header) % frame_size == 0, bytes)
end

function TestRecord:test_standard_output_takes_a_film_until_its_reader_ends()
  local whole = film("stdout.y4m", { "--frames", "0-3" })
  local command = ("%s record %s %s -o - --size 64x36 --fps 30 --rasterizer soft --frames 0-2000 2>%s | head -c 20000 | wc -c >%s")
    :format(program.path, level, script, path("pipe.err"), path("pipe.out"))
  os.execute("sh -c " .. program.quoted(command))
  unit.assertStrContains(read(path("pipe.err")), "Broken pipe")
  unit.assertStrContains(read(path("pipe.out")), "20000")
  os.execute(("sh -c %s"):format(program.quoted(("%s record %s %s -o - --size 64x36 --fps 30 --rasterizer soft --frames 0-3 >%s"):format(program.path, level, script, path("out.y4m")))))
  unit.assertTrue(read(path("out.y4m")) == whole)
end

function TestRecord:test_a_script_that_fails_ends_the_film()
  local broken = program.write("broken.lua", "return { update = function() if lw.time.frame() == 3 then error('by design') end end }")
  local err = select(3, run { "record", level, broken, "-o", path("broken.y4m"), "--size", "64x36", "--fps", "30", "--rasterizer", "soft" })
  unit.assertStrContains(err, "frame 3")
  unit.assertStrContains(err, "by design")
  unit.assertEquals(#read(path("broken.y4m")), #header + 3 * frame_size)
end

function TestRecord:test_a_script_may_end_the_film()
  local short = program.write("short.lua", "return { update = function() if lw.time.frame() == 4 then lw.record.stop() end end }")
  unit.assertEquals((run { "record", level, short, "-o", path("short.y4m"), "--size", "64x36", "--fps", "30", "--rasterizer", "soft" }), 0)
  unit.assertEquals(#read(path("short.y4m")), #header + 5 * frame_size)
end

function TestRecord:test_a_path_ends_its_film()
  program.write("way.txt", ("0 0 64 0 0 0 90\n"):rep(12))    -- a line a frame of 60 a second: 11/60 s
  local words = { "record", level, program.root .. "/scripts/tools/fly.lua", "-o", path("fly.y4m"), "--size", "64x36", "--fps", "30", "--rasterizer", "soft",
    "--path", program.folder, "--set", "camera.path=way.txt" }
  local status, out, err = run(words)
  unit.assertEquals({ status, out, err }, { 0, "", "" })
  unit.assertEquals(#read(path("fly.y4m")), #header + 7 * frame_size)
end

-- Counted in instructions: endless code ends, and at the same place however fast the machine is.
function TestRecord:test_a_budget_is_counted_in_instructions()
  local endless = program.write("endless.lua", "return { update = function() while true do end end }")
  local err = select(3, run { "record", level, endless, "-o", path("endless.y4m"), "--size", "64x36", "--rasterizer", "soft", "--budget", "0.1" })
  unit.assertStrContains(err, "budget")
end

function TestRecord:test_wrong_words_are_refused()
  for _, words in ipairs { { "--fps", "0" }, { "--fps", "x" }, { "--fps", "5/0" }, { "--frames", "5-2" }, { "--frames", "-1" }, { "--frames", "1.5-3" },
    { "--frames", "0-1", "--seconds", "2" }, { "--blur", "0" }, { "--shutter", "400" } } do
    local all = record(path("never.y4m"), words)
    fails(all, 2)
  end
  fails({ "record", level, script }, 2)
  fails({ "record", level, script, "-o", path("x.avi") }, 2)
  fails({ "record", level }, 2)
  unit.assertEquals(read(path("never.y4m")), "")
end

program.finish(unit)
