//! Findings and budgets for the terminal.

mod brief;
mod json;
mod looked;

pub use brief::brief;
pub use json::document;
pub use looked::looked;

use crate::analysis::diagnose::{CellDiagnosis, Diagnosis, Finding, Split, Undecided, Unit};
use crate::plan::{Cell, Pattern, Plan};
use crate::report::style::{Look, align, table, text};
use oversleep_os::units::Nanos;
use serde_json::Value;

/// Everything that was found: the machine's findings, each cell's budget, the findings behind it, open questions.
pub fn show(plan: &Plan, diagnosis: &Diagnosis, look: Look) -> String {
    let mut out = String::new();
    if !diagnosis.machine.is_empty() {
        out += &format!("{}\n", look.heading("The machine"));
        out.extend(diagnosis.machine.iter().map(|found| finding(found, look)));
        out.push('\n');
    }
    out += &budgets(plan, diagnosis, look);
    out += &causes(diagnosis, look);
    if diagnosis.all().next().is_none() && diagnosis.undecided.is_empty() {
        out += "no cause stands out\n";
    }
    out.extend(diagnosis.undecided.iter().map(|open| undecided(open, look)));
    out
}

/// One row per cell and quantile: the late time and what it is made of.
fn budgets(plan: &Plan, diagnosis: &Diagnosis, look: Look) -> String {
    let mut rows = table(&["method", "asked", "", "late", "made of"], look);
    for cell in &diagnosis.cells {
        let Some(planned) = plan.cells.iter().find(|planned| planned.id == cell.cell) else { continue };
        for (name, split) in [("p50", &cell.budget.p50_ns), ("p99", &cell.budget.p99_ns)] {
            if let Some(split) = split {
                let total = Nanos::new(split.values().sum());
                rows.add_row([planned.method.clone(), asked(planned), name.into(), total.to_string(), parts(split)]);
            }
        }
    }
    align(&mut rows, &[0, 2, 4]);
    text(&rows) + "\n"
}

/// The largest parts first, `unexplained` always last.
fn parts(split: &Split) -> String {
    let mut named: Vec<(&str, i64)> =
        split.iter().filter(|(name, _)| *name != "unexplained").map(|(name, ns)| (name.as_str(), *ns)).collect();
    named.sort_by_key(|(_, ns)| std::cmp::Reverse(ns.abs()));
    named.push(("unexplained", split.get("unexplained").copied().unwrap_or(0)));
    let words: Vec<String> = named.iter().map(|(name, ns)| format!("{} {name}", Nanos::new(*ns))).collect();
    words.join(" + ")
}

fn asked(cell: &Cell) -> String {
    match cell.pattern {
        Pattern::Fixed { requested } => requested.to_string(),
        Pattern::Random { from, to } => format!("{from}–{to}"),
        Pattern::Aligned { to } => format!("next {to}"),
        Pattern::Periodic { period } => format!("every {period}"),
    }
}

/// The cells' findings, each cause once: with the cell where its share is largest.
fn causes(diagnosis: &Diagnosis, look: Look) -> String {
    let mut shown: Vec<&Finding> = Vec::new();
    for found in diagnosis.cells.iter().flat_map(|cell: &CellDiagnosis| &cell.findings) {
        match shown.iter_mut().find(|other| other.cause == found.cause) {
            Some(other) if found.share > other.share => *other = found,
            Some(_) => {}
            None => shown.push(found),
        }
    }
    let mut out = String::new();
    if !shown.is_empty() {
        out += &format!("{}\n", look.heading("Causes"));
        out.extend(shown.into_iter().map(|found| finding(found, look)));
        out.push('\n');
    }
    out
}

/// One finding in a few lines: what, how large, how sure, on what numbers, what else it may be, what to do.
fn finding(found: &Finding, look: Look) -> String {
    let interval = found
        .low
        .zip(found.high)
        .map_or_else(String::new, |(low, high)| format!(" ({} to {})", size(low, found.unit), size(high, found.unit)));
    let share = found.share.map_or_else(String::new, |share| format!(", {:.0} % of the lateness", 100.0 * share));
    let name = look.heading(found.cause.name());
    let how = format!("{}{interval}{share}, confidence {:.2}", size(found.size, found.unit), found.confidence);
    let mut out = format!("  {name}: {how}\n    {}\n", found.cause.meaning());
    let evidence: Vec<String> = found.evidence.iter().filter_map(|(key, value)| word(key, value)).collect();
    if !evidence.is_empty() {
        out += &format!("    {}\n", look.aside(&format!("evidence: {}", evidence.join(", "))));
    }
    if !found.confounders.is_empty() {
        out += &format!("    {}\n", look.aside(&format!("would look the same: {}", found.confounders.join("; "))));
    }
    for remedy in &found.remedy {
        let note = if remedy.note.is_empty() { String::new() } else { format!(" ({})", remedy.note) };
        out += &format!("    {}: {}{note}\n", remedy.system, remedy.command);
    }
    out
}

fn size(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Nanoseconds => Nanos::from_f64(value).to_string(),
        Unit::Ppm => format!("{value:+.2} ppm"),
        Unit::Ratio => format!("{:.3} % of the request", 100.0 * value),
        Unit::MicrosPerSecond => format!("{value:+.2} µs per second"),
    }
}

/// A number of the evidence for people; lists and tables are for programs.
fn word(key: &str, value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => {
            let number = number.as_f64()?;
            Some(match key.strip_suffix("_ns") {
                Some(name) => format!("{name} {}", Nanos::from_f64(number)),
                None => format!("{key} {}", (number * 1e3).round() / 1e3),
            })
        }
        Value::String(text) => Some(format!("{key} {text}")),
        Value::Null if key == "hz" || key == "rounding" => Some(format!("{key} not known")),
        _ => None,
    }
}

fn undecided(open: &Undecided, look: Look) -> String {
    format!("{} {}: {}\n  {}\n", look.warning("open:"), open.question, open.why, look.aside(&open.experiment))
}
