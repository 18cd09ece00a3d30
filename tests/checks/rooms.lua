-- The level of ours in maps/ is what its script writes, byte for byte: nobody edits it by hand, and the script gives the
-- same on every machine. Run as `lua5.4 tests/checks/rooms.lua SOURCE_FOLDER`.
local root = arg[1] or "."

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local bytes = file:read("a")
  file:close()
  return bytes
end

local folder = io.popen("mktemp -d"):read("l")
assert(os.execute(("lua5.4 '%s/maps/rooms.lua' '%s'"):format(root, folder)), "maps/rooms.lua failed")
local pipe = io.popen(("cd '%s' && find . -type f | sort"):format(folder))
local count, faults = 0, 0
for name in pipe:lines() do
  count = count + 1
  if read(folder .. "/" .. name) ~= read(root .. "/maps/" .. name) then
    faults = faults + 1
    print(("maps/%s is not what maps/rooms.lua writes"):format(name:sub(3)))
  end
end
pipe:close()
os.execute(("rm -rf '%s'"):format(folder))
assert(count >= 9, "maps/rooms.lua wrote too little")
print(("%d files, %d differ"):format(count, faults))
os.exit(faults == 0 and 0 or 1)
