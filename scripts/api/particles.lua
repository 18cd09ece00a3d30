---@meta
-- lw.particles: Thousands of small squares that fly through the level by its clock.
-- Written by the program from its binding rows.

---@class lw.particles
lw.particles = {}

---Particles born now, `count` of them (1): { origin, velocity, gravity, life, size, size_to, color, color_to } and how they differ by chance: box (of origins), spread (of velocities), life_spread and size_spread (0..1); how many were taken.
---@param what table
---@return integer
function lw.particles.emit(what) end

---The same at each of many points: a list of points, or of numbers x, y, z, x, y, z, ...; how many were taken.
---@param what table
---@param points table
---@return integer
function lw.particles.at(what, points) end

---How many are alive.
---@return integer
function lw.particles.count() end

---Takes all of them away.
function lw.particles.clear() end
