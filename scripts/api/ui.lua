---@meta
-- lw.ui: Letters, rectangles, pictures, plots and controls on the screen.
-- Written by the program from its binding rows.

---@class lw.ui
lw.ui = {}

---Letters from the top left; style.font, style.size in pixels. Returns how wide and high they are.
---@param x number
---@param y number
---@param text any
---@param style? style
---@return number
---@return number
function lw.ui.text(x, y, text, style) end

---How wide and high a text would be.
---@param text any
---@param style? style
---@return number
---@return number
function lw.ui.measure(text, style) end

---A font of the program's or the user's fonts/ as a style { font, size, line, ascent }; "" is the default; nil and why when there is none.
---@param name string
---@param size? number
---@return table?
---@return string?
function lw.ui.font(name, size) end

---A rectangle: its border, style.width pixels thick, or filled with fill = true.
---@param x number
---@param y number
---@param width number
---@param height number
---@param style? style
function lw.ui.rect(x, y, width, height, style) end

---A picture or the texture of that name, tinted with style.color.
---@param x number
---@param y number
---@param image image|string
---@param width? number
---@param height? number
---@param style? style
function lw.ui.image(x, y, image, width, height, style) end

---A curve of numbers from left to right, filled below with fill = true; style.low and style.high are what stands at the bottom and the top.
---@param x number
---@param y number
---@param width number
---@param height number
---@param values number[]
---@param style? style
function lw.ui.plot(x, y, width, height, values, style) end

---Begins a panel: the controls called after it stand in it, one below the other. Its clicks are kept from others.
---@param title string
---@param x number
---@param y number
---@param width? number
function lw.ui.panel(title, x, y, width) end

---A line of text in the panel.
---@param text any
function lw.ui.label(text) end

---A button; true in the frame after it was clicked.
---@param label string
---@return boolean
function lw.ui.button(label) end

---A box to tick: its new state, and whether it changed.
---@param label string
---@param on boolean
---@return boolean
---@return boolean
function lw.ui.checkbox(label, on) end

---A number to drag: its new value, and whether it changed.
---@param label string
---@param value number
---@param low number
---@param high number
---@param step? number
---@return number
---@return boolean
function lw.ui.slider(label, value, low, high, step) end

---One of several texts, the next at each click: the chosen one, and whether it changed.
---@param label string
---@param value any
---@param choices string[]
---@return string
---@return boolean
function lw.ui.choice(label, value, choices) end

---A text to type, once it was clicked: what it is now, and whether return ended it.
---@param label string
---@param text string
---@return string
---@return boolean
function lw.ui.input(label, text) end
