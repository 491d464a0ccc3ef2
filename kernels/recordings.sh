#!/usr/bin/env bash
# Runs our binary as the first program of real kernels in qemu, and checks what `explain` says of its recordings:
#
#     cargo xtask recordings [KERNEL [HZ]]
#
# The kernel is Debian's unless another one is named, with its HZ. Time in the guest counts instructions (`-icount`), so
# the load of this machine has no influence and every run gives the same recording.
kernel=${1:+$(realpath "$1")} hz=${2:-250}
source "$(dirname "$0")/lib.sh"

need cpio cpio
target=x86_64-unknown-linux-gnu
debian recordings linux-image-amd64 "" qemu-system-x86 seabios
kernel=${kernel:-$kernel_image}
guest_cargo build --quiet --target $target -p oversleep-cli
cargo build --quiet --workspace --bin oversleep

tree=target/recordings/tree
mkdir -p $tree/tmp
cp target/kernels/build/$target/debug/oversleep $tree/
(cd $tree && find . | cpio --quiet -o -H newc -R 0:0) >target/recordings/initrd
# Enough sleeps to find ticks, their rate and the rounding.
measure="measure -m nanosleep -r 200us..60ms -n 400 --phase random:4ms --csv --no-save -q"

# boot ARGUMENTS HZ ROUNDING: boots with these arguments; `explain` must say that sleeps end at ticks of this rate,
# rounded so, or at none. When the first program ends, the kernel panics, and qemu ends. Its table is found among
# messages by its header.
boot() {
    # shellcheck disable=SC2046
    timeout --kill-after=5 600 $(words usr/bin/qemu-system-x86_64) -L "$packages/usr/share/seabios" \
        -L "$packages/usr/share/qemu" -accel tcg -icount shift=2,sleep=off -m 512 -nodefaults -no-user-config \
        -display none -serial stdio -no-reboot -initrd target/recordings/initrd -kernel "$kernel" \
        -append "console=ttyS0 quiet loglevel=0 panic=-1 mitigations=off random.trust_cpu=on rdinit=/oversleep $1 \
        -- $measure" </dev/null | tr -d '\r' |
        awk -F, '/requested_ns/ {fields = NF} fields && NF == fields' >target/recordings/table.csv
    [ "$(wc -l <target/recordings/table.csv)" -ge 300 ] || fail "booted with '$1', the guest recorded too little"
    target/debug/oversleep explain --json target/recordings/table.csv | python3 -c '
import json, sys
tick = next((one["evidence"] for one in json.load(sys.stdin)["findings"] if one["cause"] == "tick-quantised"), {})
print(tick.get("hz"), tick.get("rounding"))' >target/recordings/found
    printf '%-45s  %s\n' "$1" "$(cat target/recordings/found)"
    grep -Eq "^$2(\.0)? $3\$" target/recordings/found || wrong=$((wrong + 1))
}

wrong=0
echo "$kernel; 400 sleeps of 0.2 to 60 ms at random phase each"
boot "highres=off nohz=off" "$hz" up
boot "highres=off nohz=on" "$hz" up
boot "highres=off nohz=off nolapic hpet=disable" "$hz" up
boot "highres=on nohz=on" None None
[ $wrong = 0 ] || fail "$wrong of 4 kernels misread"
