//! `sim`: how fast kernels are simulated. The numbers are printed with their targets, and not checked.

use super::Options;
use oversleep_recording::plan::{Cell, ClockName, Kind, Pattern, Plan, Turn};
use oversleep_sim::{Arithmetic, Kernel, ParameterError, Simulation, Sweep, sweep};
use oversleep_sys::units::Nanos;
use std::time::Instant;

pub(super) fn run(_: &Options) -> Result<(), String> {
    measure().map_err(|error| error.to_string())
}

fn plan(pattern: Pattern, sleeps: u64) -> Plan {
    let cell = Cell { clock: ClockName::Realtime, ..Cell::new(0, "nanosleep", pattern) };
    Plan { kind: Kind::Measure, cells: vec![cell], turns: vec![Turn { cell: 0, sleeps }], seed: 0 }
}

fn measure() -> Result<(), ParameterError> {
    let tick = Kernel::preset("dragonfly-1.0-i8254")?;
    let second = Pattern::Fixed { requested: Nanos::SECOND };
    let aligned = Pattern::Aligned { to: Nanos::SECOND };
    let short = Pattern::Fixed { requested: Nanos::from_millis(10) };
    println!("simulated seconds per second of one processor (targets: 1 s sleeps 1e7, 10 ms sleeps 1e5)");
    for arithmetic in [Arithmetic::Exact, Arithmetic::Fixed] {
        speed("1 s sleeps", &tick, &plan(second, 3_000_000), arithmetic);
        speed("aligned 1 s", &tick, &plan(aligned, 3_000_000), arithmetic);
        speed("10 ms sleeps", &tick, &plan(short, 3_000_000), arithmetic);
    }
    println!("phase-locked tick (target: 5 ns)");
    for (name, hz) in [("dragonfly-pll", 100_u32), ("dragonfly-pll-hz1000", 1_000)] {
        for arithmetic in [Arithmetic::Exact, Arithmetic::Fixed] {
            let kernel = Kernel::preset(name)?.set("daemon_ticks", "0")?;
            let (seconds, wall) = timed(&kernel, &plan(aligned, 30_000_000 / u64::from(hz)), arithmetic);
            println!("  {name} {arithmetic:?}: {:.2} ns per tick", wall * 1e9 / (seconds * f64::from(hz)));
        }
    }
    scaling(&tick)?;
    println!("memory for statistics only (target: flat)");
    for sleeps in [10_000, 10_000_000] {
        let before = peak_kib();
        timed(&tick, &plan(short, sleeps), Arithmetic::Fixed);
        println!("  {sleeps} sleeps: peak {:?} KiB, {:?} KiB more", peak_kib(), growth(before, peak_kib()));
    }
    Ok(())
}

/// Simulates three times; returns the simulated seconds and the processor seconds of the fastest run.
fn timed(kernel: &Kernel, plan: &Plan, arithmetic: Arithmetic) -> (f64, f64) {
    let mut best = (0.0, f64::INFINITY);
    for _ in 0..3 {
        let (begun, before) = (Instant::now(), processor_ns());
        let (_, outcome) = Simulation::new(kernel, plan, 1).arithmetic(arithmetic).tally();
        // The target is for one processor: processor time counts where the system says it, else elapsed time.
        let had = processor_ns().zip(before).map(|(after, before)| (after - before) as f64 / 1e9);
        let wall = had.unwrap_or_else(|| begun.elapsed().as_secs_f64());
        if wall < best.1 {
            best = (outcome.simulated.as_secs_f64(), wall);
        }
    }
    best
}

fn speed(what: &str, kernel: &Kernel, plan: &Plan, arithmetic: Arithmetic) {
    let (seconds, wall) = timed(kernel, plan, arithmetic);
    let sleeps: u64 = plan.turns.iter().map(|turn| turn.sleeps).sum();
    println!("  {what} {arithmetic:?}: {:.2e} ({:.1} ns per sleep)", seconds / wall, wall * 1e9 / sleeps as f64);
}

/// Prints how long a sweep of 10 000 kernels takes on one processor and on two.
fn scaling(kernel: &Kernel) -> Result<(), ParameterError> {
    let over = "hz=20..100000/10000".parse::<Sweep>()?;
    let over = Sweep { values: over.values.iter().cycle().take(10_000).cloned().collect(), ..over };
    let plan = plan(Pattern::Aligned { to: Nanos::SECOND }, 1_000);
    let on = |threads: usize| -> Option<f64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
        (0..3)
            .map(|_| {
                let begun = Instant::now();
                pool.install(|| sweep(kernel, &over, &plan, 1, &[], Arithmetic::Fixed));
                begun.elapsed().as_secs_f64()
            })
            .min_by(f64::total_cmp)
    };
    if let (Some(one), Some(two)) = (on(1), on(2)) {
        println!("sweep of 10000 kernels, 1000 sleeps each (target: 1.8 times as fast on two processors)");
        println!("  one: {one:.2} s, two: {two:.2} s, {:.2} times", one / two);
    }
    Ok(())
}

/// Returns this thread's processor time in nanoseconds, where `/proc` has it.
fn processor_ns() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
}

/// Returns this process's peak resident memory in KiB, where `/proc` has it.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn growth(before: Option<u64>, after: Option<u64>) -> Option<u64> {
    Some(after? - before?)
}
