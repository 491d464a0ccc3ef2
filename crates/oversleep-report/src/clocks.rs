//! A survey of clocks as text: what a reading costs, how clocks advance, and whether they agree.

mod drift;

use super::percent::percent_unrounded_at_ends;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use oversleep_recording::document::clocks::{Across, Clock, Clocks, Counter};
use oversleep_recording::document::evidence::Times;
use oversleep_recording::plan::ClockName;
use oversleep_recording::text;
use oversleep_sys::units::Nanos;
use std::fmt::Write;

/// Returns the whole report, in lines of at most 80 columns. `every_pair` lists the drift between all pairs of clocks
/// instead of only the distinct clocks.
pub fn text(survey: &Clocks, every_pair: bool) -> String {
    let ranked = ranked(survey);
    let mut out = section("What reading a clock costs, cheapest first", &costs(&ranked));
    out += "Where the smallest step seen is about a call's cost, the clock may be finer.\n\n";
    out += &under_load(&ranked);
    out += &section("How the clocks advance, in the same order", &steadiness(&ranked));
    out += &notes_on_steadiness(survey);
    out += &drift::text(survey, every_pair);
    out += &rates(survey);
    out += &notes(survey);
    out
}

/// Returns the clocks ordered by cost in the longest loop; clocks without a cost come last.
fn ranked(survey: &Clocks) -> Vec<&Clock> {
    let mut ranked: Vec<_> = survey.clocks.iter().collect();
    ranked.sort_by(|a, b| cost(a).unwrap_or(f64::INFINITY).total_cmp(&cost(b).unwrap_or(f64::INFINITY)));
    ranked
}

/// Returns the cost of a call in the longest loop, in nanoseconds.
fn cost(measured: &Clock) -> Option<f64> {
    measured.costs.last().map(|cost| cost.per_call_ns)
}

fn section(title: &str, table: &Table) -> String {
    format!("{title}\n\n{}\n\n", trimmed(table))
}

