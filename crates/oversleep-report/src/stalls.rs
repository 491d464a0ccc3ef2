//! Stalls as text: their share of each processor's time, their lengths, the worst of them, and their causes.
//!
//! Shows the document of a watch for stalls and the figures of its cells.

mod histogram;

use super::columns::{self, Column};
use super::distributions::between;
use super::headline::Headline;
use super::notes::{is_condition, refusals};
use super::percent::percent;
use super::style::{self, Screen};
use oversleep_figures::CellSummary;
use oversleep_recording::document::Figures;
use oversleep_recording::document::evidence::PeriodicInterference;
use oversleep_recording::document::stalls::{NamedStall, PeriodicStalls, StallKind, Stalls};
use oversleep_recording::{CauseTime, Meta, Note, WatchedCpu};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Number of stalls shown as text; JSON lists all that were kept.
const WORST: usize = 12;
/// Number of causes shown as text.
const CAUSES: usize = 10;

/// Returns the report as text.
pub fn text(meta: &Meta, note: &Note, stalls: &Stalls, cells: &[CellSummary], screen: Screen) -> String {
    let accounts = &stalls.processors;
    let mut out = table(accounts, cells, screen);
    out.push('\n');
    out += &histogram::text(stalls, cells, screen);
    out += &causes(&stalls.took, screen);
    out += &worst(stalls, screen);
    out += &screen.each_line(&means(meta, note, stalls, screen));
    out + &super::notes::tracing_privileges(meta, screen)
}

/// Returns the number of stalls, their share of the time watched, the longest, who took most of it, and what to do.
pub fn headline(stalls: &Stalls, cells: &[CellSummary]) -> Headline {
    let took = by_cause(&stalls.took);
    let all: Nanos = took.iter().map(|(_, (time, _))| *time).sum();
    let most = took.first().filter(|_| all > Nanos::ZERO).map_or_else(String::new, |(cause, (time, _))| {
        format!("; {} of the time: {cause}", percent(share(*time, all), 0))
    });
    let advice = took.first().and_then(|(cause, _)| {
        let of_cause = |stall: &&NamedStall| stall.cause == *cause;
        stalls.worst.iter().find(of_cause)?.advice()
    });
    Headline { text: format!("{}{most}.", heading(stalls, cells)), advice }
}

/// Returns the number of stalls, their share of the time watched, the longest, and those that recur.
fn heading(stalls: &Stalls, cells: &[CellSummary]) -> String {
    let accounts = &stalls.processors;
    let watched: Nanos = accounts.iter().map(WatchedCpu::watched).sum();
    let stalled: Nanos = accounts.iter().map(|account| account.stalled).sum();
    let count: u64 = accounts.iter().map(|account| account.stalls).sum();
    let Some(threshold) = accounts.iter().map(|account| account.threshold).max() else {
        return "no processor was watched".to_owned();
    };
    let Some(worst) = cells.iter().filter_map(|cell| cell.raw.max).max() else {
        return format!("no stall longer than {threshold} in {watched} of watching");
    };
    let share = percent(share(stalled, watched), 2);
    let recurring = recurring(stalls).map(|recurring| format!("; {recurring}")).unwrap_or_default();
    format!("{count} stalls longer than {threshold} took {share} of {watched} watched; the worst {worst}{recurring}")
}

/// Returns the stalls that recur and take the most time: "2.1 to 2.7 ms every 100 ms between 12.9 and 25.7 s on processor 1 by hog".
fn recurring(Stalls { periodic, worst, .. }: &Stalls) -> Option<String> {
    let time = |of: &PeriodicStalls| of.longest.as_f64() * of.rhythm.events as f64;
    let most = periodic.iter().max_by(|a, b| time(a).total_cmp(&time(b)))?;
    let PeriodicInterference { period_s: period, from_s, to_s, .. } = most.rhythm;
    let alike: Vec<_> = periodic.iter().filter(|of| (of.rhythm.period_s / period - 1.0).abs() < SAME_PERIOD).collect();
    let cpus: Vec<String> = alike.iter().map(|of| of.cpu.to_string()).collect();
    let by = who(&alike, worst).map(|who| format!(" by {who}")).unwrap_or_default();
    let seconds = |seconds: f64| Nanos::from_f64(1e9 * seconds);
    let lasts = from_s
        .zip(to_s)
        .map(|(from, to)| format!(" between {}", between(seconds(from), seconds(to)).replace(" to ", " and ")));
    let lasts = lasts.unwrap_or_default();
    let (length, period) = (between(most.shortest, most.longest), seconds(period));
    Some(format!("{length} every {period}{lasts} on processor {}{by}", cpus.join(", ")))
}

