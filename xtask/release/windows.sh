#!/usr/bin/env bash
# Builds the program for Windows and a zip archive of it, and runs it from that archive under Wine.
source "$(dirname "$0")/lib.sh"

target=$windows
need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
rustup target list --installed | grep -x $target >/dev/null ||
    impossible "the target $target is missing; \`rustup target add $target\` gets it"
built "$root" --target $target --package oversleep-cli
binary=$out/build/$target/dist/oversleep.exe
# Only libraries that every Windows has that Rust supports (10 and later).
foreign=$(x86_64-w64-mingw32-objdump -p "$binary" | sed -n 's/.*DLL Name: //p' |
    grep -viE '^(kernel32|ntdll|advapi32|bcryptprimitives|avrt|user32|userenv|ws2_32|winmm|powrprof|msvcrt|dbghelp|shell32|combase|ole32|psapi|synchronization|api-ms-win-[a-z0-9-]+)\.dll$' || true)
[ -z "$foreign" ] || fail "oversleep.exe needs $foreign"

name=oversleep-$version-$target
folder=$out/$name
rm -rf "$folder"
mkdir -p "$folder/completions"
cp "$binary" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder"
cp "$out/oversleep-$version-$x86/completions/oversleep.powershell" "$folder/completions/oversleep.ps1" ||
    fail "the step \`x86-64\` writes the completions"
built "$root" --target $target --package oversleep-cli --message-format json >"$out/$target.built.json"
tools python xtask/release/components.py $target "$out/$target.built.json" "$folder" "$auditable/bin/rust-audit-info"
# The same bytes from the same files: names in order, the commit's time, no attributes of this machine.
python3 - "$out" "$name" "$SOURCE_DATE_EPOCH" <<'END'
import sys, time, zipfile
from pathlib import Path
out, name, when = Path(sys.argv[1]), sys.argv[2], time.gmtime(int(sys.argv[3]))[:6]
with zipfile.ZipFile(out / f"{name}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for file in sorted(path for path in (out / name).rglob("*") if path.is_file()):
        archive.writestr(zipfile.ZipInfo(str(file.relative_to(out)), when), file.read_bytes(), zipfile.ZIP_DEFLATED, 9)
END
size="$(du -h "$out/$name.zip" | cut -f1), program $(du -h "$binary" | cut -f1)"

if ! command -v wine >/dev/null; then
    note "$size; NOT RUN: wine is missing; \`apt-get install wine wine64\` gets it"
    exit
fi
wine_prefix
empty=$(mktemp -d)
trap 'cd "$root"; rm -rf "$empty"; wineserver --kill || true' EXIT
first_use() {
    python3 -m zipfile -e "$out/$name.zip" "$empty"
    cd "$empty/$name"
    wine oversleep.exe simulate freebsd-4.9 -r 1ms -n 50
}
timed first_use
wine oversleep.exe --version
note "$size; unpacked and run under Wine in $seconds s"
