#!/usr/bin/env bash
# Compares the library's interface with that of the last version.
source "$(dirname "$0")/lib.sh"

last=$(git describe --tags --abbrev=0 --match 'v*' HEAD^ 2>/dev/null) || impossible "there is no earlier version to compare with"
command -v cargo-semver-checks >/dev/null ||
    impossible "cargo-semver-checks is missing; \`cargo install --locked cargo-semver-checks\` gets it"
cargo semver-checks --package oversleep --baseline-rev "$last"
note "against $last"