/// Returns who had the processor, by the trace, in most of the stalls that are as long as those that recur.
fn who<'a>(periodic: &[&PeriodicStalls], worst: &'a [NamedStall]) -> Option<&'a str> {
    let recurs = |stall: &&NamedStall| {
        let mut of_cpu = periodic.iter().filter(|of| stall.cpu.map(u32::from) == Some(of.cpu));
        of_cpu.any(|of| (of.shortest..=of.longest).contains(&stall.length))
    };
    let mut counts: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for stall in worst.iter().filter(recurs) {
        let known = stall.evidence.as_ref().is_some_and(|evidence| evidence.kind == StallKind::Owner);
        *counts.entry(known.then_some(&*stall.cause)).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    counts.into_iter().find(|(_, count)| 2 * count > all)?.0
}

/// Largest relative difference of periods that are called the same.
const SAME_PERIOD: f64 = 0.01;

/// Returns a table with one row per processor.
fn table(accounts: &[WatchedCpu], cells: &[CellSummary], screen: Screen) -> String {
    let values = |f: &dyn Fn(&WatchedCpu) -> String| -> Vec<String> { accounts.iter().map(f).collect() };
    let raw = |account: &WatchedCpu| cells.iter().find(|cell| cell.cell.id == account.cell).map(|cell| &cell.raw);
    let quantile = |f: fn(&Figures) -> Option<Nanos>| values(&|account| style::figure(raw(account).and_then(f)));
    let columns = [
        Column::figures("processor", values(&|account| account.cpu.to_string())),
        Column::figures("watched", values(&|account| account.watched().to_string())).expendable(4),
        Column::figures("spun", values(&|account| account.spun.to_string())).expendable(1),
        Column::figures("stalled", values(&|account| account.stalled.to_string())).expendable(5),
        Column::figures("share", values(&|account| percent(share(account.stalled, account.watched()), 2))),
        Column::figures("looked", values(&|account| account.looked.to_string())).expendable(0),
        Column::figures("paused", values(&|account| account.paused.to_string())).expendable(2),
        Column::figures("stalls", values(&|account| account.stalls.to_string())),
        Column::figures("per s", values(&rate)).expendable(3),
        Column::figures("p50", quantile(|raw| raw.p50)),
        Column::figures("p99", quantile(|raw| raw.p99)),
        Column::figures("max", quantile(|raw| raw.max)),
    ];
    let table = columns::fitted(&columns, screen);
    // The sums are those of columns that a narrow terminal has no room for.
    let note = if table.contains("looked") {
        let sums = "watched = spun + stalled + looked (reading counters after stalls); watched + paused = the run";
        screen.lines(0, &screen.aside(sums))
    } else {
        String::new()
    };
    table + &note
}

fn rate(account: &WatchedCpu) -> String {
    let seconds = account.watched().as_secs_f64();
    if seconds > 0.0 { format!("{:.0}", account.stalls as f64 / seconds) } else { "–".to_owned() }
}

/// Returns the share of a part in the whole; `None` if the whole is zero.
pub(super) fn share(part: Nanos, whole: Nanos) -> Option<f64> {
    (whole > Nanos::ZERO).then(|| part.as_f64() / whole.as_f64())
}

/// Returns the time and the number of stalls of each cause, the most time first.
fn by_cause(took: &[CauseTime]) -> Vec<(&str, (Nanos, u64))> {
    let mut sums: BTreeMap<&str, (Nanos, u64)> = BTreeMap::new();
    for took in took {
        let sum = sums.entry(&took.cause).or_default();
        *sum = (sum.0.saturating_add(took.time), sum.1 + took.stalls);
    }
    let mut order: Vec<_> = sums.into_iter().collect();
    order.sort_by_key(|(_, (time, _))| std::cmp::Reverse(*time));
    order
}

fn causes(took: &[CauseTime], screen: Screen) -> String {
    let order = by_cause(took);
    if order.is_empty() {
        return String::new();
    }
    let all: Nanos = order.iter().map(|(_, (time, _))| *time).sum();
    let shown = &order[..order.len().min(CAUSES)];
    let columns = [
        Column::words("what took the processor", shown.iter().map(|(cause, _)| (*cause).to_owned()).collect())
            .breakable(),
        Column::figures("stalls", shown.iter().map(|(_, (_, stalls))| stalls.to_string()).collect()),
        Column::figures("together", shown.iter().map(|(_, (time, _))| time.to_string()).collect()),
        Column::figures("share", shown.iter().map(|(_, (time, _))| percent(share(*time, all), 2)).collect()),
    ];
    let rest = order.len().saturating_sub(CAUSES);
    let rest = if rest > 0 { screen.aside(&format!("and {rest} more")) + "\n" } else { String::new() };
    format!("{}{rest}\n", columns::fitted(&columns, screen))
}

