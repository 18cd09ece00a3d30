-- target_print: shows its message.
local target = { help = "Shows its message." }

function target.use(self) lw.log.info((self:key("message", ""):gsub("\\n", "\n"))) end

return target
