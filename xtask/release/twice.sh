#!/usr/bin/env bash
# Builds the program and the C library once more, in another folder with another cargo home, at another time, and
# compares the bytes.
source "$(dirname "$0")/lib.sh"

elsewhere=$(mktemp -d)/somewhere/else
home=${CARGO_HOME:-$HOME/.cargo}
trap 'rm -rf "${elsewhere%/somewhere/else}"' EXIT
mkdir -p "$elsewhere" "$elsewhere.home"
git ls-files -z | tar --null -T - -cf - | tar -C "$elsewhere" -xf -
ln -s "$home/registry" "$elsewhere.home/registry"
# again PACKAGE TARGET FILE…: prints the sums of both builds.
again() {
    built "$root" --target "$2" --package "$1"
    CARGO_HOME=$elsewhere.home built "$elsewhere" --target "$2" --package "$1"
    for file in "${@:3}"; do
        local here=target/packages/build/$2/dist/$file
        sha256sum "$here" "$elsewhere/$here"
        cmp "$here" "$elsewhere/$here" || fail "$file differs between two builds"
        same+="$file $(sha256sum "$here" | cut -c1-12) "
    done
}
same=
again oversleep-capi x86_64-unknown-linux-gnu liboversleep_capi.a liboversleep_capi.so
again oversleep-cli $x86 oversleep
note "equal to the byte: $same"
