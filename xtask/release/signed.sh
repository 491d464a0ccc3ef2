#!/usr/bin/env bash
# Sums of all that is published beside the registries, their signature with a key made for this run, and what a user
# runs to verify both. The real key is its owner's (docs/RELEASING.md).
source "$(dirname "$0")/lib.sh"

need minisign minisign
cd "$out"
shopt -s nullglob
files=(*.tar.gz *.deb)
[ ${#files[@]} -gt 0 ] || fail "there is no archive; the steps before this one make them"
sha256sum "${files[@]}" | tee SHA256SUMS
keys=$(mktemp -d)
trap 'rm -rf "$keys"' EXIT
minisign -GW -p "$keys/oversleep.pub" -s "$keys/oversleep.key" >/dev/null
minisign -Sm SHA256SUMS -s "$keys/oversleep.key" -t "oversleep $version" >/dev/null
# What the user runs, without a network where there is one to take away.
offline=$(unshare --net true 2>/dev/null && echo 'unshare --net' || true)
verify() { $offline minisign -Vm "$1" -x SHA256SUMS.minisig -p "$keys/oversleep.pub" && (cd "$(dirname "$1")" && sha256sum --quiet -c "$1"); }
verify SHA256SUMS || fail "the sums do not verify"
(cat SHA256SUMS; echo "$(sha256sum <<<other | cut -d' ' -f1)  other.tar.gz") >"$keys/SHA256SUMS"
! verify "$keys/SHA256SUMS" 2>/dev/null || fail "sums with one more file verify"
note "${#files[@]} files; verified ${offline:+without a network}, and sums with one more file are refused"
