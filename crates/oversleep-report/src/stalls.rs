//! Stalls as text: their share of each processor's time, their lengths, the worst of them, and their causes.
//!
//! Shows the document of a watch for stalls and the figures of its cells.

mod histogram;

use super::columns::{self, Column};
use super::notes::{is_condition, refusals};
use super::percent::percent;
use super::style::{self, Screen};
use oversleep_figures::CellSummary;
use oversleep_recording::document::Figures;
use oversleep_recording::document::stalls::Stalls;
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
    let mut out = screen.lines(0, &screen.heading(&heading(accounts, cells))) + "\n";
    out += &table(accounts, cells, screen);
    out.push('\n');
    out += &histogram::text(stalls, cells, screen);
    out += &causes(&stalls.took, screen);
    out += &worst(stalls, screen);
    out += &screen.each_line(&means(meta, note, stalls, screen));
    out + &super::notes::tracing_privileges(meta, screen)
}

/// Returns the number of stalls, their share of the time watched, and the longest.
pub fn heading(accounts: &[WatchedCpu], cells: &[CellSummary]) -> String {
    let watched: Nanos = accounts.iter().map(WatchedCpu::watched).sum();
    let stalled: Nanos = accounts.iter().map(|account| account.stalled).sum();
    let stalls: u64 = accounts.iter().map(|account| account.stalls).sum();
    let Some(threshold) = accounts.iter().map(|account| account.threshold).max() else {
        return "no processor was watched".to_owned();
    };
    let Some(worst) = cells.iter().filter_map(|cell| cell.raw.max).max() else {
        return format!("no stall longer than {threshold} in {watched} of watching");
    };
    let share = percent(share(stalled, watched), 2);
    format!("{stalls} stalls longer than {threshold} took {share} of {watched} watched; the worst {worst}")
}

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

fn causes(took: &[CauseTime], screen: Screen) -> String {
    let mut sums: BTreeMap<&str, (Nanos, u64)> = BTreeMap::new();
    for took in took {
        let sum = sums.entry(&took.cause).or_default();
        *sum = (sum.0.saturating_add(took.time), sum.1 + took.stalls);
    }
    if sums.is_empty() {
        return String::new();
    }
    let all: Nanos = sums.values().map(|(time, _)| *time).sum();
    let mut order: Vec<_> = sums.into_iter().collect();
    order.sort_by_key(|(_, (time, _))| std::cmp::Reverse(*time));
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
