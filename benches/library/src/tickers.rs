//! Periodic schedules, and seconds of the wall clock.

use crate::condition;
use crate::stats::{Sorted, us};
use oversleep::{Hertz, Missed, Nanos, Period, Sleeper, Ticker, WallTicker, now};
use oversleep_os::clock::realtime;
use std::fmt::Write;
use std::time::Duration;

struct Run {
    name: &'static str,
    /// When each tick was handed out, after the first.
    at: Vec<i64>,
    cpu: f64,
}

/// One after the other, each for the same time: two tickers on one thread would wait for each other.
pub fn section(fewer: usize) -> String {
    let ticks = 60_000 / fewer;
    let mut page = format!(
        "## Tickers\n\n{ticks} ticks at 1 kHz. Deviation from start + n × 1 ms in µs; drift is that of the last tick's \
         neighbourhood (median of the last 100).\n\n| ticker | p50 | p99 | worst | drift | CPU % |\n|---|---|---|---|---|---|\n"
    );
    for run in [ours(ticks), eco(ticks), naive(ticks), interval(ticks), tokio(ticks)] {
        eprintln!("tickers: {}", run.name);
        let off: Vec<i64> = run.at.iter().enumerate().map(|(n, at)| at - n as i64 * 1_000_000).collect();
        let drift = Sorted::of(off[off.len().saturating_sub(100)..].to_vec()).quantile(0.5);
        let sorted = Sorted::of(off);
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
    page + &aligned(300 / fewer)
}

fn run(name: &'static str, ticks: usize, mut tick: impl FnMut()) -> Run {
    let cpu = condition::thread_cpu();
    let mut at = Vec::with_capacity(ticks);
    tick();
    let (start, cpu_start) = (now(), cpu.now());
    at.push(0);
    for _ in 1..ticks {
        tick();
        at.push((now() - start).get());
    }
    let (wall, spent) = (now() - start, cpu.now() - cpu_start);
    Run { name, at, cpu: spent.as_f64() / wall.as_f64() }
}

fn kilohertz() -> Period {
    Period::of(Hertz::new(1_000, 1).expect("not zero")).expect("a millisecond")
}

fn ours(ticks: usize) -> Run {
    let mut ticker = Ticker::new(kilohertz()).missed(Missed::Burst);
    run("oversleep Ticker", ticks, || {
        let _ = ticker.tick();
    })
}

fn eco(ticks: usize) -> Run {
    let mut ticker = Ticker::with_sleeper(kilohertz(), Sleeper::new().eco()).missed(Missed::Burst);
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

/// Each full second of the wall clock, as the seed of 2004 did it: what the clock showed on waking.
fn aligned(seconds: usize) -> String {
    eprintln!("tickers: {seconds} aligned seconds");
    let mut off = Vec::new();
    for tick in WallTicker::new(Period::every(Nanos::SECOND).expect("a second")).take(seconds) {
        off.push((realtime() - tick.deadline).get());
    }
    let sorted = Sorted::of(off);
    let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| us(sorted.quantile(share)));
    format!(
        "\n{seconds} full seconds of the wall clock, µs past the second: p50 {p50}, p90 {p90}, p99 {p99}, worst {}.\n",
        us(sorted.worst())
    )
}
