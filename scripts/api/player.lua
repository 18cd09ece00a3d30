---@meta
-- lw.player: The one who walks through the level.
-- Written by the program from its binding rows.

---@class lw.player
---@field origin vec3 Where the player is (24 above his feet).
---@field velocity vec3 Units a second.
---@field angles vec3 Where the player looks.
---@field on_ground boolean Whether he stands on something. Read only.
---@field water integer How deep he is in a liquid: 0 not, 1 feet, 2 waist, 3 eyes. Read only.
---@field health integer 100 at first.
---@field gravity number What pulls him down, units a second each second: worldspawn's gravity, 800 without that key.
---@field items table What he carries: counts by name. Read only.
---@field mode string "walk", "fly" (the eye flies where it likes), "noclip" (goes through walls, touches nothing) or "spectate" (flies, stopped by walls; of triggers only teleporters and doors take notice).
---@field team string? "red" or "blue"; nil: of every team, so that what is for one only works.
---@field entity entity The player as an entity, as behaviours meet him. Read only.
lw.player = {}

---Puts the player there, with velocity 0.
---@param p point
---@param angles? point
---@overload fun(p_x: number, p_y: number, p_z: number, angles_x: number, angles_y: number, angles_z: number)
function lw.player.teleport(p, angles) end

---Sets the player's velocity: a jump pad's throw.
---@param velocity point
---@overload fun(x: number, y: number, z: number)
function lw.player.push(velocity) end

---For so long the player only slides: after a teleport or a blow.
---@param seconds number
function lw.player.stun(seconds) end

---How the player moves in the next steps: { forward, side, up, jump, crouch }; nil: by the keys again.
---@param input? table
function lw.player.move(input) end

---Takes from the player's health; at 0 it is refilled.
---@param amount number
function lw.player.hurt(amount) end

---Adds to what the player carries.
---@param item string
---@param count? number
function lw.player.give(item, count) end
