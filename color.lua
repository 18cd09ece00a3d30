---@meta
-- lw.color: Colours: {r, g, b, a} of 0..1, "#rrggbb", "#rrggbbaa" or a name.
-- Written by the program from its binding rows.

---@class lw.color
lw.color = {}

---A colour of its parts, each 0..1.
---@param r number
---@param g number
---@param b number
---@param a? number
---@return number[]
function lw.color.rgb(r, g, b, a) end

---A colour by its hue (once around from 0 to 1), saturation and value.
---@param hue number
---@param saturation number
---@param value number
---@param a? number
---@return number[]
function lw.color.hsv(hue, saturation, value, a) end

---The colour at t (0..1) of the way from a to b.
---@param a color
---@param b color
---@param t number
---@return number[]
function lw.color.mix(a, b, t) end

---A bright colour for a number: the same for the same cluster, face or leaf everywhere.
---@param n integer
---@param a? number
---@return number[]
function lw.color.number(n, a) end

---The colour with another opacity.
---@param color color
---@param a number
---@return number[]
function lw.color.alpha(color, a) end

---The parts of a colour in any of its forms.
---@param color color
---@return number[]
function lw.color.of(color) end

---The colour as "#rrggbb", or "#rrggbbaa" where it is not opaque.
---@param color color
---@return string
function lw.color.hex(color) end

---The names that do as colours.
---@return string[]
function lw.color.names() end
