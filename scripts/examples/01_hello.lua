-- The smallest script: a table of callbacks. Save this file while it runs, and the change is on the screen at once.
local hello = {}

function hello.overlay(width, height)
  local text = "Hello from " .. (lw.map.name or "nowhere")
  local style = { size = 32, color = "#ffd070" }
  local w, h = lw.ui.measure(text, style)
  lw.ui.text((width - w) / 2, (height - h) / 3, text, style)
end

return hello
