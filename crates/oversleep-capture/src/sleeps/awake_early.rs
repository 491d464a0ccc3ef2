//! A sleep in two parts: the thread is awake shortly before the deadline.
//!
//! While a thread sleeps, its memory drops out of the caches, and the processor idles more deeply the longer it lasts.
//! Both effects are smaller if the thread wakes `lead` before the deadline, is busy for half of that time, and sleeps
//! the rest. This is all that a program can do: it cannot keep the kernel's own path from the timer to the thread in
//! the caches during the last part.

use super::single::{SleepReadings, enter};
use super::worker::{OpenCell, Tools};
use oversleep_os::cpu;
use oversleep_os::method::{Request, Woken};
use oversleep_recording::catalog::Mode;
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use std::hint::black_box;

/// Bytes of memory that are walked while waiting: as much as a small program uses, within most first-level caches.
const WORKING_SET: usize = 16 << 10;

/// Sleeps once; the lateness counts from the deadline of the whole sleep.
pub(super) fn once(place: &mut OpenCell, tools: &mut Tools, lead: Nanos) {
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
    enter(place, tools, &SleepReadings { requested, deadline: Some(deadline), clock, cpu, woken });
}

/// Sleeps until this time by the cell's own method. Returns at once if the time has passed.
fn until(place: &mut OpenCell, at: Nanos) -> Woken {
    let left = at.saturating_sub(place.clock.now());
    if left <= Nanos::ZERO {
        return Woken::TimedOut;
    }
    place.waiter.prepare(if place.mode == Mode::Absolute { Request::Until(at) } else { Request::For(left) });
    place.waiter.wait()
}

/// Walks memory and reads the clock until this time.
fn warm_up(place: &OpenCell, until: Nanos) {
    let mut memory = [0_u8; WORKING_SET];
    while place.clock.now() < until {
        for byte in memory.iter_mut().step_by(64) {
            *byte = black_box(byte.wrapping_add(1));
        }
    }
}
