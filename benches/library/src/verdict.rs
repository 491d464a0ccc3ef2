//! The requirements on the sleeper, cell by cell, and the best that the machine allows.

use crate::condition::Class;
use crate::contender::{DEFAULT, ECO, PLAIN, SPIN, SPIN_SLEEP, STD};
use crate::sleeps::Row;
use oversleep::Nanos;
use std::fmt::Write;

/// Heading and explanation above the verdicts.
pub const HEADING: &str = "
### What was asked for

*Best here*: of lateness, what reading a clock in a loop comes to (`spin`; the sleeper's last reads are warmed up and may be some ns better). Of processor time, what the
cell's plain sleeps would have cost with one margin, chosen afterwards, that just meets the three rows of lateness: each its own cost and the
fine wait for the rest of the margin; or the whole duration, where that is less. A sleeper cannot know that margin before.

| cell | measure | asked | reached | best here | |
|---|---|---|---|---|---|
";

/// The requirements on lateness: name, quantile, and the highest allowed ratio to spin_sleep's.
const LATENESS: [(&str, f64, f64); 3] =
    [("p50 / spin_sleep", 0.5, 0.4), ("p95 / spin_sleep", 0.95, 0.7), ("p99 / spin_sleep", 0.99, 1.0)];

/// Returns rows on the requirements of issue 5 for one cell.
pub fn judge(cell: &str, duration: Nanos, class: Class, busy: usize, rows: &[Row]) -> String {
    let find = |name| rows.iter().find(|row| row.name == name);
    let all = [SPIN, STD, PLAIN, SPIN_SLEEP, DEFAULT, ECO].map(find);
    let [Some(spin), Some(std), Some(plain), Some(peer), Some(ours), Some(eco)] = all else { return String::new() };
    let mut text = String::new();
    let mut line = |measure: &str, asked: f64, reached: f64, best: Option<f64>, unit: &str| {
        let met = if reached <= asked { "met" } else { "**not met**" };
        let best = best.map_or("–".to_owned(), |best| format!("{best:.2}{unit}"));
        let _ = writeln!(text, "| {cell} | {measure} | ≤ {asked}{unit} | {reached:.2}{unit} | {best} | {met} |");
    };
    for (measure, share, asked) in LATENESS {
        line(measure, asked, ratio(ours, peer, share), Some(ratio(spin, peer, share)), "×");
    }
    let us = Nanos::from_micros;
    let half = duration == us(100) || class == Class::Fifo && [us(250), us(1_000)].contains(&duration);
    let best = least_cpu(plain, peer, duration) / peer.cpu;
    line("CPU / spin_sleep", if half { 0.5 } else { 1.0 }, ours.cpu / peer.cpu, Some(best), "×");
    line("eco p50 / std", 0.5, ratio(eco, std, 0.5), None, "×");
    line("eco CPU / std", 1.05, eco.cpu / std.cpu, None, "×");
    if busy == 2 && class == Class::Other {
        line("p50 under load", 1.0, ours.late.quantile(0.5) as f64 / 1e3, None, " µs");
        line("CPU under load", 250.0, ours.cpu / 1e3, None, " µs");
    }
    text
}

fn ratio(row: &Row, to: &Row, share: f64) -> f64 {
    row.late.quantile(share) as f64 / to.late.quantile(share).max(1) as f64
}

/// Returns the processor time of a sleep (ns) with the least margin that would have met the requirements on lateness.
fn least_cpu(plain: &Row, peer: &Row, duration: Nanos) -> f64 {
    let short_of = |(_, share, asked): (&str, f64, f64)| {
        plain.late.quantile(share) as f64 - asked * peer.late.quantile(share) as f64
    };
    let margin = LATENESS.map(short_of).into_iter().fold(0.0, f64::max);
    (plain.cpu + plain.late.mean_short_of(margin)).min(duration.as_f64())
}
