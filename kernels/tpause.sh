#!/usr/bin/env bash
# Tests `tpause`, x86's timed wait, in Bochs, which emulates a processor that has it: few real ones do, and hypervisors
# hide it. Time in Bochs counts instructions, so the test can require that the wait rests, whatever the load of this
# machine.
source "$(dirname "$0")/lib.sh"

need script bsdutils
need cpio cpio
target=x86_64-unknown-linux-gnu
debian tpause linux-image-cloud-amd64 busybox-static \
    bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso

# The disc from which the guest starts.
disc=target/tpause/disc
mkdir -p $disc
tests=$(test_programs --target $target -p oversleep-sys --lib)
initrd $disc/initrd "$tests" <<<"pause /tests/oversleep_sys --nocapture --test-threads=1 wait::pause"
cp "$kernel_image" $disc/vmlinuz
cp "$packages/usr/lib/ISOLINUX/isolinux.bin" "$packages/usr/lib/syslinux/modules/bios/ldlinux.c32" kernels/guest/isolinux.cfg \
    $disc
cd target/tpause
# shellcheck disable=SC2046
$(words usr/bin/xorriso) -as mkisofs -quiet -o disc.iso -b isolinux.bin -c boot.cat \
    -no-emul-boot -boot-load-size 4 -boot-info-table disc

# `script` gives Bochs a terminal, without which Debian's does not start. Bochs exits with 1 when the guest switches
# itself off, so the guest's output decides. It takes some 2.2 thousand million emulated instructions: a minute or two.
rm -f console.txt
LTDL_LIBRARY_PATH=$packages/usr/lib/x86_64-linux-gnu/bochs/plugins TERM=xterm timeout --foreground --kill-after=5 900 \
    script --quiet --flush --command "$(words usr/bin/bochs-bin) -q -f $root/kernels/guest/bochsrc" screen.txt \
    >/dev/null || true
[ -e console.txt ] || fail "Bochs did not start; see target/tpause/bochs.log"
tr -d '\r' <console.txt | tee console
shows console pause "$PASSED"
ended console

# A wait that ends at once needs as many readings of the clock as the spinning hint, some ten thousand; one that rests
# needs them only in its last microsecond. With a wrong time, it would end too late.
figures() { sed -n "s/.*$1: \([0-9]*\) ns late after \([0-9]*\) looks at the clock.*/\1 \2/p" console; }
read -r late looks <<<"$(figures Timed)"
read -r _ hint <<<"$(figures Hint)"
[ "$late" -lt 1000 ] && [ $((looks * 10)) -lt "$hint" ] ||
    fail "it does not rest: $late ns late, $looks looks, $hint with the hint"
