#!/usr/bin/env bash
# Makes an RPM package of the program that archive.sh has built; checks, installs, upgrades, uses and removes it in an
# empty root folder.
source "$(dirname "$0")/lib.sh"

need rpmbuild rpm
need rpmlint rpmlint
top=$out/rpm staged=$out/rpm/staged
rm -rf "$top"
stage "$staged" site-functions
mkdir -p "$staged"/usr/{lib/systemd/system,share/licenses/oversleep}
unit "$staged/usr/lib/systemd/system/oversleep.service"
cp LICENSE-* "$staged/usr/share/licenses/oversleep"
mv "$staged"/usr/share/doc/oversleep/*.{txt,html} "$staged/usr/share/licenses/oversleep"
cp CHANGELOG.md "$staged/usr/share/doc/oversleep"
gzip -n9 "$staged"/usr/share/man/man1/*

# package RELEASED FOLDER
package() {
    rpmbuild --quiet -bb --target x86_64 --define "_topdir $top" --define "_rpmdir $2" --define "staged $staged" --define "released $1" \
        --define "address $(address)" --define "_buildhost localhost" --define "use_source_date_epoch_as_buildtime 1" \
        --define "clamp_mtime_to_source_date_epoch 1" --define "_licensedir /usr/share/licenses" contrib/rpm/oversleep.spec >"$top/log" 2>&1 ||
        fail "rpmbuild: $(tail -1 "$top/log")"
}
package "$version" "$out"
package "$version~rc1" "$top/old"
file=$(echo "$out"/x86_64/oversleep-*.rpm)
mv "$file" "$out"
file=$out/${file##*/}
rmdir "$out/x86_64"
rpmlint --strict --config contrib/rpm/rpmlint.toml "$file"

[ "$(id -u)" -eq 0 ] || {
    note "$(du -h "$file" | cut -f1); NOT INSTALLED: a root folder of its own takes root"
    exit
}
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
root() { rpm --root "$empty" --dbpath /var/lib/rpm "$@"; }
root --initdb
files() { (cd "$empty" && find . -path ./var -prune -o ! -type d -print | sort); }
files >"$top/before"
root --install "$top"/old/x86_64/*.rpm
first_use() {
    root --upgrade "$file"
    chroot "$empty" /usr/bin/oversleep simulate freebsd-4.9 -r 1ms -n 50
}
timed first_use
[ "$(root --query oversleep)" = "oversleep-$version-1.x86_64" ] || fail "the upgrade did not upgrade"
root --verify oversleep
chroot "$empty" /usr/bin/oversleep --version
root --erase oversleep
files | diff "$top/before" - || fail "the package leaves files behind"
note "$(du -h "$file" | cut -f1); rpmlint finds nothing; upgraded and used in $seconds s, removed without a trace"
