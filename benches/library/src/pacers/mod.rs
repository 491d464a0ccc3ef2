//! Benchmarks of pacers: how exact and how even their rates are, and what they cost.

mod contenders;
mod process;
mod rated;

use rated::Rated;
use std::fmt::Write;
use std::time::Duration;

/// A rate that is asked for, in units per second, and the units of a packet.
#[derive(Debug, Clone, Copy)]
struct Asked {
    label: &'static str,
    rate: u64,
    packet: u64,
}

const ASKED: [Asked; 3] = [
    Asked { label: "1 000/s", rate: 1_000, packet: 1 },
    Asked { label: "100 000/s", rate: 100_000, packet: 1 },
    Asked { label: "10 MB/s", rate: 10_000_000, packet: 1_500 },
];

/// Beginning of the names of this library's pacers, which must reach an exact rate.
const OURS: &str = "oversleep";
/// Largest allowed error of the rate in ppm, apart from effects at the ends of a run (issue 5).
const MOST_PPM: f64 = 1.0;

/// A run of a pacer: when units came and how many.
struct Run {
    name: String,
    /// Times in nanoseconds since the schedule's start, each with the number of units that came then.
    batches: Vec<(i64, u64)>,
    /// Fewest units that the pacer lets through at once.
    packet: u64,
    /// Processor time as a share of the elapsed time; `None` if it is not known.
    cpu: Option<f64>,
}

pub fn section(fewer: usize) -> String {
    let time = Duration::from_secs(10) / fewer as u32;
    let mut page = format!("## Pacers\n\n{time:?} each, one after the other. {HEAD}");
    let mut verdicts = String::from("\n| rate | pacer | asked | reached | |\n|---|---|---|---|---|\n");
    let mut left_out = String::new();
    for asked in ASKED {
        let runs = contenders::all(asked, time).into_iter().map(Ok).chain(process::all(asked, time));
        for run in runs {
            match run {
                Ok(run) => {
                    eprintln!("pacers: {}: {}", asked.label, run.name);
                    let rated = Rated::measure(asked.rate, &run);
                    page += &row(asked, &run, rated);
                    verdicts += &verdict(asked, &run, rated);
                }
                Err(why) => left_out += &format!("\n{}: not measured: {why}\n", asked.label),
            }
        }
    }
    page + &left_out + &verdicts
}

const HEAD: &str = "\
Two rates, each as its error in ppm: *mean*, all units after the first over the time since it; *slope*, the median slope \
of lateness between any two hundredths of the wake-ups (Theil and Sen), in which neither a burst at the start nor late \
wake-ups at the end show. Behind the schedule start + n/rate: of the first packet of each wake-up, µs. Ahead of it: of the \
last. A process's schedule starts with its first byte, and its bytes are timed where they leave a pipe. CPU is the \
whole process's.

| rate | pacer | mean | slope | behind p50 | p99 | worst | ahead, worst | CPU % |
|---|---|---|---|---|---|---|---|---|
";

fn row(asked: Asked, run: &Run, rated: Option<Rated>) -> String {
    let (label, name) = (asked.label, &run.name);
    let Some(Rated { mean, slope, behind, ahead }) = rated else {
        return format!("| {label} | {name} | nothing came | | | | | | |\n");
    };
    let cpu = run.cpu.map_or_else(|| "–".to_owned(), |share| format!("{:.1}", share * 100.0));
    let [p50, p99, worst] = behind.map(crate::stats::us);
    let ahead = crate::stats::us(ahead);
    format!("| {label} | {name} | {mean:+.1} | {slope:+.2} | {p50} | {p99} | {worst} | {ahead} | {cpu} |\n")
}

fn verdict(asked: Asked, run: &Run, rated: Option<Rated>) -> String {
    let Some(Rated { slope, .. }) = rated.filter(|_| run.name.starts_with(OURS)) else { return String::new() };
    let met = if slope.abs() <= MOST_PPM { "met" } else { "**not met**" };
    let mut line = String::new();
    let _ = writeln!(line, "| {} | {} | within {MOST_PPM} ppm | {slope:+.2} ppm | {met} |", asked.label, run.name);
    line
}
