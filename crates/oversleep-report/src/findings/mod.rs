//! Findings and budgets as text for the terminal.

mod brief;
mod budgets;
mod coverage;
mod evidence;
mod undecided;

pub use brief::brief;
pub use coverage::coverage;
pub use undecided::undecided;

use crate::requests::Requests;
use crate::style::Screen;
use oversleep_figures::CellSummary;
use oversleep_recording::document::{Cause, Diagnosis, Finding, Predicted, PredictedQuantile, Remedy, Unit};
use oversleep_recording::plan::Plan;
use oversleep_sys::units::Nanos;

/// Returns all findings: those of the machine, the budget of each cell, the findings behind it, and open questions.
/// `slept` has the obtained conditions.
pub fn text(plan: &Plan, diagnosis: &Diagnosis, slept: &[CellSummary], screen: Screen) -> String {
    let mut parts = vec![
        machine(plan, diagnosis, screen),
        budgets::budgets(plan, diagnosis, slept, screen),
        causes(plan, diagnosis, screen),
    ];
    if !diagnosis.all().any(worth_a_line) && diagnosis.undecided.is_empty() {
        parts.push("No cause stands out.\n".to_owned());
    }
    parts.push(undecided(&diagnosis.undecided, screen));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Returns whether a finding is shown to people: not if its size rounds to zero.
fn worth_a_line(found: &Finding) -> bool {
    found.unit != Unit::Nanoseconds || Nanos::from_f64(found.size) != Nanos::ZERO
}

/// Returns the machine's findings. A cause that cells have too is shown only here.
fn machine(plan: &Plan, diagnosis: &Diagnosis, screen: Screen) -> String {
    let shown: Vec<&Finding> = diagnosis.machine.iter().filter(|found| worth_a_line(found)).collect();
    if shown.is_empty() {
        return String::new();
    }
    let worst = worst(diagnosis);
    let of_cells = |found: &Finding| worst.iter().find(|(_, other)| other.cause() == found.cause());
    let findings = shown.into_iter().map(|found| {
        let share = of_cells(found).and_then(|(cell, other)| share(plan, diagnosis, *cell, other));
        finding(&of_cells(found).map_or_else(|| found.clone(), |(_, other)| with_sizes_of(found, other)), share, screen)
    });
    format!("{}\n{}", screen.heading("The machine"), findings.collect::<String>())
}

/// Returns a machine's finding with the cell's own values: the size that goes with the cell's share, and remedies, of which only
/// a cell's are predicted to achieve something.
fn with_sizes_of(machine: &Finding, cell: &Finding) -> Finding {
    let remedy = cell.remedy.clone();
    if cell.unit != machine.unit || cell.share.is_none() {
        return Finding { remedy, ..machine.clone() };
    }
    Finding { remedy, size: cell.size, low: cell.low, high: cell.high, ..machine.clone() }
}

/// Returns the requests of all cells, each in words.
fn requests(plan: &Plan) -> Requests {
    Requests::new(plan.cells.iter().map(|cell| cell.pattern))
}

/// Returns each cause of the cells once, from the cell where its share is largest.
fn worst(diagnosis: &Diagnosis) -> Vec<(u32, &Finding)> {
    let mut worst: Vec<(u32, &Finding)> = Vec::new();
    for cell in &diagnosis.cells {
        for found in cell.findings.iter().filter(|found| worth_a_line(found)) {
            match worst.iter_mut().find(|(_, other)| other.cause() == found.cause()) {
                Some(other) if found.share > other.1.share => *other = (cell.cell, found),
                Some(_) => {}
                None => worst.push((cell.cell, found)),
            }
        }
    }
    worst
}

/// Returns the cells' findings, except causes that the machine has.
fn causes(plan: &Plan, diagnosis: &Diagnosis, screen: Screen) -> String {
    let of_machine = |cause: Cause| diagnosis.machine.iter().any(|found| found.cause() == cause && worth_a_line(found));
    let shown: Vec<(u32, &Finding)> =
        worst(diagnosis).into_iter().filter(|(_, found)| !of_machine(found.cause())).collect();
    let Some((first, _)) = shown.first() else { return String::new() };
    let mut out = format!("{}\n", screen.heading("Causes"));
    if shown.iter().any(|(cell, _)| cell != first) {
        let note = "each where its share is largest; shares of different sleeps do not add up to 100 %";
        out += &screen.lines(2, &screen.aside(note));
    }
    out.extend(shown.into_iter().map(|(cell, found)| finding(found, share(plan, diagnosis, cell, found), screen)));
    out
}

/// Returns a finding's share of the lateness; if there are several cells, with the cell.
fn share(plan: &Plan, diagnosis: &Diagnosis, cell: u32, found: &Finding) -> Option<String> {
    let share = format!("{:.0} % of the lateness", 100.0 * found.share?);
    let planned = plan.cells.iter().find(|planned| planned.id == cell).filter(|_| diagnosis.cells.len() > 1);
    Some(match planned {
        Some(cell) => format!("{share} of {} {}", cell.method, requests(plan).text(cell.pattern)),
        None => share,
    })
}

/// Returns one finding in a few lines: cause, size, confidence, evidence, alternatives, remedy.
fn finding(found: &Finding, share: Option<String>, screen: Screen) -> String {
    let interval = found
        .low
        .zip(found.high)
        .map_or_else(String::new, |(low, high)| format!(" ({} to {})", size(low, found.unit), size(high, found.unit)));
    let share = share.map_or_else(String::new, |share| format!(", {share}"));
    let name = screen.heading(found.cause().name());
    let how = format!("{}{interval}{share}, confidence {:.2}", size(found.size, found.unit), found.confidence);
    let mut out = screen.lines(2, &format!("{name}: {how}"));
    out += &screen.lines(4, found.cause().meaning());
    let evidence = evidence::phrases(&found.evidence.facts());
    if !evidence.is_empty() {
        out += &screen.lines(4, &screen.aside(&format!("evidence: {}", evidence.join(", "))));
    }
    if !found.confounders.is_empty() {
        out += &screen.lines(4, &screen.aside(&format!("would look the same: {}", found.confounders.join("; "))));
    }
    for remedy in &found.remedy {
        let worth = remedy.predicted.as_ref().map_or_else(String::new, |predicted| format!(": {}", effect(predicted)));
        out += &screen.lines(4, &format!("{}: {}{worth}", remedy.system, in_words(remedy)));
    }
    out
}

/// Returns a remedy's command or advice, with its note in parentheses if it has one.
pub(super) fn in_words(remedy: &Remedy) -> String {
    let note = if remedy.note.is_empty() { String::new() } else { format!(" ({})", remedy.note) };
    format!("{}{note}", remedy.command)
}

/// Returns the predicted effect of a remedy on the median and the 99th percentile.
fn effect(predicted: &Predicted) -> String {
    let quantile = |name: &str, predicted: &PredictedQuantile| {
        let [before, after, low, high] = [predicted.before_ns, predicted.after_ns, predicted.low_ns, predicted.high_ns]
            .map(|ns| Nanos::new(ns).to_string());
        format!("{name} {before} → {after} ({low} to {high})")
    };
    let both = [("p50", predicted.p50.as_ref()), ("p99", predicted.p99.as_ref())];
    let texts: Vec<String> = both.into_iter().filter_map(|(name, it)| Some(quantile(name, it?))).collect();
    texts.join(", ")
}

fn size(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Nanoseconds => Nanos::from_f64(value).to_string(),
        Unit::Ppm => format!("{value:+.2} ppm"),
        Unit::Ratio => format!("{:.3} % of the request", 100.0 * value),
        Unit::Share => format!("{:.1} %", 100.0 * value),
        Unit::MicrosPerSecond => format!("{value:+.2} µs per second"),
    }
}

#[cfg(test)]
mod tests;
