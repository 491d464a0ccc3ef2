#!/usr/bin/env bash
# Makes Debian's packages of the program that archive.sh has built, of Python's package that wheels.sh has, and of the C
# library, which is built here.
source "$(dirname "$0")/lib.sh"

need dh debhelper
need dh_python3 dh-python
built "$root" --target x86_64-unknown-linux-gnu --package oversleep-capi

build=$out/deb/oversleep-$version
rm -rf "$out/deb"
mkdir -p "$build"
cp -r contrib/debian "$build/debian"
sed -i "s|https://example.invalid/oversleep|$(address)|" "$build"/debian/{control,copyright}
stage "$build/staged" vendor-completions
staged=$build/staged/usr
DESTDIR=$build/staged crates/oversleep-capi/install.sh "$out/build/x86_64-unknown-linux-gnu/dist" /usr
libraries=$staged/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
mkdir "$libraries"
mv "$staged"/lib/{liboversleep*,pkgconfig} "$libraries"
sed -i "s|^libdir=.*|libdir=\${prefix}/${libraries#"$staged/"}|" "$libraries/pkgconfig/oversleep.pc"
wheel=$(echo "$out"/wheels/oversleep-"$version"-*.whl)
[ -e "$wheel" ] || fail "there is no wheel; the step \`wheels\` makes it"
python3 -m zipfile -e "$wheel" "$staged/lib/python3/dist-packages"
# Debian has the licences in one place, and its own list of what belongs to a package.
rm -r "$staged"/lib/python3/dist-packages/*.dist-info/{RECORD,licenses}
unit "$build/debian/oversleep.service"
cp CHANGELOG.md "$build/CHANGELOG.md"

(cd "$build" && dpkg-buildpackage --build=binary --unsigned-changes --no-check-builddeps) >"$out/deb/log" 2>&1 ||
    fail "dpkg-buildpackage: $(tail -1 "$out/deb/log")"
cp "$out"/deb/*.deb "$out"
note "$(du -h "$out"/deb/*.deb | awk '{ sub(".*/", "", $2); print $2, $1 }' | paste -sd, | sed 's/,/, /g')"
