-- Films every door, button, plat, train, jump pad and teleporter of a level while a player walks into it, one after another:
--
--     leafwalk --game openarena record oa_dm2 scripts/tools/mover_film.lua -o movers.mp4 --seconds 600
--
-- The film ends by itself after the last one. film.kinds names the classes, film.each how many of a class are shown.
local hud = require "hud"

local film = { name = "film of movers", help = "Walks into each thing that moves or moves you, and films it." }

local CLASSES = "func_door func_button func_plat func_train trigger_push trigger_teleport func_bobbing func_rotating func_pendulum"
lw.console.variable("film.kinds", CLASSES, "mover_film: the classes that are filmed, in this order")
lw.console.variable("film.each", 4, "mover_film: how many of a class are filmed")

local LOW, HIGH, STEP = lw.vec3(-15, -15, -24), lw.vec3(15, 15, 32), lw.vec3(0, 0, 18)
local SECONDS, WALK_AFTER = 4, 0.5
local jobs, at, since, trail


local function sweep(from, to) return lw.trace.box(from, to, LOW, HIGH, { mask = "player", entities = true, ignore = lw.player.entity }) end

-- What is walked into: a mover's own trigger where it has one, of a door that somebody else opens that one's volume.
local function goal_of(e)
  if e.box and e.box.valid then return e.box end
  for _, other in ipairs(e.targetname and lw.entities.all() or {}) do
    local walked_into = other.classname == "trigger_multiple" or other.classname == "func_button"
    if walked_into and other.target and other.target:lower() == e.targetname:lower() then return other end
  end
  return e
end

-- A place to stand beside a goal, from which a straight way leads into it.
local function start_for(goal)
  local middle, half = (goal.absmin + goal.absmax) / 2, (goal.absmax - goal.absmin) / 2
  for _, away in ipairs { 90, 60, 130, 30, 200 } do
    for yaw = 0, 345, 15 do
      local way = lw.vec3(math.cos(math.rad(yaw)), math.sin(math.rad(yaw)), 0)
      local reach = math.min(half.x / math.max(math.abs(way.x), 1e-3), half.y / math.max(math.abs(way.y), 1e-3))
      for _, z in ipairs { goal.absmin.z + 26, middle.z, goal.absmax.z + 26 } do
        local from = lw.vec3(middle.x, middle.y, z) - way * (reach + away)
        if not sweep(from, from).start_solid then
          local floor = sweep(from, from - lw.vec3(0, 0, 96))
          local stands = floor.fraction < 1 and floor.normal.z > 0.7
          local on_way = stands and sweep(floor.endpos + STEP, floor.endpos + STEP + way * (away + math.min(reach, 8)))
          if stands and not on_way.start_solid and (on_way.fraction > 0.9 or on_way.entity == goal) then return floor.endpos, yaw end
        end
      end
    end
  end
end

local function middle_of(e) return (e.absmin + e.absmax) / 2 end

local function in_sight(eye, point, e)
  local hit = lw.trace.ray(eye, point, { entities = true, ignore = lw.player.entity })
  return not hit.start_solid and (hit.fraction > 0.97 or (e and hit.entity == e))
end

-- An eye that sees the player where he stands and the thing, from neither too near nor too far.
local function eye_for(stand, e)
  local subject = e and middle_of(e) + lw.vec3(0, 0, 12) or stand
  local between = (stand + subject) / 2
  local size = e and math.min((e.absmax - e.absmin):length() / 2, 400) or 0
  local best, best_score
  for _, far in ipairs { 120 + size, 200 + size, 300 + size } do
    for _, up in ipairs { 30, 90, 170 } do
      for yaw = 0, 345, 15 do
        local eye = between + lw.vec3(math.cos(math.rad(yaw)) * far, math.sin(math.rad(yaw)) * far, up)
        if lw.vis.cluster_at(eye) >= 0 and not lw.trace.ray(eye, eye + lw.vec3(0, 0, 1)).start_solid then
          local score = (in_sight(eye, subject, e) and 2 or 0) + (in_sight(eye, stand) and 1.5 or 0)
            + (in_sight(eye, subject, e) and in_sight(eye, stand + lw.vec3(0, 0, 24)) and 1 or 0) - far / 1000 - up / 1000
          if not best or score > best_score then best, best_score = eye, score end
        end
      end
    end
  end
  return best or stand + lw.vec3(0, 0, 60)
