# Functions of the scripts that test other systems and other engines.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

# Ends the step; `cargo xtask check` shows the first reason in its table.
fail() {
    echo "$*" >&2
    [ -z "${REASON:-}" ] || [ -s "$REASON" ] || echo "$*" >"$REASON"
    exit 1
}
trap 'fail "${BASH_SOURCE[0]##*/}:$LINENO: $BASH_COMMAND"' ERR

# need PROGRAM PACKAGE
need() { command -v "$1" >/dev/null || fail "$1 is missing; \`apt-get install $2\` gets it"; }

# need_target TARGET
need_target() {
    rustup target list --installed | grep -qx "$1" && return
    [ "${CI:-}" = true ] || fail "the target $1 is missing; \`rustup target add $1\` gets it, or CI=true"
    rustup target add "$1"
}

# Target folder of the programs for other systems: build scripts and macros, which run on this machine, are built once.
# Programs are built for one run, so they are built as quickly as possible.
export CARGO_PROFILE_DEV_DEBUG=0
other=(--config profile.dev.package.oversleep-analysis.opt-level=0 --config profile.dev.package.oversleep-figures.opt-level=0 --config profile.dev.package.oversleep-sim.opt-level=0
    --target-dir target/kernels/build)

# wine_prefix: makes a prefix for Wine below target, kept from run to run; the user's is not touched. The path of libraries is
# searched last, so a Wine that has our library uses its own.
wine_prefix() {
    local gcc=x86_64-w64-mingw32-gcc
    need wine "wine wine64"
    need $gcc gcc-mingw-w64-x86-64
    place=$root/target/wine
    mkdir -p "$place/libraries"
    export WINEPREFIX=$place/prefix WINEPATH="Z:${place//\//\\}\\libraries" WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
    $gcc -shared -O -o "$place/libraries/bcryptprimitives.dll" kernels/wine/bcryptprimitives.c -ladvapi32
    # Fills the prefix and waits for what that starts: a program started meanwhile failed once (Wine 8).
    wineboot --init
    wineserver --wait
    trap 'wineserver --kill || true' EXIT
}

# debian FOLDER KERNEL GUEST-PACKAGES PROGRAM…: downloads packages of Debian trixie and unpacks them, without
# installing, into target/FOLDER/trixie: programs that run on this machine with what they depend on; the kernel that the
# package KERNEL depends on, without its dependencies, which are for machines with a disk; and packages for the guest.
# apt has its own configuration, which is read after the machine's and removes what that would run or fetch in addition.
debian() {
    packages=$root/target/$1/trixie
    local work=$root/target/$1/apt kernel=$2 guest=$3
    shift 3
    if [ ! -e "$packages" ]; then
        need dpkg-deb dpkg
        [ "$(uname -sm)" = "Linux x86_64" ] || fail "only on x86-64 Linux"
        local keys=/usr/share/keyrings/debian-archive-keyring.gpg
        [ -e $keys ] || fail "$keys is missing; \`apt-get install debian-archive-keyring\` gets it"
        rm -rf "$work"
        mkdir -p "$work"/{lists,archives}/partial "$work/root"
        touch "$work/status"
        echo "deb [signed-by=$keys] http://deb.debian.org/debian trixie main" >"$work/sources.list"
        cat >"$work/apt.conf" <<END
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
#clear Acquire::IndexTargets::deb::DEP-11;
#clear APT::Architectures;
APT { Architecture "amd64"; Architectures { "amd64"; "arm64"; }; Sandbox::User "root"; Update::Error-Mode "any"; };
Acquire { Languages "none"; Retries "1"; http::Timeout "20"; };
Debug::NoLocking "true";
Dir { State "$work"; State::status "$work/status"; State::lists "$work/lists"; };
Dir { Cache "$work"; Cache::archives "$work/archives"; Cache::pkgcache ""; Cache::srcpkgcache ""; };
Dir::Etc { sourcelist "$work/sources.list"; sourceparts "/dev/null"; };
Dir::Etc { preferences "/dev/null"; preferencesparts "/dev/null"; };
END
        echo "downloading $* and $kernel of Debian trixie"
        (
            cd "$work/archives"
            apt-get -c ../apt.conf -qq update
            apt-get -c ../apt.conf -qq install --yes --download-only --no-install-recommends "$@"
            # shellcheck disable=SC2086 # No package, or several.
            apt-get -c ../apt.conf -qq download $guest \
                "$(apt-cache -c ../apt.conf depends "$kernel" | sed -n 's/^ *Depends: //p' | head -n 1)"
            for archive in *.deb; do dpkg-deb -x "$archive" ../root; done
        )
        mv "$work/root" "$packages"
        rm -r "$work"
    fi
    kernel_image=$(echo "$packages"/boot/vmlinuz-*)
}

# words PROGRAM: the command that starts a downloaded program with its own loader and C library, as the machine's may be
# older.
words() {
    local libraries=$packages/usr/lib/x86_64-linux-gnu
    echo "$packages/usr/lib64/ld-linux-x86-64.so.2 --library-path $libraries:$libraries/pulseaudio $packages/$1"
}

# guest_cargo WORDS…: runs cargo so that it links statically and makes small programs: the guest has no libraries.
guest_cargo() {
    RUSTFLAGS="-C target-feature=+crt-static" CARGO_PROFILE_DEV_STRIP=symbols cargo "$1" "${other[@]}" "${@:2}"
}

# test_programs WORDS…: builds tests with these words of `cargo test`; prints their paths.
test_programs() {
    guest_cargo test --no-run "$@" 2>&1 | tee -a /dev/stderr | sed -n 's/^ *Executable .*(\(.*\))$/\1/p'
}

# initrd FILE PROGRAM…: packs a file system of a guest: busybox, `guest/init`, the programs, and the jobs on standard
# input.
initrd() {
    local tree file=$1 program
    tree=$(mktemp -d)
    mkdir -p "$tree"/{bin,dev,proc,sys,tests,tmp}
    cat >"$tree/jobs"
    cp kernels/guest/init "$tree/init"
    cp "$packages/usr/bin/busybox" "$tree/bin/"
    for program in "${@:2}"; do
        case $program in
        */deps/*) cp "$program" "$tree/tests/$(basename "${program%-*}")" ;;
        *) cp "$program" "$tree/" ;;
        esac
    done
    # Everybody may enter, and run the first program.
    chmod 755 "$tree" "$tree/init"
    (cd "$tree" && find . | cpio --quiet -o -H newc -R 0:0) >"$file"
    rm -r "$tree"
}

# shows CONSOLE JOB PATTERN…: the job ended well, and its output has a line for each pattern.
shows() {
    local text pattern
    text=$(awk -v name="== $2" '$0 == name {on = 1; next} index($0, name ": exit ") == 1 {print; exit} on' "$1")
    [[ $text == *"== $2: exit 0" ]] || fail "$2: ${text##*$'\n'}"
    for pattern in "${@:3}"; do grep -Eq "$pattern" <<<"$text" || fail "$2: no line is like '$pattern'"; done
}

# ended CONSOLE: the guest switched itself off after its last job.
ended() {
    grep -qx '== the end' "$1" && grep -q 'reboot: Power down' "$1" || fail "the guest did not switch itself off"
}

# With a filter that matches nothing, a run passes too.
PASSED='test result: ok\. [1-9][0-9]* passed'
