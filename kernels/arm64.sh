#!/usr/bin/env bash
# Runs the arm64 build on Debian's arm64 kernel in an emulated machine: tests, a measurement, a trace.
#
# A pass means that calls are made as this kernel expects them and that every instruction exists. It says nothing about
# lateness on arm64. qemu's `wfe` and `wfet` end at once, as the architecture allows, so it says nothing about resting
# either.
source "$(dirname "$0")/lib.sh"

target=aarch64-unknown-linux-gnu
need aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
need cpio cpio
need_target $target
# This kernel has a third of the size of the usual one, and everything that is tested here.
debian arm64 linux-image-cloud-arm64:arm64 busybox-static:arm64 qemu-system-arm

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
tests=$(test_programs --target $target -p oversleep-sys -p oversleep-os -p oversleep --lib \
    --test settings --test methods --test trace --test simulated)
guest_cargo build --target $target -p oversleep-cli
programs="target/kernels/build/$target/debug/oversleep $tests"

# boot PROCESSOR SECONDS: runs the jobs on standard input; one that does not end within the time is killed. Only
# emergency messages of the kernel are shown, and a panic reboots, at which qemu ends.
boot() {
    console=target/arm64/$1.txt
    # shellcheck disable=SC2086 # Programs are paths without spaces.
    initrd target/arm64/initrd $programs
    # shellcheck disable=SC2046
    timeout --foreground --kill-after=5 "$2" $(words usr/bin/qemu-system-aarch64) -L "$packages/usr/share/qemu" \
        -M virt -cpu "$1" -accel tcg,thread=multi -smp 2 -m 1024 -nodefaults -no-user-config -display none \
        -serial stdio -no-reboot -kernel "$kernel_image" -initrd target/arm64/initrd \
        -append "console=ttyAMA0 quiet loglevel=1 panic=-1 mitigations=off" </dev/null | tr -d '\r' | tee "$console"
    ended "$console"
}

pause="pause /tests/oversleep_sys --nocapture --test-threads=1 wait::pause"
# A model before Armv8.7 has only the event stream.
boot neoverse-n1 300 <<<"$pause"
shows "$console" pause "$PASSED" 'waits by Pausing \{ way: Events,'

# The trace and `explain` are of one method: of all, they would take a slow emulator a quarter of an hour.
jobs=$pause
names=$(for program in $tests; do basename "${program%-*}"; done)
for name in $names; do jobs+=$'\n'"$name /tests/$name --quiet"; done
boot max 1500 <<END
$jobs
measure /oversleep measure -m all -r 1ms -n 40 --out /tmp/r.arrows
report /oversleep report /tmp/r.arrows
one /oversleep measure -m nanosleep -r 1ms -n 40 --out /tmp/one.arrows
explain /oversleep explain /tmp/one.arrows
list /oversleep list
traced /oversleep trace -r 1ms -n 100
END
shows "$console" pause "$PASSED" 'waits by Pausing \{ way: Timed,'
for name in $names; do shows "$console" "$name" "$PASSED"; done
for job in measure report one explain list; do shows "$console" $job nanosleep; done
# qemu may lose events.
shows "$console" traced 'Tier: kernel events' 'Complete: (9[0-9]|100) of 100 traced sleeps'
