#!/usr/bin/env bash
# Runs the Windows build under Wine: the tests, the C library, measurements, and recordings that this machine's build
# reads again.
#
# Wine is not Windows: its clocks, timers and scheduler are this machine's. A pass means that calls are made correctly
# and that missing ones are reported. It says nothing about lateness on Windows.
source "$(dirname "$0")/lib.sh"

target=x86_64-pc-windows-gnu
gcc=x86_64-w64-mingw32-gcc
need_target $target
wine_prefix
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine CARGO_PROFILE_DEV_OPT_LEVEL=0 PROPTEST_CASES=32

# The tests `settings` and `trace` of oversleep-os test what Windows does not have.
cargo test --quiet "${other[@]}" --target $target -p oversleep-sys -p oversleep-os -p oversleep --lib \
    --test methods --test simulated
cargo build --quiet "${other[@]}" --target $target -p oversleep-cli -p oversleep-capi
# With an example, cargo selects the features of tests, and so takes what they were built from.
cargo build --quiet --workspace --bin oversleep --example document
built=$root/target/kernels/build/$target/debug

# pthread is linked statically: Wine has no library for it.
cp "$built/oversleep_capi.dll" "$place/libraries/"
$gcc -std=c99 -Wall -I crates/oversleep-capi/include -o "$place/smoke.exe" crates/oversleep-capi/tests/c/smoke.c \
    "$built/oversleep_capi.dll" -static-libgcc -Wl,-Bstatic -lpthread
wine "$place/smoke.exe"

# says WORD WORDS…: runs the Windows program, whose output must contain WORD. If something cannot be measured, the exit
# status is 3, and the output says why.
says() {
    local status=0
    wine "$built/oversleep.exe" "${@:2}" >"$place/said" 2>&1 </dev/null || status=$?
    cat "$place/said"
    [ $status = 0 ] || [ $status = 3 ] || fail "oversleep.exe ${*:2}: exit $status"
    grep -qF -- "$1" "$place/said" || fail "oversleep.exe ${*:2} says nothing of $1"
}

# records NAME WORD OPTIONS…: measures into a recording, which both programs must read.
records() {
    local recording=target/wine/$1.arrows
    rm -f "$recording"
    says "$2" measure "${@:3}" --out "$recording"
    says "" explain "$recording"
    target/debug/oversleep report "$recording" | grep -F -- "$2" || fail "here, report $1 says nothing of $2"
    target/debug/oversleep explain "$recording"
}

records every-method waitable-timer -m all -r 1ms -n 40
records load sleep --experiment load -n 3 --load 0,1,5
records resolutions resolution -m sleep,waitable-timer -n 40 --timer-resolution 1ms,5ms,15.6ms
records conditions "class high" -n 20 --priority-class high --multimedia-task "Pro Audio" --no-throttling -a 0
says waitable-timer
says nt-delay-execution list
says "asked for as 1.00 ms by sleep" measure -m sleep -r 200us -n 5 --no-save
says query-performance-counter clocks --quick
says "cannot be measured here" measure -m nanosleep -n 1
