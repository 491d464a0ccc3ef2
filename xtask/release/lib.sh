# Functions of the steps of `cargo xtask release --check`. Packages go to target/packages.
source "$(dirname "${BASH_SOURCE[0]}")/../../kernels/lib.sh"

# impossible WHAT: ends the step as not possible on this machine.
impossible() {
    echo "$*" >>"${REASON:-/dev/stderr}"
    exit 77
}
# need PROGRAM PACKAGE
need() { command -v "$1" >/dev/null || impossible "$1 is missing; \`apt-get install $2\` gets it"; }
# note WHAT: says what is worth a line of a step that passes.
note() { echo "$*" >>"${REASON:-/dev/stderr}"; }

# timed COMMAND…: runs it; $seconds has how long it took.
timed() {
    local start=$EPOCHREALTIME
    "$@"
    seconds=$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $start }")
}

out=$root/target/packages
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
# Files in archives have the commit's time, whenever they are built.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
mkdir -p "$out"

# tools PROGRAM WORDS…: a program of requirements.txt, installed below target.
tools() {
    local place=$root/target/tools/release list=xtask/release/requirements.txt
    if ! cmp -s "$root/$list" "$place/installed.txt"; then
        (cd "$root" && python3 -m venv --clear "$place" &&
            "$place/bin/python" -m pip --quiet --disable-pip-version-check install --requirement $list) ||
            impossible "the packages of $list cannot be installed"
        cp "$root/$list" "$place/installed.txt"
    fi
    PATH=$place/bin:$PATH "$@"
}

# auditable: gets cargo-auditable, which writes into a program what it was built from, and rust-audit-info, which reads it.
auditable=target/tools/auditable
auditable() {
    local tools='cargo-auditable@0.7.7 rust-audit-info@0.5.4'
    [ "$(cat "$root/$auditable/installed.txt" 2>/dev/null)" != "$tools" ] || return 0
    # shellcheck disable=SC2086 # Names of tools.
    cargo install --quiet --locked --force --root "$root/$auditable" --target-dir "$root/$auditable/build" $tools ||
        impossible "$tools cannot be installed"
    rm -r "$root/$auditable/build"
    echo "$tools" >"$root/$auditable/installed.txt"
}

# shipped FOLDER COMMAND…: runs a command in FOLDER so that what it compiles can be shipped. Paths of the machine do not get
# into it: the same sources give the same bytes anywhere. cargo makes names of symbols from the path of a wrapper, and `cargo
# auditable` would give it the whole one: here it gets a name, and what that command would tell the wrapper.
shipped() {
    auditable
    (
        PATH=$1/$auditable/bin:$PATH
        cd "$1"
        export RUSTC_WORKSPACE_WRAPPER=cargo-auditable
        export CARGO_AUDITABLE_ORIG_ARGS='{"offline":false,"locked":true,"frozen":false,"config":[]}'
        export RUSTFLAGS="--remap-path-prefix=$1=/oversleep --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
        export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
        "${@:2}"
    )
}
# built FOLDER CARGO-ARGUMENTS…: builds from the sources in FOLDER into its target/packages/build.
built() { shipped "$1" cargo build --quiet --locked --profile dist --target-dir "$1/target/packages/build" "${@:2}"; }
# The program, without any library of the system.
x86=x86_64-unknown-linux-musl arm=aarch64-unknown-linux-musl windows=x86_64-pc-windows-gnu
program() { echo "$out/build/$1/dist/oversleep"; }
# The library that `attach` preloads into programs, which have the system's C library.
preload=liboversleep_preload.so

# stage FOLDER ZSH: lays out what archive.sh has made as it is installed below /usr, zsh's completions in ZSH.
stage() {
    local archive=$out/oversleep-$version-$x86
    local share=$1/usr/share
    [ -d "$archive" ] || fail "$archive is not there; the step \`x86-64\` makes it"
    install -D "$archive/oversleep" "$1/usr/bin/oversleep"
    install -Dm644 "$archive/$preload" "$1/usr/lib/oversleep/$preload"
    mkdir -p "$share"/{man/man1,doc/oversleep}
    cp "$archive"/man/* "$share/man/man1"
    install -Dm644 "$archive/completions/oversleep.bash" "$share/bash-completion/completions/oversleep"
    install -Dm644 "$archive/completions/oversleep.fish" "$share/fish/vendor_completions.d/oversleep.fish"
    install -Dm644 "$archive/completions/oversleep.zsh" "$share/zsh/$2/_oversleep"
    cp "$archive"/{*.txt,*.html,oversleep.cdx.json,README.md} "$share/doc/oversleep"
}
# unit FILE: writes the systemd unit for a packaged program.
unit() { sed 's|/usr/local/bin|/usr/bin|; /^#  *cp /d' contrib/systemd/oversleep.service >"$1"; }
# address: prints the project's.
address() { sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml; }
