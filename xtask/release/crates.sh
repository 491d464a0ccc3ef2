#!/usr/bin/env bash
# Packages every published crate, and builds each from the .crate files alone: cargo puts those before it into a registry
# of its own.
source "$(dirname "$0")/lib.sh"

private=$(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
print(*("--exclude=" + package["name"] for package in json.load(sys.stdin)["packages"] if package["publish"] == []))')
# shellcheck disable=SC2086 # Names of packages.
cargo package --locked --allow-dirty --workspace $private
crates=(target/package/*-"$version".crate)
for crate in "${crates[@]}"; do
    for file in LICENSE-APACHE LICENSE-MIT README.md; do
        tar tzf "$crate" | grep "/$file\$" >/dev/null || fail "$crate has no $file"
    done
done
note "${#crates[@]} crates, $(du -ch "${crates[@]}" | tail -1 | cut -f1)"
