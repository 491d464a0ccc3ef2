//! Simple models of how kernels wake sleepers. Seeded: every run is the same.

use oversleep::Nanos;
use oversleep::machine::Simulated;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns a kernel with ticks at multiples of `tick`; a sleep ends at the tick after the one it is rounded up to.
/// FreeBSD 4.9 and Linux 2.4 at 100 Hz.
pub(crate) fn up_plus_one(tick: Nanos) -> Simulated {
    Simulated::new(move |now, deadline| {
        let ticks = (deadline - now).ceil_to(tick).get() / tick.get() + 1;
        Nanos::new(now.get() / tick.get() * tick.get() + ticks * tick.get())
    })
}

/// Returns a kernel in which a sleep ends at the first tick at or after its deadline. Windows at 15.625 ms.
pub(crate) fn at_tick(tick: Nanos) -> Simulated {
    Simulated::new(move |_now, deadline| deadline.ceil_to(tick))
}

/// Returns a kernel with high-resolution timers: a fixed cost, and a tail that halves every `tail`.
pub(crate) fn hrtimer(cost: Nanos, tail: Nanos) -> Simulated {
    let mut random = Pcg64Mcg::seed_from_u64(0xC10C);
    Simulated::new(move |_now, deadline| deadline + cost + exponential(&mut random, tail))
}

/// Returns a kernel that wakes a sleep anywhere within a leeway in proportion to it. macOS.
pub(crate) fn coalescing(part: i64) -> Simulated {
    let mut random = Pcg64Mcg::seed_from_u64(0xAB1E);
    Simulated::new(move |now, deadline| {
        let leeway = (deadline - now).get() / part;
        deadline + Nanos::from_micros(10) + Nanos::new(random.random_range(0..=leeway.max(0)))
    })
}

/// Returns a kernel in which one sleep in ten waits behind busy neighbours for 4 ms.
pub(crate) fn loaded() -> Simulated {
    let mut random = Pcg64Mcg::seed_from_u64(0xB0B);
    Simulated::new(move |_now, deadline| {
        let waits = if random.random_range(0..10) == 0 { 4_000 } else { 0 };
        deadline + Nanos::from_micros(60 + waits) + exponential(&mut random, Nanos::from_micros(10))
    })
}

fn exponential(random: &mut impl Rng, half: Nanos) -> Nanos {
    Nanos::from_f64(-random.random::<f64>().max(1e-12).log2() * half.as_f64())
}

/// Simulates work between two sleeps: a random time up to `most`.
pub(crate) fn work(machine: &Simulated, random: &mut impl Rng, most: Nanos) {
    machine.advance(Nanos::new(random.random_range(0..=most.get())));
}
