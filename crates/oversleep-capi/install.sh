#!/bin/sh
# Installs liboversleep as built by `cargo build -p oversleep-capi [--release]`.
#
#   install.sh BUILT PREFIX      BUILT is the folder with liboversleep_capi.*, such as target/release
#
# $DESTDIR is put before PREFIX, for packagers.
set -eu
refuse() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 2
}
[ $# -eq 2 ] || refuse 'usage: install.sh BUILT PREFIX, such as install.sh target/release /usr/local'
built=$1
prefix=$2
here=$(cd "$(dirname "$0")" && pwd)
case $prefix in
# A shell splits and expands what $(pkg-config …) prints, whatever quotes the file contains.
*[[:space:]\"\'\`\\\$\&\|\;\<\>\(\)\{\}\*\?\[\]\#]*)
    refuse "PREFIX must have no spaces, quotes or other characters that a shell reads, and '$prefix' has one"
    ;;
/*) ;;
*) refuse "PREFIX must be an absolute path, and '$prefix' is none" ;;
esac
[ -f "$built/liboversleep_capi.a" ] || refuse "'$built' has no liboversleep_capi.a; build with cargo build -p oversleep-capi"
root=${DESTDIR:-}$prefix
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml")
mkdir -p "$root/lib/pkgconfig" "$root/include" "$root/share/man/man3"
cp "$built/liboversleep_capi.a" "$root/lib/liboversleep.a"
# Rust's standard library is delivered with debug information and with LLVM's intermediate code: four fifths of the archive,
# and most of every program that is linked with it. $OBJCOPY and $STRIP are the tools of another system's binaries.
"${OBJCOPY:-objcopy}" --strip-debug --remove-section=.llvmbc --remove-section=.llvmcmd "$root/lib/liboversleep.a" 2>/dev/null ||
    "${STRIP:-strip}" -S "$root/lib/liboversleep.a" 2>/dev/null ||
    printf 'install.sh: neither objcopy nor strip works here; the archive keeps its debug information\n' >&2
# The file by the full version; the name that programs record (build.rs) and the one that linkers look for lead to it.
interface=0
installed() { # BUILT FILE RECORDED LINKED
    if [ -f "$built/$1" ]; then
        cp "$built/$1" "$root/lib/$2"
        ln -sf "$2" "$root/lib/$3"
        ln -sf "$3" "$root/lib/$4"
    fi
}
installed liboversleep_capi.so "liboversleep.so.$version" "liboversleep.so.$interface" liboversleep.so
installed liboversleep_capi.dylib "liboversleep.$version.dylib" "liboversleep.$interface.dylib" liboversleep.dylib
cp "$here/include/oversleep.h" "$root/include/"
cp "$here"/man/*.3 "$root/share/man/man3/"
# What a static link needs besides, as rustc says (`--print native-static-libs`) on the systems supported; but the static
# one of libgcc's unwinders, which is there for `-static` too.
case $(uname -s) in
Linux) private='-lgcc_eh -lgcc -lutil -lrt -lpthread -lm -ldl -lc' ;;
Darwin) private='-lSystem -lc -lm' ;;
*) private='-lpthread -lm -lc' ;;
esac
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@PRIVATE@|$private|" \
    "$here/oversleep.pc.in" >"$root/lib/pkgconfig/oversleep.pc"
