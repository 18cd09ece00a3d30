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

-- Team Arena's, of which OpenArena has some.
for class, path in pairs { item_scout = "scout", item_guard = "guard", item_doubler = "doubler", item_ammoregen = "ammo",
  holdable_kamikaze = "kamikazi", holdable_invulnerability = "holdable/invulnerability", holdable_portal = "holdable/porter" } do
  pickups.list[class] = { models = { P .. path } }
end

-- What items look like in Nexuiz, under names that both games have too.
local nexuiz = {}
local function items_of(folder, names, weapons)
  for class, path in pairs(names) do nexuiz[class] = { models = { folder .. path }, weapon = weapons } end
end
items_of("models/items/", { item_rockets = "a_rockets", item_shells = "a_shells", item_bullets = "a_bullets", item_cells = "a_cells",
  item_armor_small = "g_a1", item_armor1 = "g_a1", item_armor_medium = "g_armormedium", item_armor_large = "g_a25",
  item_armor25 = "g_a25", item_health_small = "g_h1", item_health1 = "g_h1", item_health_medium = "g_h25", item_health25 = "g_h25",
  item_health_large = "g_h50", item_health_mega = "g_h100", item_health100 = "g_h100", item_strength = "g_strength",
  item_invincible = "g_invincible" })
items_of("models/weapons/", { weapon_shotgun = "g_shotgun", weapon_machinegun = "g_uzi", weapon_uzi = "g_uzi",
  weapon_grenadelauncher = "g_gl", weapon_rocketlauncher = "g_rl", weapon_electro = "g_electro", weapon_crylink = "g_crylink",
  weapon_nex = "g_nex", weapon_railgun = "g_nex", weapon_hagar = "g_hagar", weapon_hlac = "g_hlac", weapon_laser = "g_laser",
  weapon_minstanex = "g_minstanex", weapon_porto = "g_porto", weapon_tuba = "g_tuba", weapon_hook = "g_hookgun",
  weapon_campingrifle = "g_campingrifle" }, true)
local nexuiz_only = {}
for class, look in pairs(nexuiz) do
  nexuiz_only[class] = not pickups.list[class]
  if pickups.list[class] then pickups.list[class].other = look else pickups.list[class] = look end
end

-- The box of items: Quake III builds them around their origin; Nexuiz, on it. A level with items of Nexuiz alone is one of its.
local box_of = {}
function pickups.box()
  if box_of.map ~= lw.map.name then
    local low = -15
    for _, number in ipairs(lw.entities.find { classname = "item_.*" }) do
      if nexuiz_only[lw.entities.lump(number).classname] then low = 0 end
    end
    box_of = { map = lw.map.name, mins = lw.vec3(-15, -15, low), maxs = lw.vec3(15, 15, low + 30) }
  end
  return box_of.mins, box_of.maxs
end

-- The look whose model the game at hand has: an item's own, or that of the other game. nil: neither is there.
function pickups.at_hand(look)
  if not look or lw.draw.model_info(look.models[1]) then return look end
  return pickups.at_hand(look.other)
end

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
        local up = lw.vec3(0, 0, pickups.box().z == 0 and 1 or 0)
        local hit = lw.trace.box(origin + up, origin - lw.vec3(0, 0, 4096), pickups.box())
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
  if item.found == nil then item.found = pickups.at_hand(look) or look end
  look = item.found
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
