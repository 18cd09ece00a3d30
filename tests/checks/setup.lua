-- Runs the set-up of tools/setup.sh on machines that are not this one: with programs of our own for dpkg-query, apt-get,
-- id and sudo, so that nothing is installed. Run as `lua5.4 tests/checks/setup.lua SOURCE_FOLDER`.
local root = arg[1] or "."
local folder = io.popen("mktemp -d"):read("l")

local function put(name, text)
  local file = assert(io.open(folder .. "/" .. name, "w"))
  file:write(text)
  file:close()
  assert(os.execute(("chmod +x '%s/%s'"):format(folder, name)))
end

-- A machine is a folder of programs: `tools` from this one, `fakes` written here.
local function machine(fakes)
  assert(os.execute(("rm -rf '%s' && mkdir -p '%s'"):format(folder, folder)))
  for _, tool in ipairs { "sh", "env", "cat", "mktemp", "rm", "tail", "grep", "ls" } do
    assert(os.execute(("ln -s \"$(command -v %s)\" '%s/%s'"):format(tool, folder, tool)))
  end
  for name, text in pairs(fakes) do put(name, "#!/bin/sh\n" .. text) end
end

local function run(line)
  local pipe = io.popen(("cd '%s' && env -i PATH='%s' LOG='%s/log' sh -c 'set -eu; root=.; . ./tools/setup.sh; %s' 2>&1; echo \"status $?\"")
    :format(root, folder, folder, line))
  local text = pipe:read("a")
  pipe:close()
  return text
end

local function log()
  local file = io.open(folder .. "/log")
  if not file then return "" end
  local text = file:read("a")
  file:close()
  return text
end

local function expect(what, text, ...)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then
      print(("%s: no \"%s\" in:\n%s"):format(what, part, text))
      os.execute(("rm -rf '%s'"):format(folder))
      os.exit(1)
    end
  end
end

-- dpkg-query knows of `have`; like the real one it fails when it does not know a package.
local dpkg = 'printf "installed:have not-installed:half "\nexit 1\n'
local apt = [[
echo "$*" >>"$LOG"
case "$*" in
*--assume-no*) case "$*" in *nowhere*) exit 100 ;; esac
    echo "Need to get 12 MB of archives."; echo "After this operation, 34 MB of additional disk space will be used." ;;
*nowhere* | *broken*) echo "E: no such thing"; exit 100 ;;
esac
]]

machine { ["dpkg-query"] = dpkg, ["apt-get"] = apt, id = "echo 0\n" }
expect("what is missing", run("missing_packages have half other"), "half other", "status 0")
local text = run("install_packages a-test have half other")
expect("installing", text, "Installing for a-test: half other", "Need to get 12 MB", "34 MB of additional", "status 0")
expect("what apt was asked", log(), "install -y -qq --no-install-recommends half other")
expect("nothing to do", run("install_packages a-test have"), "status 0")
assert(not run("install_packages a-test have"):find("Installing"), "installs what is there")
expect("no such package", run("install_packages a-test nowhere"), "do not have all", "nowhere", "status 1")
expect("apt fails", run("install_packages a-test broken"), "E: no such thing", "failed", "status 1")

machine { ["dpkg-query"] = dpkg, ["apt-get"] = apt, id = "echo 1000\n", sudo = 'echo "sudo $*" >>"$LOG"\nexec "$@"\n' }
expect("with sudo", run("install_packages a-test half"), "status 0")
expect("sudo's part", log(), "sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends half")

machine { ["dpkg-query"] = dpkg, ["apt-get"] = apt, id = "echo 1000\n" }
expect("without sudo", run("install_packages a-test half"), "as root: apt-get install --no-install-recommends half", "status 1")

machine {}
expect("no Debian", run("install_packages a-test half"), "install by hand", "half", "status 1")
expect("no Debian, no tools", run("need_packages a-test half"), "cmake is missing", "status 1")

os.execute(("rm -rf '%s'"):format(folder))
print("set-up: as it should be on five machines")
