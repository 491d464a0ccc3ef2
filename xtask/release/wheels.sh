#!/usr/bin/env bash
# Builds the two Python packages, checks them as the index would, and uses them in an empty environment.
source "$(dirname "$0")/lib.sh"

# The oldest glibc of Python 3.11's users; a linker that knows it is in requirements.txt.
floor=manylinux_2_17
wheels=$out/wheels
rm -rf "$wheels"
for crate in oversleep-py oversleep-py-lab; do
    # maturin passes the profile of pyproject.toml.
    shipped "$root" tools maturin build --quiet --locked --zig --target x86_64-unknown-linux-gnu --compatibility $floor \
        --manifest-path crates/$crate/Cargo.toml --out "$wheels" --target-dir "$out/build"
done
tools twine check --strict "$wheels"/*.whl
tools abi3audit --strict --summary "$wheels"/*.whl
for wheel in "$wheels"/*.whl; do
    tools auditwheel show "$wheel" | grep -A1 'is consistent with'
    for file in LICENSE-APACHE LICENSE-MIT; do
        unzip -l "$wheel" | grep "licenses/$file\$" >/dev/null || fail "$wheel has no $file"
    done
done
small=$(echo "$wheels"/oversleep-"$version"-*.whl)
[ "$(stat -c %s "$small")" -le $((2 * 1024 * 1024)) ] || fail "$small is larger than 2 MiB"

python3 -m venv --clear "$out/empty"
inside=$out/empty/bin/python
# first_use PACKAGE PROGRAM
first_use() {
    "$inside" -m pip --quiet --disable-pip-version-check install --no-index --find-links "$wheels" "$1"
    (cd / && "$inside" -c "$2")
}
timed first_use oversleep 'import oversleep; print(oversleep.sleep(0.001))'
small_seconds=$seconds
timed first_use 'oversleep[lab]' '
import oversleep
print(oversleep.explain(oversleep.simulate("freebsd-4.9", request="1ms", repeats=200)))'
note "$(du -h "$wheels"/*.whl | awk '{ sub(".*/", "", $2); print $2, $1 }' | paste -sd, | sed 's/,/, /'); installed and used: $small_seconds s, the laboratory $seconds s"
