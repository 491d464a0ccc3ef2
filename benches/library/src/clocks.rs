//! Benchmarks of clocks: the cost of a reading, order across threads, and drift.

use oversleep::Nanos;
use oversleep::clock::CounterClock;
use oversleep_sys::clock::counter;
use oversleep_sys::clock::monotonic as now;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// A clock's name, and a function that reads it once or many times.
type Named<F> = (&'static str, Box<F>);

pub fn section(fewer: usize) -> String {
    let mut page = String::from("## Clocks\n");
    page += &cost(200 / fewer);
    page += &order(1_000_000_000 / fewer as u64);
    page += &drift(Duration::from_secs(600) / fewer as u32);
    page
}

/// Returns a table of nanoseconds per reading: each clock's median over rounds, in which the clocks take turns.
fn cost(rounds: usize) -> String {
    eprintln!("clocks: cost");
    const READS: u32 = 100_000;
    let shared = CounterClock::shared();
    let quanta = quanta::Clock::new();
    let clocks: Vec<Named<dyn Fn()>> = vec![
        ("clock_gettime(MONOTONIC)", Box::new(|| loop_over(READS, now))),
        ("oversleep::clock::CounterClock", Box::new(move || loop_over(READS, || shared.now()))),
        ("lfence; rdtsc alone", Box::new(|| loop_over(READS, counter::ordered))),
        ("std Instant", Box::new(|| loop_over(READS, std::time::Instant::now))),
        ("quanta (bare rdtsc)", Box::new(move || loop_over(READS, || quanta.now()))),
        ("minstant (bare rdtsc)", Box::new(|| loop_over(READS, minstant::Instant::now))),
        ("fastant (bare rdtsc)", Box::new(|| loop_over(READS, fastant::Instant::now))),
    ];
    let mut times = vec![Vec::new(); clocks.len()];
    for _ in 0..rounds.max(5) {
        for (index, (_, read)) in clocks.iter().enumerate() {
            let before = now();
            read();
            times[index].push((now() - before).as_f64() / f64::from(READS));
        }
    }
    let mut text = String::from("\n| clock | ns per reading | × MONOTONIC |\n|---|---|---|\n");
    let medians: Vec<_> = times
        .into_iter()
        .map(|mut values| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        })
        .collect();
    for ((name, _), median) in clocks.iter().zip(&medians) {
        let _ = writeln!(text, "| {name} | {median:.1} | {:.2} |", median / medians[0]);
    }
    let _ = writeln!(text, "\nCounter in use: {}. {:?}", shared.is_counter(), shared.calibration());
    text
}

fn loop_over<T>(reads: u32, read: impl Fn() -> T) {
    for _ in 0..reads {
        black_box(read());
    }
}

/// Every eighth reading is published. Every reading is compared with the latest published one.
const PUBLISHED: u64 = 8;

/// Counts how often a reading is earlier than one that either of two threads published before.
fn order(reads: u64) -> String {
    let clock = CounterClock::shared();
    let minstant_origin = minstant::Instant::now();
    let mut text = String::from("\n| clock | readings by two threads | earlier than one published |\n|---|---|---|\n");
    let contenders: [(&str, &(dyn Fn() -> i64 + Sync)); 2] = [
        ("oversleep::clock::CounterClock", &|| clock.now().as_nanos().get()),
        ("minstant", &|| i64::try_from(minstant_origin.elapsed().as_nanos()).unwrap_or(i64::MAX)),
    ];
    for (name, read) in contenders {
        eprintln!("clocks: order of {name}");
        let (latest, backward) = (AtomicI64::new(i64::MIN), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut earlier = 0;
                    for n in 0..reads / 2 {
                        let published = latest.load(Ordering::Acquire);
                        let here = read();
                        earlier += u64::from(here < published);
                        if n % PUBLISHED == 0 {
                            latest.fetch_max(here, Ordering::AcqRel);
                        }
                    }
                    backward.fetch_add(earlier, Ordering::Relaxed);
                });
            }
        });
        let _ = writeln!(text, "| {name} | {reads} | {} |", backward.into_inner());
    }
    text
}

/// Returns a table of each clock's difference from MONOTONIC since the start: the last and the largest, compared every
/// 100 ms.
fn drift(time: Duration) -> String {
    eprintln!("clocks: drift over {time:?}");
    let (quanta, minstant, fastant) = (quanta::Clock::new(), minstant::Instant::now(), fastant::Instant::now());
    let quanta_start = quanta.now();
    let start = now();
    let shared = CounterClock::shared();
    let read: [Named<dyn Fn() -> Nanos>; 4] = [
        ("oversleep::clock::CounterClock", Box::new(move || shared.now().as_nanos() - start)),
        ("quanta", Box::new(move || Nanos::from(quanta.now().duration_since(quanta_start)))),
        ("minstant", Box::new(move || Nanos::from(minstant.elapsed()))),
        ("fastant", Box::new(move || Nanos::from(fastant.elapsed()))),
    ];
    let mut worst = [Nanos::ZERO; 4];
    let mut last = [Nanos::ZERO; 4];
    while now() - start < Nanos::from(time) {
        for (index, (_, read)) in read.iter().enumerate() {
            // Of five readings, the one with the least time between the readings of MONOTONIC around it: half of that
            // is its error.
            let (width, difference) = (0..5)
                .map(|_| {
                    let before = now();
                    let here = read();
                    let after = now();
                    let middle = before + Nanos::new((after - before).get() / 2);
                    (after - before, here - (middle - start))
                })
                .min()
                .unwrap_or_default();
            if width < Nanos::MICROSECOND {
                last[index] = difference;
                worst[index] = worst[index].max(difference.abs());
            }
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let mut text = format!("\n| clock | off MONOTONIC after {time:?} | worst |\n|---|---|---|\n");
    for (index, (name, _)) in read.iter().enumerate() {
        let _ = writeln!(text, "| {name} | {} | {} |", last[index], worst[index]);
    }
    text
}
