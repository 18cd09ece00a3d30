-- What the pickups of Quake III and OpenArena look like: models by classname, and how they turn and bob.
--
-- `models` lists the parts; `spin` is a whole turn in seconds; a `ring` turns the other way.
local pickups = {}

local P, W = "models/powerups/", "models/weapons2/"

local function weapon(path) return { models = { W .. path }, weapon = true } end
local function ammo(name) return { models = { P .. "ammo/" .. name } } end
local function health(name) return { models = { P .. "health/" .. name .. "_cross", P .. "health/" .. name .. "_sphere" }, fast = true } end
local function power(name) return { models = { P .. "instant/" .. name, P .. "instant/" .. name .. "_ring" }, ring = true } end

pickups.list = {
  weapon_gauntlet = weapon "gauntlet/gauntlet",
  weapon_machinegun = weapon "machinegun/machinegun",
  weapon_shotgun = weapon "shotgun/shotgun",
  weapon_grenadelauncher = weapon "grenadel/grenadel",
  weapon_rocketlauncher = weapon "rocketl/rocketl",
  weapon_lightning = weapon "lightning/lightning",
  weapon_railgun = weapon "railgun/railgun",
  weapon_plasmagun = weapon "plasma/plasma",
  weapon_bfg = weapon "bfg/bfg",
  weapon_grapplinghook = weapon "grapple/grapple",
  weapon_nailgun = { models = { "models/weapons/nailgun/nailgun" }, weapon = true },
  weapon_prox_launcher = { models = { "models/weapons/proxmine/proxmine" }, weapon = true },
  weapon_chaingun = { models = { "models/weapons/vulcan/vulcan" }, weapon = true },

  ammo_bullets = ammo "machinegunam", ammo_shells = ammo "shotgunam", ammo_grenades = ammo "grenadeam",
  ammo_cells = ammo "plasmaam", ammo_lightning = ammo "lightningam", ammo_rockets = ammo "rocketam",
  ammo_slugs = ammo "railgunam", ammo_bfg = ammo "bfgam", ammo_nails = ammo "nailgunam",
  ammo_mines = ammo "proxmineam", ammo_belt = ammo "chaingunam",

  item_armor_shard = { models = { P .. "armor/shard", P .. "armor/shard_sphere" } },
  item_armor_combat = { models = { P .. "armor/armor_yel" } },
  item_armor_body = { models = { P .. "armor/armor_red" } },
  item_health_small = health "small", item_health = health "medium", item_health_large = health "large",
  item_health_mega = health "mega",
  item_quad = power "quad", item_enviro = power "enviro", item_haste = power "haste", item_invis = power "invis",
  item_regen = power "regen", item_flight = power "flight",
  holdable_teleporter = { models = { P .. "holdable/teleporter" } },
  holdable_medkit = { models = { P .. "holdable/medkit", P .. "holdable/medkit_sphere" } },
  team_CTF_redflag = { models = { "models/flags/r_flag" }, still = true },
  team_CTF_blueflag = { models = { "models/flags/b_flag" }, still = true },
  team_CTF_neutralflag = { models = { "models/flags/n_flag" }, still = true },
}

local SUSPENDED = 1

-- The look of an item by its classname, whose letters' case the game does not mind; nil: it is no item.
function pickups.look(classname)
  return pickups.list[classname] or pickups.list[(classname or ""):lower()]
end

-- Every item of the entity text, at the place where the game lets it fall to: { index, class, look, origin }.
function pickups.of_map()
  local list = {}
  for i = 1, lw.entities.count() - 1 do
    local entity = lw.entities.lump(i)
    local look, origin = pickups.look(entity.classname), entity:vector("origin")
    if look and origin then
      local flags = tonumber(entity.spawnflags or "0") or 0
      if flags % (2 * SUSPENDED) < SUSPENDED then
        local hit = lw.trace.box(origin, origin - lw.vec3(0, 0, 4096), { -15, -15, -15 }, { 15, 15, 15 })
        if not hit.start_solid then origin = hit.endpos end
      end
      list[#list + 1] = { index = i, class = entity.classname, look = look, origin = origin }
    end
  end
  return list
end

-- Draws an item as the game does at a time in seconds: each bobs at a pace of its own; returns whether any part is seen.
function pickups.draw(item, time, style)
  local look, seen = item.look, false
  local pace = 5 + item.index * 0.01
  local bob = look.still and 0 or 4 + math.cos((time + 1) * pace) * 4
  local yaw = look.still and 0 or time * 360 / (look.fast and 1.024 or 2.048) % 360
  style.scale = look.weapon and 1.5 or 1
  for i, model in ipairs(look.models) do
    local ring = look.ring and i == 2
    style.origin = item.origin + lw.vec3(0, 0, bob + (look.weapon and 8 or 0) + (ring and 12 or 0))
    style.angles = lw.vec3(0, ring and -time * 360 / 1.024 % 360 or yaw, 0)
    if lw.draw.model(model, style) then seen = true end
  end
  return seen
end

return pickups
