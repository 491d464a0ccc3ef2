#!/usr/bin/env bash
# Debian's own opinion of the packages.
source "$(dirname "$0")/lib.sh"

need lintian lintian
[ -e "$out/deb/log" ] || fail "there is no package; the step \`deb\` makes them"
# What the archive's own queue would want of an uploader, such as the number of a bug: nobody uploads these.
unasked=initial-upload-closes-no-bugs
lintian --fail-on error,warning --suppress-tags $unasked "$out"/deb/*.changes || fail "lintian finds faults"
note "no error and no warning"