end

local function add_jobs(class)
  local count = 0
  for _, e in ipairs(lw.entities.all(class)) do
    if count >= lw.console.variable("film.each") then return end
    local moves_by_itself = class == "func_bobbing" or class == "func_rotating" or class == "func_pendulum" or class == "func_train"
    local goal = goal_of(e)
    local from, yaw = start_for(goal)
    if from or moves_by_itself then
      jobs[#jobs + 1] = { entity = e, goal = goal, from = from, yaw = yaw, class = class }
      count = count + 1
    end
  end
end

function film.map()
  jobs, at, since = nil, 0, 0
end

local function begin(job)
  local e = job.entity
  trail = {}
  job.from = job.from or middle_of(e) + lw.vec3(0, 0, 100)
  lw.player.mode = job.yaw and "walk" or "noclip"
  lw.player.teleport(job.from, lw.vec3(0, job.yaw or 0, 0))
  lw.player.angles = lw.vec3(0, job.yaw or 0, 0)
  lw.player.move {}
  job.eye = eye_for(job.from, e)
end

-- He walks on until he has been there: through a door, but not down from a plat or on from a teleporter's far end.
local function walk(job)
  local way = middle_of(job.goal) - lw.player.origin
  local yaw = math.rad(job.yaw or 0)
  if way.x * math.cos(yaw) + way.y * math.sin(yaw) < 16 then job.there = true end
  local stops = job.there and job.class ~= "func_door" or job.entity.state == "pos2" and job.goal.classname == "func_button"
  lw.player.move { forward = (not job.yaw or since < WALK_AFTER or stops) and 0 or 1 }
end

local function look(job)
  local p = lw.player.origin
  if (p - trail[#trail]):length() > 200 then    -- taken somewhere else: watched from there
    job.eye, job.there, job.gone = eye_for(p), true, true
  end
  local flies = job.class == "trigger_push" or job.gone or not job.yaw
  lw.camera.origin = job.eye
  lw.camera.look_at(flies and job.yaw and p or (p + middle_of(job.entity) * 2) / 3)
end

local function next_job()
  at, since = at + 1, 0
  if not jobs[at] then
    lw.log.info(("%s: %d movers filmed"):format(lw.map.name, #jobs))
    return lw.record.stop()
  end
  begin(jobs[at])
  trail[1] = lw.player.origin
end

function film.update(dt)
  if not jobs then
    if lw.time.now() < 0.5 then return end    -- items have fallen and doors have their boxes
    jobs, since = {}, SECONDS
    for class in lw.console.variable("film.kinds"):gmatch("%S+") do add_jobs(class) end
  end
  since = since + dt
  if since >= SECONDS then next_job() end
  local job = jobs[at]
  if not job or not job.entity.valid or not job.goal.valid then return end
  walk(job)
  look(job)
  trail[#trail + 1] = lw.player.origin
end

function film.draw()
  local job = jobs and jobs[at]
  if not job or not job.entity.valid then return end
  local p = lw.player.origin
  lw.draw.box(p + LOW, p + HIGH, { color = { 0.2, 0.9, 0.3, 0.5 }, fill = true })
  lw.draw.box(job.entity.absmin, job.entity.absmax, { color = { 1, 0.8, 0.2 } })
  for i = 2, #trail do
    if (trail[i] - trail[i - 1]):length() < 120 then lw.draw.line(trail[i - 1], trail[i], { color = { 0.2, 0.9, 0.3 }, width = 2 }) end
  end
end

function film.overlay(width, height)
  local job = jobs and jobs[at]
  if not job then return end
  local e = job.entity
  hud.panel("top left", width, height, {
    { ("%s, %d of %d"):format(lw.map.name, at, #jobs), style = hud.title },
    { tostring(e) },
    { "state", e.valid and (e.state or (e:moving() and "moves" or "still")) or "gone" },
    { "player", ("%.0f units/s%s"):format(lw.player.velocity:length(), lw.player.on_ground and "" or ", in the air") },
  })
end

return film
