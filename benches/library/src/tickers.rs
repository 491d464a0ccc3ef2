//! Benchmarks of tickers: periodic schedules, and full seconds of the wall clock.

use crate::condition;
use crate::stats::{Sorted, us};
use futures_lite::StreamExt;
use oversleep::{Missed, Nanos, Period, Sleeper, Ticker, WallTicker};
use oversleep_sys::clock::{monotonic as now, realtime};
use std::fmt::Write;
use std::time::Duration;

/// Number of errors that are printed one by one.
const SHOWN: usize = 5;

struct Run {
    name: &'static str,
    /// When each tick came, in nanoseconds after the first.
    at: Vec<i64>,
    cpu: f64,
}

/// Measures the tickers one after the other, each for the same time: two on one thread would wait for each other.
pub fn section(fewer: usize) -> String {
    let ticks = 60_000 / fewer;
    let mut page = format!(
        "## Tickers\n\n{ticks} ticks at 1 kHz, one ticker after the other. Deviation from start + n × 1 ms, µs; drift is \
         how much later the last {END} ticks come than the first {END} (medians). CPU is the whole process's.\n\n| ticker | p50 | p99 | worst | drift | CPU % |\n|---|---|---|---|---|---|\n"
    );
    let mut verdicts = String::from("\n| measure | asked | reached | |\n|---|---|---|---|\n");
    let contenders = [ours, eco, naive, interval, tokio, async_io];
    for contender in contenders {
        let run = contender(ticks);
        eprintln!("tickers: {}", run.name);
        let off: Vec<i64> = run.at.iter().enumerate().map(|(n, at)| at - n as i64 * 1_000_000).collect();
        let drift = drift(&off);
        if run.name == OURS {
            verdicts += &verdict("cumulative drift of the Ticker", Nanos::MICROSECOND, drift);
        }
        let sorted = Sorted::new(off);
        let [p50, p99] = [0.5, 0.99].map(|share| us(sorted.quantile(share)));
        let _ = writeln!(
            page,
            "| {} | {p50} | {p99} | {} | {} | {:.1} |",
            run.name,
            us(sorted.worst()),
            us(drift),
            run.cpu * 100.0
        );
    }
    let (text, late) = aligned(300 / fewer);
    verdicts += &verdict("aligned seconds, p99", Nanos::from_micros(10), late);
    page + &text + &verdicts
}

/// Name of this library's Ticker with its default settings.
const OURS: &str = "oversleep Ticker";
/// Number of ticks at either end from which the drift is computed.
const END: usize = 100;

/// Returns the drift: the median deviation of the last ticks minus that of the first, in nanoseconds.
fn drift(off: &[i64]) -> i64 {
    let end = END.min(off.len());
    let median = |part: &[i64]| Sorted::new(part.to_vec()).quantile(0.5);
    median(&off[off.len() - end..]) - median(&off[..end])
}

fn verdict(measure: &str, asked: Nanos, reached: i64) -> String {
    let met = if reached.abs() < asked.get() { "met" } else { "**not met**" };
    format!("| {measure} | < {asked:#} | {} µs | {met} |\n", us(reached))
}

fn run(name: &'static str, ticks: usize, mut tick: impl FnMut()) -> Run {
    let cpu = condition::process_cpu();
    let mut times = Vec::with_capacity(ticks);
    tick();
    let (start, cpu_start) = (now(), cpu.now());
    times.push(0);
    for _ in 1..ticks {
        tick();
        times.push((now() - start).get());
    }
    let (wall, spent) = (now() - start, cpu.now() - cpu_start);
    Run { name, at: times, cpu: spent.as_f64() / wall.as_f64() }
}

fn kilohertz() -> Period {
    Period::hz(1_000)
}

fn ours(ticks: usize) -> Run {
    let mut ticker = Ticker::builder(kilohertz()).missed(Missed::Burst).build();
    run(OURS, ticks, || {
        let _ = ticker.tick();
    })
}

fn eco(ticks: usize) -> Run {
    let mut ticker = Ticker::builder(kilohertz()).missed(Missed::Burst).build_with(Sleeper::builder().eco().build());
    run("oversleep Ticker, eco", ticks, || {
        let _ = ticker.tick();
    })
}

fn naive(ticks: usize) -> Run {
    run("std sleep in a loop", ticks, || std::thread::sleep(Duration::from_millis(1)))
}

fn interval(ticks: usize) -> Run {
    let mut interval = spin_sleep_util::interval(Duration::from_millis(1));
    run("spin_sleep_util interval", ticks, || {
        interval.tick();
    })
}

fn tokio(ticks: usize) -> Run {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime for timers");
    let mut interval = runtime.block_on(async { tokio::time::interval(Duration::from_millis(1)) });
    run("tokio interval", ticks, || {
        runtime.block_on(interval.tick());
    })
}

fn async_io(ticks: usize) -> Run {
    let mut interval = async_io::Timer::interval(Duration::from_millis(1));
    run("async-io interval", ticks, || {
        async_io::block_on(interval.next());
    })
}

/// Sleeps to each full second of the wall clock, as Herman did in 2004. Returns the text on how far past the second the
/// clock was on waking, and the 99th percentile of it in nanoseconds.
fn aligned(seconds: usize) -> (String, i64) {
    eprintln!("tickers: {seconds} aligned seconds");
    let mut off = Vec::new();
    for tick in WallTicker::hz(1).take(seconds) {
        off.push((realtime() - tick.deadline.as_nanos()).get());
    }
    let mut text = format!("\n{seconds} full seconds of the wall clock: how far past the second it was on waking.\n\n");
    for ns in off.iter().take(SHOWN) {
        let _ = writeln!(text, "      {:.9}", *ns as f64 / 1e9);
    }
    let sorted = Sorted::new(off);
    let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| us(sorted.quantile(share)));
    let _ = writeln!(text, "\nAll of them, µs: p50 {p50}, p90 {p90}, p99 {p99}, worst {}.", us(sorted.worst()));
    (text, sorted.quantile(0.99))
}
