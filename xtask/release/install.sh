#!/usr/bin/env bash
# Installs, upgrades, uses and removes Debian's packages in a Debian with nothing but its essential packages and Python.
source "$(dirname "$0")/lib.sh"

[ "$(id -u)" -eq 0 ] || impossible "a chroot takes root"
need mmdebstrap mmdebstrap
[ -e "$out/deb/log" ] || fail "there is no package; the step \`deb\` makes them"
clean=$out/debian-python.tar
[ -e "$clean" ] || mmdebstrap --quiet --variant=essential --include=python3 bookworm "$clean" || {
    rm -f "$clean"
    impossible "mmdebstrap cannot get Debian's packages"
}
debian=$(mktemp -d)
trap 'rm -rf "$debian"' EXIT
tar -C "$debian" -xf "$clean"
inside() { chroot "$debian" "$@"; }
files() { (cd "$debian" && find . -path ./tmp -prune -o -path ./var/lib/dpkg -prune -o -path ./var/log -prune -o -path ./var/cache -prune -o -print | sort); }
files >"$out/before"

# The version before this one: the same, called a candidate for it.
mkdir "$debian/tmp/old"
for package in "$out"/deb/*.deb; do
    dpkg-deb -R "$package" "$debian/tmp/old/tree"
    sed -i "s/^Version: .*/Version: $version~rc1-1/; s/(= $version-1)/(= $version~rc1-1)/" "$debian/tmp/old/tree/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$debian/tmp/old/tree" "$debian/tmp/old" >/dev/null
    rm -r "$debian/tmp/old/tree"
done
cp "$out"/deb/*.deb "$debian/tmp"

inside sh -c 'dpkg -i /tmp/old/*.deb' >/dev/null
first_use() {
    inside sh -c 'dpkg -i /tmp/*.deb' >/dev/null
    inside oversleep simulate freebsd-4.9 -r 1ms -n 50
}
timed first_use
inside dpkg-query -W oversleep liboversleep0 liboversleep-dev
[ "$(inside dpkg-query -Wf '${Version}' oversleep)" = "$version-1" ] || fail "the upgrade did not upgrade"
inside oversleep --version
inside oversleep measure -m nanosleep -r 1ms -n 50 --out /tmp/one.arrows
inside test -e /usr/share/man/man1/oversleep.1.gz
# A program of the C library, compiled here against the installed files, and run there.
# shellcheck disable=SC2046
cc -o "$debian/tmp/frames" crates/oversleep-capi/examples/frames.c \
    $(PKG_CONFIG_LIBDIR=$(echo "$debian"/usr/lib/*/pkgconfig) PKG_CONFIG_SYSROOT_DIR=$debian pkg-config --cflags --libs oversleep)
inside /tmp/frames
inside python3 -c 'import oversleep; print(oversleep.sleep(0.001))'
inside dpkg --purge python3-oversleep liboversleep-dev liboversleep0 oversleep >/dev/null
rm -rf "$debian/root/.local"
files | diff "$out/before" - || fail "the packages leave files behind"
note "all upgraded and the program used in $seconds s; removed without a trace"