fn worst(stalls: &Stalls, screen: Screen) -> String {
    if stalls.worst.is_empty() {
        return String::new();
    }
    let begun = stalls.processors.iter().map(|account| account.begun).min().unwrap_or_default();
    let mut table = style::table(&["worst stalls", "at", "processor", "what is known"], screen);
    for stall in stalls.worst.iter().take(WORST) {
        let row = [
            stall.length.to_string(),
            format!("{:.6} s", (stall.at - begun).as_secs_f64()),
            stall.cpu.map_or_else(|| "–".to_owned(), |cpu| cpu.to_string()),
            stall.explanation(),
        ];
        table.add_row(row.map(|cell| style::firm(&cell)));
    }
    style::align(&mut table, &[3]);
    style::fit(&mut table, screen);
    style::table_text(&table) + "\n"
}

/// Returns the source of the causes, and what would have shown more.
fn means(meta: &Meta, note: &Note, stalls: &Stalls, screen: Screen) -> String {
    let mut lines = Vec::new();
    let missing = meta.unavailable.iter().chain(&note.unavailable);
    let traced = stalls.worst.iter().any(|stall| stall.witness == "trace");
    let refused = missing.clone().find(|missing| missing.what == "kernel events");
    match (traced, refused) {
        (_, Some(refused)) => lines.push(format!(
            "By counters, which say what happened but not how long it took; no kernel events ({}: {}).",
            refused.kind, refused.why
        )),
        (true, None) => {
            lines.push(
                "By kernel events, which lengthen each stall by some 0.2 µs an event, and by counters.".to_owned(),
            );
        }
        (false, None) => {}
    }
    if stalls.unnamed > 0 {
        lines.push(screen.warning(&format!(
            "{} stalls are listed without evidence: they count in the figures, and for no cause",
            stalls.unnamed
        )));
    }
    for account in stalls.processors.iter().filter(|account| account.unlisted > 0) {
        lines.push(screen.warning(&format!(
            "processor {}: {} stalls found no room in the list; they are counted, and in the share",
            account.cpu, account.unlisted
        )));
    }
    for account in stalls.processors.iter().filter(|account| account.backwards > 0) {
        let times = account.backwards;
        lines.push(screen.warning(&format!("processor {}: the counter went backwards {times} times", account.cpu)));
    }
    let floors = stalls.processors.iter();
    let floors: Vec<String> =
        floors.map(|account| format!("{} apart on processor {}", account.floor, account.cpu)).collect();
    if !floors.is_empty() {
        lines.push(screen.aside(&format!("two readings of the counter lie {}", floors.join(", "))));
    }
    lines.extend(refusals(meta, note).iter().map(|refusal| screen.warning(&format!("WARNING: {refusal}"))));
    let is_noted = |what: &str| what == "kernel events" || is_condition(what);
    let others: Vec<&str> =
        missing.filter(|missing| !is_noted(&missing.what)).map(|missing| missing.what.as_str()).collect();
    if !others.is_empty() {
        lines.push(screen.aside(&format!("not available here: {}", others.join(", "))));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::stalls::StallEvidence;

    const NO_EVIDENCE: StallEvidence = StallEvidence {
        kind: StallKind::Unseen,
        owners: None,
        thread: None,
        thread_since: 0,
        processor: None,
        processor_since: 0,
    };

    #[test]
    fn stalls_that_recur_are_said_with_their_size_period_and_time() {
        let rhythm = PeriodicInterference {
            period_s: 0.1,
            period_error_s: 1e-5,
            at_ns: Nanos::SECOND,
            from_s: Some(12.9),
            to_s: Some(25.7),
            to_error_s: Some(0.1),
            events: 128,
            log_likelihood_beyond_chance: 100.0,
        };
        let (shortest, longest) = (Nanos::from_micros(2_100), Nanos::from_micros(2_700));
        let first = PeriodicStalls { cpu: 1, shortest, longest, rhythm };
        let second = PeriodicStalls { cpu: 3, longest: shortest, ..first.clone() };
        let where_and_when = "2.10 to 2.70 ms every 100 ms between 12.9 and 25.7 s on processor 1, 3";
        let mut stalls = Stalls { periodic: vec![first, second], ..Stalls::default() };
        assert_eq!(recurring(&stalls).unwrap(), where_and_when);
        let stall = |cause: &str, length: Nanos, kind| NamedStall {
            cpu: Some(1),
            length,
            cause: cause.to_owned(),
            evidence: Some(StallEvidence { kind, ..NO_EVIDENCE }),
            ..NamedStall::default()
        };
        stalls.worst = vec![
            stall("cc", Nanos::from_millis(9), StallKind::Owner),
            stall("hog (real time 50)", longest, StallKind::Owner),
            stall("hog (real time 50)", shortest, StallKind::Owner),
            stall("cc", shortest, StallKind::Owner),
        ];
        assert_eq!(recurring(&stalls).unwrap(), format!("{where_and_when} by hog (real time 50)"));
        stalls.worst.iter_mut().for_each(|stall| stall.evidence = None);
        assert_eq!(recurring(&stalls).unwrap(), where_and_when, "counters do not know who it was");
        assert_eq!(recurring(&Stalls::default()), None);
    }
}
