#!/usr/bin/env bash
# Makes Debian's packages of the program that archive.sh has built, and of the C library, which is built here.
source "$(dirname "$0")/lib.sh"

need dh debhelper
archive=$out/oversleep-$version-$x86
[ -d "$archive" ] || fail "$archive is not there; the step \`x86-64\` makes it"
built "$root" --target x86_64-unknown-linux-gnu --package oversleep-capi

build=$out/deb/oversleep-$version
rm -rf "$out/deb"
mkdir -p "$build"
cp -r contrib/debian "$build/debian"
address=$(sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml)
sed -i "s|https://example.invalid/oversleep|$address|" "$build"/debian/{control,copyright}
staged=$build/staged/usr share=$build/staged/usr/share
install -D "$archive/oversleep" "$staged/bin/oversleep"
mkdir -p "$share"/{man/man1,doc/oversleep}
cp "$archive"/man/* "$share/man/man1"
install -Dm644 "$archive/completions/oversleep.bash" "$share/bash-completion/completions/oversleep"
install -Dm644 "$archive/completions/oversleep.fish" "$share/fish/vendor_completions.d/oversleep.fish"
install -Dm644 "$archive/completions/oversleep.zsh" "$share/zsh/vendor-completions/_oversleep"
cp "$archive"/{*.txt,*.html,oversleep.cdx.json,README.md} "$share/doc/oversleep"
DESTDIR=$build/staged crates/oversleep-capi/install.sh "$out/build/x86_64-unknown-linux-gnu/dist" /usr
libraries=$staged/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
mkdir "$libraries"
mv "$staged"/lib/{liboversleep*,pkgconfig} "$libraries"
sed -i "s|^libdir=.*|libdir=\${prefix}/${libraries#"$staged/"}|" "$libraries/pkgconfig/oversleep.pc"
sed 's|/usr/local/bin|/usr/bin|; /^#  *cp /d' contrib/systemd/oversleep.service >"$build/debian/oversleep.service"
cp CHANGELOG.md "$build/CHANGELOG.md"

(cd "$build" && dpkg-buildpackage --build=binary --unsigned-changes --no-check-builddeps) >"$out/deb/log" 2>&1 ||
    fail "dpkg-buildpackage: $(tail -1 "$out/deb/log")"
cp "$out"/deb/*.deb "$out"
note "$(du -h "$out"/deb/*.deb | awk '{ sub(".*/", "", $2); print $2, $1 }' | paste -sd, | sed 's/,/, /g')"
