# setup.sh -- what ./run and ./test share: installing Debian packages and building presets quietly.
#
# Sourced by plain sh with $root set to the source folder. Written for a bare Debian 12, where there is a shell, apt and
# little else. Progress goes to stderr: stdout belongs to the program and to ctest.

build_packages="gcc libc6-dev cmake ninja-build pkg-config python3-glad liblua5.4-dev libsdl2-dev libzip-dev libcglm-dev
libstb-dev libpng-dev libegl1 libgl1-mesa-dri fonts-dejavu-core ffmpeg"
test_packages="libcmocka-dev lua5.4 lua-unit"
fuzz_packages="clang libclang-rt-14-dev"
game_packages="openarena-081-maps openarena-081-textures openarena-data"
level_packages="$game_packages openarena-085-data openarena-088-data openarena-oacmp1 nexuiz-data"

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# Prints those of the packages named that are not installed.
missing_packages() {
    installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true) "
    for package in "$@"; do
        case "$installed" in *" installed:$package "*) ;; *) printf '%s ' "$package" ;; esac
    done
}

# install_packages WHAT-FOR PACKAGE... installs what is missing of them; status 1 when it cannot, with the reason said.
install_packages() {
    reason=$1; shift
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "No Debian here: install by hand (Debian's names) for $reason: $(echo "$@")"
        return 1
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    as_root=""
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "For $reason, as root: apt-get install --no-install-recommends $missing"
            return 1
        fi
        as_root=sudo
    fi
    # Asking apt with --assume-no tells the size. Lists that are missing or old do not know the packages: fetch them.
    size=$(package_size $missing)
    if [ -z "$size" ] || [ -z "$(ls /var/lib/apt/lists/*_Packages* 2>/dev/null)" ]; then
        say "Fetching the lists of Debian's packages ..."
        $as_root apt-get update -qq >&2 || say "apt-get update failed; trying with the lists that are there"
        size=$(package_size $missing)
    fi
    if [ -z "$size" ]; then
        say "Debian's lists do not have all of what is needed for $reason: $missing"
        return 1
    fi
    say "Installing for $reason: $missing"
    say "$size"
    log=$(mktemp)
    if $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
        </dev/null >"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "Installing for $reason failed."
    return 1
}

# Prints apt's two lines "Need to get ..." and "After this operation ..."; nothing when apt does not know a package.
package_size() {
    LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" </dev/null 2>/dev/null |
        grep -E '^(Need to get|After this operation)' || true
}

# On Debian the packages come from apt; elsewhere the tools may be there under other names: then go on.
need_packages() {
    install_packages "$@" && return 0
    for tool in cmake ninja pkg-config; do
        command -v $tool >/dev/null || fail "$tool is missing: cannot build."
    done
}

# build_preset PRESET [CMAKE-ARGUMENT...] configures and builds; shows output only of a failure.
build_preset() {
    preset=$1; shift
    log="$root/build/$preset.log"
    mkdir -p "$root/build"
    if [ ! -f "$root/build/$preset/build.ninja" ]; then
        say "Building ($preset) ..."
    fi
    (
        cd "$root"
        # A configured build re-configures itself when its files change; other options need a new run of cmake.
        if [ ! -f "build/$preset/build.ninja" ] || [ "$(cat "build/$preset/.options" 2>/dev/null)" != "$*" ]; then
            cmake --preset "$preset" "$@" && echo "$*" >"build/$preset/.options"
        fi && cmake --build --preset "$preset"
    ) </dev/null >"$log" 2>&1 || { cat "$log" >&2; fail "Building ($preset) failed."; }
}
