//! The witnesses side by side, as text for the terminal.

use super::findings;
use super::style::{Screen, align, firm, fit, table, table_text};
use super::table::conditions;
use oversleep_recording::document::{CauseEstimates, Corroboration, Estimate, SideBySide, WitnessAgreement};
use oversleep_recording::document::{Diagnosis, Finding, Witness};
use oversleep_recording::plan::{Cell, Plan};
use oversleep_sys::units::Nanos;

/// Returns the effects of the changes, if there are any, the witnesses of each cell, and remedies. Empty if the pattern
/// is the only witness.
pub fn text(plan: &Plan, system: &str, corroboration: &Corroboration, diagnosis: &Diagnosis, screen: Screen) -> String {
    let mut out = corroboration
        .interventions
        .as_ref()
        .map_or_else(String::new, |found| super::interventions::text(found, screen));
    for side in &corroboration.cells {
        let Some(cell) = plan.cells.iter().find(|cell| cell.id == side.cell) else { continue };
        out += &format!("\n{}", section(cell, side, screen));
    }
    let base = corroboration.cells.first().map(|side| side.cell);
    if let Some(cell) = diagnosis.cells.iter().find(|cell| Some(cell.cell) == base) {
        out += &remedies(&cell.findings, system, screen);
    }
    out
}

fn section(cell: &Cell, side: &SideBySide, screen: Screen) -> String {
    let request = cell.pattern.requested().map_or_else(String::new, |requested| format!(" of {requested}"));
    let name = format!("{}{request}, {}", cell.method, conditions(&cell.conditions, None));
    let mut out =
        format!("{}{}", screen.lines(0, &screen.heading(&name)), by_cause("median, cause by cause", &side.p50, screen));
    // An intervention says little about the tail, so it is shown only if pattern and trace both say something, and only
    // for the baseline.
    let speaks = |has_estimate: fn(&CauseEstimates) -> bool| side.p99.iter().any(has_estimate);
    if cell.id == 0 && speaks(|row| row.pattern.is_some()) && speaks(|row| row.trace.is_some()) {
        out += &format!("\n{}", by_cause("99th percentile, cause by cause", &side.p99, screen));
    }
    out += &side.trace.as_ref().map_or_else(String::new, |traced| traced_by(traced, screen));
    out
}

fn by_cause(title: &str, all: &[CauseEstimates], screen: Screen) -> String {
    let mut rows = table(&[title, "pattern", "intervention", "trace", ""], screen);
    for row in all.iter().filter(|row| matters(row)) {
        let sure = match row.verdict {
            WitnessAgreement::Agree => screen.heading("agree"),
            WitnessAgreement::Differ => screen.warning("differ"),
            WitnessAgreement::Alone => String::new(),
        };
        let row = [row.cause.clone(), estimate(row.pattern), estimate(row.intervention), estimate(row.trace), sure];
        rows.add_row(row.map(|cell| firm(&cell)));
    }
    align(&mut rows, &[0, 4]);
    fit(&mut rows, screen);
    table_text(&rows)
}

/// Returns whether a row is shown: an intervention measured it, or some witness finds at least 500 ns.
fn matters(row: &CauseEstimates) -> bool {
    let least = 500.0;
    [row.pattern, row.intervention, row.trace].into_iter().flatten().any(|estimate| estimate.size.abs() >= least)
        || row.intervention.is_some()
}

/// Formats a size with half its interval after ±, or with both ends if they are uneven; a dash for `None`.
fn estimate(estimate: Option<Estimate>) -> String {
    let Some(Estimate { size, low, high, at_most }) = estimate else { return "–".to_owned() };
    let ns = |ns: f64| if ns < 0.0 { format!("−{}", Nanos::from_f64(-ns)) } else { Nanos::from_f64(ns).to_string() };
    let Some((low, high)) = low.zip(high) else { return ns(size) };
    if at_most {
        return format!("at most {}", ns(high));
    }
    let (below, above) = (size - low, high - size);
    if below.max(above) <= 0.0 {
        // The value is known, not measured.
        return ns(size);
    }
    if above.min(below) * 2.0 >= above.max(below) {
        format!("{} ± {}", ns(size), Nanos::from_f64((high - low) / 2.0))
    } else {
        format!("{} ({} to {})", ns(size), ns(low), ns(high))
    }
}

fn traced_by(traced: &oversleep_recording::Traced, screen: Screen) -> String {
    let shift = traced.shift.map_or_else(
        || "too few sleeps to estimate the cost of tracing".to_owned(),
        |apart| format!("tracing {}", super::breakdown::shifted(apart)),
    );
    let text = format!("trace: {}, {} of {} sleeps complete; {shift}", traced.tier, traced.complete, traced.sleeps);
    screen.lines(0, &screen.aside(&text))
}

/// Returns the causes that an intervention or a trace found, with the first remedy for each on this system.
fn remedies(findings: &[Finding], system: &str, screen: Screen) -> String {
    let mut out = String::new();
    for finding in
        findings.iter().filter(|finding| finding.witnesses.iter().any(|witness| *witness != Witness::Pattern))
    {
        let names: Vec<_> = finding.witnesses.iter().map(|witness| word(*witness)).collect();
        let size = Nanos::from_f64(finding.size);
        let sure = format!("{size}, confidence {:.2} ({})", finding.confidence, names.join(", "));
        let name = screen.heading(finding.cause().name());
        out += &format!("\n{}", screen.lines(0, &format!("{name}: {sure}")));
        out += &screen.lines(2, finding.cause().meaning());
        if let Some(remedy) = finding.remedy_on(system) {
            out += &screen.lines(2, &screen.aside(&findings::in_words(remedy)));
        }
    }
    out
}

fn word(witness: Witness) -> &'static str {
    match witness {
        Witness::Pattern => "pattern",
        Witness::Intervention => "intervention",
        Witness::Trace => "trace",
        Witness::Counters => "counters",
    }
}
