//! A sleep in two parts, awake shortly before its deadline.
//!
//! What cools while a thread sleeps is its memory in the caches, and the processor, which idles deeper the longer. Both
//! are shorter of cooling when the thread wakes `lead` before the deadline, is busy for half of that, and sleeps the
//! rest. This is what a program can do about it, and all that it can: nothing it does keeps the kernel's own way from
//! the timer to the thread warm during the last stretch.

use super::single::{Slept, enter};
use super::worker::{Place, Tools};
use oversleep_os::method::{Request, Woken};
use oversleep_recording::catalog::Mode;
use oversleep_recording::plan::Pattern;
use oversleep_sys::cpu;
use oversleep_sys::units::Nanos;
use std::hint::black_box;

/// Memory that is walked while waiting: what a small program touches, within most first-level caches.
const WORKING_SET: usize = 16 << 10;

/// Sleeps once, its lateness counted from the deadline of the whole.
pub(super) fn once(place: &mut Place, tools: &mut Tools, lead: Nanos) {
    let Pattern::Fixed { requested } = place.cell.pattern else { return };
    let cpu_start = cpu::current();
    let start = place.clock.now();
    let deadline = start.saturating_add(requested);
    let first = until(place, deadline.saturating_sub(lead));
    warm_up(place, deadline.saturating_sub(Nanos::new(lead.get() / 2)));
    let woken = if first == Woken::TimedOut { until(place, deadline) } else { first };
    let end = place.clock.now();
    let cpu_end = cpu::current();
    let (clock, cpu) = ((start, end), (cpu_start, cpu_end));
    enter(place, tools, &Slept { requested, deadline: Some(deadline), clock, cpu, woken });
}

/// By the cell's own method, whichever way it is told. A time that is over already is not slept for.
fn until(place: &mut Place, at: Nanos) -> Woken {
    let left = at.saturating_sub(place.clock.now());
    if left <= Nanos::ZERO {
        return Woken::TimedOut;
    }
    place.waiter.arm(if place.mode == Mode::Absolute { Request::Until(at) } else { Request::For(left) });
    place.waiter.wait()
}

/// Walks memory and reads the clock until then.
fn warm_up(place: &Place, until: Nanos) {
    let mut memory = [0_u8; WORKING_SET];
    while place.clock.now() < until {
        for byte in memory.iter_mut().step_by(64) {
            *byte = black_box(byte.wrapping_add(1));
        }
    }
}
