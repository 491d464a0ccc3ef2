//! The instruction between two looks at a clock.

/// Tells the processor that this thread is waiting, for some tens of nanoseconds.
///
/// `pause` on x86 (26 ns where it was measured), `isb` on 64-bit Arm. It never enters the kernel: a yield would
/// hand the processor to a busy neighbour for its whole time slice (seen: 3 to 8 ms with two busy threads on two
/// processors, Linux 6.18).
#[inline]
pub fn pause() {
    std::hint::spin_loop();
}