/// Returns the table as text without blanks at the ends of lines.
fn trimmed(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// Returns an empty table without rules, with the columns in `right` aligned to the right.
fn table<const N: usize>(header: [&str; N], right: std::ops::Range<usize>) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header.map(str::to_owned).to_vec());
    for index in right {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

const NONE: &str = "–";

fn costs(ranked: &[&Clock]) -> Table {
    let mut table = table(["clock", "ns/call", "claims", "seen", "repeated", "steered", "suspend"], 1..5);
    for measured in ranked {
        let claimed = measured.claimed_resolution.map_or(NONE.to_owned(), |step| step.to_string());
        let repeated = measured.steps.and_then(|steps| steps.repeated_share);
        table.add_row(vec![
            measured.clock.clone(),
            cost(measured).map_or(NONE.to_owned(), per_call),
            claimed,
            seen(measured),
            repeated.map_or(NONE.to_owned(), percent_unrounded_at_ends),
            measured.steered.unwrap_or(NONE).to_owned(),
            measured.suspend.unwrap_or(NONE).to_owned(),
        ]);
    }
    table
}

/// Returns what a reading costs while others read too, and how many times the cost without others that is; empty if that was
/// not measured.
fn under_load(ranked: &[&Clock]) -> String {
    let Some(readers) = ranked.iter().find_map(|measured| measured.loaded).map(|loaded| loaded.readers) else {
        return String::new();
    };
    let mut table = table(["clock", "alone", "beside them", "times"], 1..4);
    for measured in ranked {
        let beside = measured.loaded.map(|loaded| loaded.cost.per_call_ns);
        let times = cost(measured).zip(beside).filter(|(alone, _)| *alone > 0.0).map(|(alone, beside)| beside / alone);
        table.add_row(vec![
            measured.clock.clone(),
            cost(measured).map_or(NONE.to_owned(), per_call),
            beside.map_or(NONE.to_owned(), per_call),
            times.map_or(NONE.to_owned(), |times| format!("{times:.1}")),
        ]);
    }
    let threads = if readers == 1 { "1 thread reads".to_owned() } else { format!("{readers} threads read") };
    section(&format!("What it costs, ns/call, while {threads} the same clock"), &table)
        + "Where there are more threads than CPUs, this includes waiting for a turn.\n\n"
}

fn per_call(ns: f64) -> String {
    if ns < 100.0 { format!("{ns:.1}") } else { format!("{ns:.0}") }
}

/// Returns the smallest step seen; a fraction of nanoseconds below 10 ns with one decimal.
fn seen(measured: &Clock) -> String {
    let Some(steps) = measured.steps else { return NONE.to_owned() };
    let Some(ticks) = steps.smallest_ticks else { return "none seen".to_owned() };
    let ns = ticks as f64 * 1e9 / measured.rate_hz;
    if ns < 9.95 && ns.fract() != 0.0 { format!("{ns:.1} ns") } else { Nanos::from_f64(ns).to_string() }
}

fn steadiness(ranked: &[&Clock]) -> Table {
    let mut table = table(["clock", "back steps", "worst", "earlier across CPUs", "of reads", "worst"], 1..6);
    for measured in ranked {
        let (backwards, worst) = match measured.steps {
            Some(steps) if steps.backwards > 0 => (steps.backwards.to_string(), steps.worst_backwards.to_string()),
            Some(_) => ("none".to_owned(), String::new()),
            None => (NONE.to_owned(), String::new()),
        };
        let [earlier, reads, furthest] = across(measured.across_cpus.as_ref());
        table.add_row(vec![measured.clock.clone(), backwards, worst, earlier, reads, furthest]);
    }
    table
}

fn across(across: Option<&Across>) -> [String; 3] {
    match across {
        None => [NONE.to_owned(), String::new(), String::new()],
        Some(Across::Not { why, .. }) => [why.clone(), String::new(), String::new()],
        Some(Across::Compared { earlier: 0, reads, .. }) => ["none".to_owned(), grouped(*reads), String::new()],
        Some(Across::Compared { earlier, reads, worst, .. }) => [grouped(*earlier), grouped(*reads), worst.to_string()],
    }
}

/// Writes a number in groups of three digits, with plain spaces: nothing breaks the lines of a table.
fn grouped(number: u64) -> String {
    text::grouped(number).replace('\u{a0}', " ")
}

fn notes_on_steadiness(survey: &Clocks) -> String {
    let loose = |measured: &Clock| matches!(&measured.across_cpus, Some(Across::Compared { pinned: false, .. }));
    if survey.clocks.iter().any(loose) {
        "Threads could not be held on CPUs of their own: 'none' may mean that they shared one.\n\n".to_owned()
    } else {
        String::new()
    }
}

fn notes(survey: &Clocks) -> String {
    let mut out = String::new();
    if let Some(facts) = &survey.counter {
        out += &counter(facts);
    } else if let Some(why) = &survey.counter_refused {
        _ = writeln!(out, "Counter: {why}.");
    }
    for missing in &survey.unavailable {
        _ = writeln!(out, "{} is {}: {}.", missing.what, missing.kind, missing.why);
    }
    if survey.stopped {
        out += "Stopped before the end: what is missing was not measured.\n";
    }
    out
}

fn counter(support: &Counter) -> String {
    let invariant = if support.invariant { "invariant" } else { "not invariant" };
    let kernel =
        support.clocksource.as_ref().map_or(String::new(), |name| format!("; the kernel keeps time by {name}"));
    let rate = support.nominal_hz.map_or_else(
        || "No rate is stated for it: its drift is from one measured over 5 ms.".to_owned(),
        |rate| format!("Its drift is from its stated rate, {:.6} MHz.", rate / 1e6),
    );
    format!("Counter: {invariant}{kernel}.\n{rate}\n")
}

/// Returns one line per clock and loop, with a blank line between clocks:
///
/// ```text
/// mach_absolute_time, op: 1000,    total(ns):      70447, 70 (ns/call)
/// ```
pub fn as_the_article(survey: &Clocks) -> String {
    let width = survey.clocks.iter().map(|measured| measured.clock.len()).max().unwrap_or(0);
    let mut out = String::new();
    for measured in survey.clocks.iter().filter(|measured| !measured.costs.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        for cost in &measured.costs {
            out += &line(&measured.clock, width, cost.calls, cost.total.get());
        }
    }
    out
}

/// Formats one loop, with nanoseconds per call cut off as in the article.
fn line(name: &str, width: usize, calls: u64, total: i64) -> String {
    let per_call = total / i64::try_from(calls.max(1)).unwrap_or(i64::MAX);
    let mut line = String::new();
    _ = writeln!(line, "{name:<width$}, op: {:<8} total(ns): {total:>10}, {per_call} (ns/call)", format!("{calls},"));
    line
}

/// Returns the counters with both rates, and NTP's correction; empty if neither is known.
fn rates(survey: &Clocks) -> String {
    let ppm = |ppm: f64| format!("{:+.2} ppm", (ppm * 100.0).round() / 100.0 + 0.0);
    let mut out = String::new();
    if !survey.assumed_rates.is_empty() {
        let mut table = table(["counter", "times", "stated, Hz", "kernel's, Hz", "lengthens the tick by"], 2..5);
        for rate in &survey.assumed_rates {
            let times = match rate.times {
                Times::Clock => "the clock",
                Times::Tick => "the tick",
            };
            let (stated, kernel) = (grouped(rate.stated_hz), grouped(rate.kernel_hz));
            table.add_row(vec![rate.counter.clone(), times.to_owned(), stated, kernel, ppm(rate.drift_ppm)]);
        }
        out += &section("Rates of the counters that the kernel tells time by", &table);
    }
    if let Some(correction) = survey.ntp_ppm {
        out += &format!("NTP corrects the clock's rate by {}.\n", ppm(correction));
    }
    out
}

/// Most clocks that a line names.
const NAMED: usize = 3;

/// Returns the sentences: the clock of sleeps, clocks that went backwards, and the largest difference of two rates.
pub fn sentences(survey: &Clocks) -> Vec<String> {
    let monotonic = survey.clocks.iter().find(|clock| clock.clock == ClockName::Monotonic.name());
    let read = monotonic.and_then(|clock| Some((clock, cost(clock)?))).map(|(clock, ns)| {
        let step = clock.steps.map_or_else(String::new, |_| format!(", smallest step {}", seen(clock)));
        format!("{}, the clock of most sleeps: {} ns a reading{step}.", clock.clock, per_call(ns))
    });
    read.into_iter().chain(backwards(&survey.clocks)).chain(rates_apart(survey)).collect()
}

fn rates_apart(survey: &Clocks) -> Option<String> {
    match drift::largest(survey) {
        Some((pair, size)) => {
            Some(format!("The rates differ by at most {size} ppm ({} and {}).", pair.clock, pair.against))
        }
        None if survey.drift.is_empty() => None,
        None => Some(format!("No difference of two rates was seen in {}.", survey.drift_window)),
    }
}

fn backwards(clocks: &[Clock]) -> Vec<String> {
    let back = |clock: &&Clock| clock.steps.is_some_and(|steps| steps.backwards > 0);
    let apart = |clock: &&Clock| matches!(clock.across_cpus, Some(Across::Compared { earlier: 1.., .. }));
    if !clocks.iter().any(|clock| clock.steps.is_some()) {
        return Vec::new();
    }
    let alone = named(clocks.iter().filter(back)).map_or_else(
        || "No clock went backwards on one thread.".to_owned(),
        |names| format!("Went backwards: {names}."),
    );
    let across = named(clocks.iter().filter(apart)).map(|names| format!("Read earlier on another processor: {names}."));
    std::iter::once(alone).chain(across).collect()
}

/// Returns the names of clocks, at most three and the number of the others; `None` without any.
fn named<'a>(clocks: impl Iterator<Item = &'a Clock>) -> Option<String> {
    let names: Vec<&str> = clocks.map(|clock| clock.clock.as_str()).collect();
    let others = names.len().saturating_sub(NAMED);
    let shown = names[..names.len() - others].join(", ");
    match others {
        0 if names.is_empty() => None,
        0 => Some(shown),
        others => Some(format!("{shown} and {others} more")),
    }
}

#[cfg(test)]
mod tests;
