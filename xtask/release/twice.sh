#!/usr/bin/env bash
# Builds the program for every system, and the C library; then the program for x86-64 and the C library once more, in
# another folder with another cargo home, at another time, and compares the bytes.
source "$(dirname "$0")/lib.sh"

c=x86_64-unknown-linux-gnu
available() { rustup target list --installed | grep -x "$1" >/dev/null; }
available $x86 || impossible "the target $x86 is missing; \`rustup target add $x86\` gets it"
# Half of the time of each goes into optimising the whole program, on one processor: so two are built side by side. Linux's
# have the same dependencies; together with Windows', cargo would give them more features.
linux=(--target $x86)
! available $arm || linux+=(--target $arm)
built "$root" "${linux[@]}" --package oversleep-cli
built "$root" --target $c --package oversleep-capi

elsewhere=$(mktemp -d)/somewhere/else
home=${CARGO_HOME:-$HOME/.cargo}
trap 'rm -rf "${elsewhere%/somewhere/else}"' EXIT
mkdir -p "$elsewhere" "$elsewhere.home"
git ls-files -z | tar --null -T - -cf - | tar -C "$elsewhere" -xf -
ln -s "$home/registry" "$elsewhere.home/registry"
mkdir -p "$elsewhere/$auditable"
cp -r $auditable/bin "$elsewhere/$auditable"
again() {
    export CARGO_HOME=$elsewhere.home
    built "$elsewhere" --target $c --package oversleep-capi
    built "$elsewhere" --target $x86 --package oversleep-cli
}
again &
second=$!
if available $windows && command -v x86_64-w64-mingw32-gcc >/dev/null; then
    built "$root" --target $windows --package oversleep-cli
fi
wait $second
same=
for file in $c/dist/liboversleep_capi.{a,so} $x86/dist/oversleep; do
    here=target/packages/build/$file
    sha256sum "$here" "$elsewhere/$here"
    cmp "$here" "$elsewhere/$here" || fail "$file differs between two builds"
    same+="${file##*/} $(sha256sum "$here" | cut -c1-12) "
done
note "equal to the byte: $same"
