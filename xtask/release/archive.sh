#!/usr/bin/env bash
# Builds the program for one target without any library of the system, and an archive of it: archive.sh TARGET
source "$(dirname "$0")/lib.sh"

target=$1
rustup target list --installed | grep -x "$target" >/dev/null ||
    impossible "the target $target is missing; \`rustup target add $target\` gets it"
built "$root" --target "$target" --package oversleep-cli
binary=$(program "$target")
file "$binary"
file "$binary" | grep -Eq 'statically linked|static-pie linked' || fail "$binary is not static"
[ "$target" != $x86 ] || ! ldd "$binary" | grep '=>' || fail "$binary needs libraries"

# The preloaded library; another processor's takes a linker for it.
shared=${target/musl/gnu}
without=
if [ "$target" = $x86 ] || { rustup target list --installed | grep -x "$shared" && command -v aarch64-linux-gnu-gcc; } >/dev/null; then
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc built "$root" --target "$shared" --package oversleep-preload
else
    without="; WITHOUT $preload: the target $shared or aarch64-linux-gnu-gcc is missing"
fi

# Any build writes the same pages; this machine runs only its own.
run=$(program $x86)
[ -x "$run" ] || fail "the manual pages are written by the build for $x86, which is not there"
name=oversleep-$version-$target
folder=$out/$name
rm -rf "$folder"
mkdir -p "$folder"/{man,completions}
cp "$binary" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT contrib/systemd/oversleep.service "$folder"
[ -n "$without" ] || cp "$out/build/$shared/dist/$preload" "$folder"
"$run" man "$folder/man"
for shell in bash zsh fish elvish powershell; do "$run" completions $shell >"$folder/completions/oversleep.$shell"; done
# What was compiled, by cargo's own account of this build, which is finished and repeats nothing.
built "$root" --target "$target" --package oversleep-cli --message-format json >"$out/$target.built.json"
tools python xtask/release/components.py "$target" "$out/$target.built.json" "$folder" "$auditable/bin/rust-audit-info"
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=go=rX -cf - "$name" |
    gzip -n9 >"$out/$name.tar.gz"

# In an empty folder there is no library, no shell and no user.
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
size="$(du -h "$out/$name.tar.gz" | cut -f1), program $(du -h "$binary" | cut -f1)$without"
case $target in
$x86) emulator= ;;
*)
    emulator=/qemu
    if ! qemu=$(command -v qemu-aarch64-static); then
        note "$size; NOT RUN: qemu-aarch64-static is missing; \`apt-get install qemu-user-static\` gets it"
        exit
    fi
    cp "$qemu" "$empty/qemu"
    ;;
esac
[ "$(id -u)" -eq 0 ] || {
    note "$size; NOT RUN in an empty root folder, which takes root"
    exit
}
first_use() {
    tar -C "$empty" -xzf "$out/$name.tar.gz"
    # shellcheck disable=SC2086 # Nothing, or the emulator.
    chroot "$empty" $emulator "/$name/oversleep" simulate freebsd-4.9 -r 1ms -n 50
}
timed first_use
# shellcheck disable=SC2086
chroot "$empty" $emulator "/$name/oversleep" --version
note "$size; unpacked and run in an empty root folder${emulator:+ under qemu} in $seconds s"
