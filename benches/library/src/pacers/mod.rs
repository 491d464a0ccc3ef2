//! Rates: how exact, how even, how dear.

use crate::condition;
use crate::stats::{Sorted, us};
use governor::clock::{Clock, MonotonicClock};
use governor::{Quota, RateLimiter};
use oversleep::{Hertz, Nanos, Pacer, Sleeper, now};
use std::fmt::Write;
use std::num::NonZeroU32;
use std::time::Duration;

/// Takes units one after the other: when each batch came, and of how many units.
struct Run {
    name: String,
    batches: Vec<(i64, u64)>,
    cpu: f64,
}

pub fn section(fewer: usize) -> String {
    let time = Duration::from_secs(10) / fewer as u32;
    let mut page = format!(
        "## Pacers\n\n{time:?} each, one thread. Rate error between the first and the last unit, in ppm; behind the \
         schedule start + n/rate, in µs (negative: ahead).\n\n\
         | rate | pacer | rate error | dev p50 | dev p99 | worst | CPU % |\n|---|---|---|---|---|---|---|\n"
    );
    for (label, rate, packet) in [("1 000/s", 1_000, 1), ("100 000/s", 100_000, 1), ("10 MB/s", 10_000_000, 1_500)] {
        eprintln!("pacers: {label}");
        for run in contenders(rate, packet, time) {
            page += &row(label, rate, &run);
        }
    }
    page + "\n`pv -L` works in another process: `every`/`pace` of the command line compare with it.\n"
}

fn row(label: &str, rate: u64, run: &Run) -> String {
    let per_unit = 1e9 / rate as f64;
    let mut units = 0_u64;
    let mut off = Vec::with_capacity(run.batches.len());
    for (at, n) in &run.batches {
        // The last unit of a batch is the one that may be early, the first the one that may be late.
        off.push(at - (units as f64 * per_unit) as i64);
        units += n;
    }
    let (Some((first, of_first)), Some((last, _))) = (run.batches.first(), run.batches.last()) else {
        return format!("| {label} | {} | nothing was taken | | | | |\n", run.name);
    };
    // What came after the first batch, over the time since.
    let between = (units - of_first) as f64;
    let error = (between * per_unit / ((last - first).max(1) as f64) - 1.0) * 1e6;
    let sorted = Sorted::of(off);
    let [p50, p99] = [0.5, 0.99].map(|share| us(sorted.quantile(share)));
    let mut text = String::new();
    let _ = writeln!(
        text,
        "| {label} | {} | {error:+.1} | {p50} | {p99} | {} | {:.1} |",
        run.name,
        us(sorted.worst()),
        run.cpu * 100.0
    );
    text
}

/// `take` answers how many units it got.
fn run(name: &str, time: Duration, mut take: impl FnMut() -> u64) -> Run {
    let cpu = condition::thread_cpu();
    let (start, cpu_start) = (now(), cpu.now());
    let end = start + Nanos::from(time);
    let mut batches = Vec::with_capacity(1 << 20);
    loop {
        let n = take();
        let at = now();
        batches.push(((at - start).get(), n));
        if at >= end {
            let cpu = (cpu.now() - cpu_start).as_f64() / (at - start).as_f64();
            return Run { name: name.to_owned(), batches, cpu };
        }
    }
}

fn contenders(rate: u64, packet: u64, time: Duration) -> Vec<Run> {
    let hertz = Hertz::new(rate, 1).expect("not zero");
    let pacer = || Pacer::new(hertz).expect("a rate that can be kept");
    let mut runs = Vec::new();
    let ours = pacer();
    runs.push(run("oversleep, kernel sleeps", time, || ours.take(packet).map_or(0, |_| packet)));
    let (ours, mut sleeper) = (pacer(), Sleeper::new());
    runs.push(run("oversleep, precise", time, || ours.take_with(&mut sleeper, packet).map_or(0, |_| packet)));
    let ours = pacer();
    runs.push(run("oversleep, batches of 200 µs", time, || ours.take_batch(u64::MAX, Duration::from_micros(200))));
    for (name, burst) in [("governor, burst = rate/100", (rate / 100).max(packet)), ("governor, burst 1", packet)] {
        runs.push(governor(name, rate, burst, packet, time));
    }
    runs.push(tokio_interval(rate, packet, time));
    runs.push(leaky_bucket(rate, packet, time));
    runs
}

fn governor(name: &str, rate: u64, burst: u64, packet: u64, time: Duration) -> Run {
    let number = |n: u64| NonZeroU32::new(u32::try_from(n).unwrap_or(u32::MAX)).expect("not zero");
    let quota = Quota::per_second(number(rate)).allow_burst(number(burst));
    let clock = MonotonicClock;
    let limiter = RateLimiter::direct_with_clock(quota, MonotonicClock);
    run(name, time, || {
        loop {
            match limiter.check_n(number(packet)) {
                Ok(Ok(())) => return packet,
                Ok(Err(until)) => std::thread::sleep(until.wait_time_from(clock.now())),
                Err(_) => return 0,
            }
        }
    })
}

fn tokio_interval(rate: u64, packet: u64, time: Duration) -> Run {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime for timers");
    let period = Duration::from_nanos(1_000_000_000 * packet / rate);
    let mut interval = runtime.block_on(async { tokio::time::interval(period) });
    run("tokio interval", time, || {
        runtime.block_on(interval.tick());
        packet
    })
}

fn leaky_bucket(rate: u64, packet: u64, time: Duration) -> Run {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime for timers");
    let per_refill = usize::try_from(rate / 10).unwrap_or(usize::MAX);
    let limiter = runtime.block_on(async {
        leaky_bucket::RateLimiter::builder()
            .initial(0)
            .refill(per_refill)
            .max(per_refill.saturating_mul(2))
            .interval(Duration::from_millis(100))
            .build()
    });
    let permits = usize::try_from(packet).unwrap_or(usize::MAX);
    run("leaky-bucket, 100 ms", time, || {
        runtime.block_on(limiter.acquire(permits));
        packet
    })
}
