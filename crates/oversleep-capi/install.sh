#!/bin/sh
# Installs liboversleep as built by `cargo build -p oversleep-capi [--release]`.
#
#   install.sh BUILT PREFIX      BUILT is the folder with liboversleep_capi.*, such as target/release
#
# $DESTDIR is put before PREFIX, for packagers.
set -eu
built=$1
prefix=$2
here=$(cd "$(dirname "$0")" && pwd)
root=${DESTDIR:-}$prefix
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml")
mkdir -p "$root/lib/pkgconfig" "$root/include" "$root/share/man/man3"
cp "$built/liboversleep_capi.a" "$root/lib/liboversleep.a"
for shared in so dylib; do
    if [ -f "$built/liboversleep_capi.$shared" ]; then
        cp "$built/liboversleep_capi.$shared" "$root/lib/liboversleep.$shared"
    fi
done
cp "$here/include/oversleep.h" "$root/include/"
cp "$here"/man/*.3 "$root/share/man/man3/"
# What a static link needs besides, as rustc says (`--print native-static-libs`) on the systems supported.
case $(uname -s) in
Linux) private='-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc' ;;
Darwin) private='-lSystem -lc -lm' ;;
*) private='-lpthread -lm -lc' ;;
esac
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@PRIVATE@|$private|" \
    "$here/oversleep.pc.in" >"$root/lib/pkgconfig/oversleep.pc"
