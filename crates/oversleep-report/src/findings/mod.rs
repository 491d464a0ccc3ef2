//! Findings and budgets as text for the terminal.

mod budgets;
mod evidence;
mod undecided;

pub use undecided::undecided;

use super::style::Screen;
use super::table::conditions;
use crate::requests::Requests;
use oversleep_figures::CellSummary;
use oversleep_recording::document::{
    Cause, CellDiagnosis, Coverage, Diagnosis, Finding, Predicted, PredictedQuantile, Remedy, Undecided, Unit,
    share_of_request,
};
use oversleep_recording::plan::{Cell, Plan};
use oversleep_recording::text::grouped;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;
use std::path::Path;

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

/// Returns the findings in traced sleeps, whose breakdown says what their lateness is made of.
pub fn of_traced(plan: &Plan, diagnosis: &Diagnosis, screen: Screen) -> String {
    let note = "sizes and shares are of the traced sleeps, predictions of the untraced ones beside them";
    let mut causes = causes(plan, diagnosis, screen);
    if !causes.is_empty() {
        causes += &screen.lines(2, &screen.aside(note));
    }
    let mut parts = vec![machine(plan, diagnosis, screen), causes, undecided(&diagnosis.undecided, screen)];
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
    let share = format!("{:.0} % of the summed lateness", 100.0 * found.share?);
    let planned = plan.cells.iter().find(|planned| planned.id == cell).filter(|_| diagnosis.cells.len() > 1);
    Some(match planned {
        Some(cell) => {
            let same = |other: &CellDiagnosis| plan.cells.iter().any(|own| own.id == other.cell && is_alike(own, cell));
            // Rows that differ in their conditions alone are told apart by these.
            let under = if diagnosis.cells.iter().filter(|other| same(other)).count() > 1 {
                format!(", {}", conditions(&cell.conditions, None))
            } else {
                String::new()
            };
            format!("{share} of {} {}{under}", cell.method, requests(plan).text(cell.pattern))
        }
        None => share,
    })
}

/// Returns whether two cells have the same method and request.
fn is_alike(a: &Cell, b: &Cell) -> bool {
    a.method == b.method && a.pattern == b.pattern
}

/// Returns one finding in a few lines: cause, size, confidence, evidence, alternatives, remedy.
fn finding(found: &Finding, share: Option<String>, screen: Screen) -> String {
    let interval = found
        .low
        .zip(found.high)
        .map_or_else(String::new, |(low, high)| format!(" ({} to {})", size(low, found.unit), size(high, found.unit)));
    let share = share.map_or_else(String::new, |share| format!(", {share}"));
    let name = screen.heading(found.cause().name());
    let facts = found.evidence.facts();
    // A cause that was seen in single sleeps has its size in these, not in the usual sleep.
    let among =
        if facts.iter().any(|(name, _)| name == "largest_part_of") { " where it is the largest part" } else { "" };
    let how = format!("{}{interval}{among}{share}, confidence {:.2}", size(found.size, found.unit), found.confidence);
    let mut out = screen.lines(2, &format!("{name}: {how}"));
    out += &screen.lines(4, found.cause().meaning());
    let evidence = evidence::phrases(&facts);
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

/// Returns a size with its unit.
pub(super) fn size(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Nanoseconds => Nanos::from_f64(value).to_string(),
        Unit::Ppm => format!("{value:+.2} ppm"),
        Unit::Ratio => share_of_request(value, 3),
        Unit::Share => format!("{:.1} %", 100.0 * value),
        Unit::MicrosPerSecond => format!("{value:+.2} µs per second"),
    }
}

/// Returns one or two lines per cause, the most widespread first; remedies are those for `system` (as `uname` names it)
/// or for any system. `tail` is the question that the latest sleeps leave open; `file` is the recording's path.
pub fn brief(
    system: &str,
    diagnosis: &Diagnosis,
    tail: Option<&Undecided>,
    file: Option<&Path>,
    screen: Screen,
) -> String {
    let mut causes: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for found in diagnosis.all().filter(|found| worth_a_line(found)) {
        causes.entry(found.cause().name()).or_default().push(found);
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, found)| std::cmp::Reverse(found.len()));
    let mut out = format!("{}\n", screen.heading("Why, from the pattern of the samples"));
    for (name, found) in &causes {
        let first = found[0];
        let where_found = places(found.len());
        let (name, spread, meaning) = (screen.heading(name), spread(found), first.cause().meaning());
        out += &screen.lines(2, &format!("{name}  {spread}, {where_found}: {meaning}"));
        if let Some(remedy) = first.remedy_on(system) {
            out += &screen.lines(4, &screen.aside(&in_words(remedy)));
        }
    }
    if causes.is_empty() {
        out += "  No cause stands out.\n";
    }
    if let Some(tail) = tail {
        out += &format!("\n{}", undecided::undecided(std::slice::from_ref(tail), screen));
    }
    // Not broken into lines, because it is there to be copied.
    let next = |file: &Path| format!("\nevidence and alternatives: oversleep explain {}\n", file.display());
    out + &file.map_or_else(String::new, next)
}

/// Returns the size, or the range of sizes.
fn spread(found: &[&Finding]) -> String {
    let unit: Unit = found[0].unit;
    let sizes = || found.iter().filter(|found| found.unit == unit).map(|found| found.size);
    let (least, most) = (sizes().fold(f64::MAX, f64::min), sizes().fold(f64::MIN, f64::max));
    let (least, most) = (size(least, unit), size(most, unit));
    if least == most { least } else { format!("{least} to {most}") }
}

fn places(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("in {count} places"),
    }
}

/// Returns a line about the samples that the findings rest on; empty if these are all samples.
pub fn coverage(coverage: Coverage, screen: Screen) -> String {
    if coverage.spread == 0 {
        return String::new();
    }
    let text = format!(
        "counts and quantiles: all {} sleeps; patterns: the first {} (a stretch of every \
         cell and thread), and {} spread over the run",
        grouped(coverage.samples),
        grouped(coverage.first),
        grouped(coverage.spread)
    );
    screen.lines(0, &screen.aside(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::Evidence;
    use oversleep_recording::document::evidence::{
        ConstantCost, PeriodicInterference, RunQueue, SlackBasis, TickQuantised, TimerSlack,
    };
    use oversleep_recording::document::{Budget, CellDiagnosis, Split};
    use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern};

    pub(super) fn cell(id: u32, asked: Nanos, load: Option<u16>) -> Cell {
        let load = load.map(|threads| oversleep_recording::plan::Load {
            threads,
            kind: oversleep_recording::plan::LoadKind::Spin,
        });
        Cell {
            conditions: Conditions { load, ..Conditions::default() },
            ..Cell::new(id, "nanosleep", Pattern::Fixed { requested: asked })
        }
    }

    pub(super) fn plan(cells: Vec<Cell>) -> Plan {
        Plan { kind: Kind::Measure, cells, turns: Vec::new(), seed: 0 }
    }

    fn found(evidence: impl Into<Evidence>, size: f64, share: f64) -> Finding {
        Finding { share: Some(share), ..Finding::new(evidence, size, Unit::Nanoseconds) }
    }

    fn slack() -> TimerSlack {
        TimerSlack { usual_late_ns: 67e3, least_late_ns: 5e3, basis: SlackBasis::Nominal, system_rule: None }
    }

    fn diagnosed(cell: u32, findings: Vec<Finding>) -> CellDiagnosis {
        let split = |late| Some(Split::from([("timer-slack".to_owned(), late), ("unexplained".to_owned(), 17_000)]));
        CellDiagnosis { cell, findings, budget: Budget { p50_ns: split(50_000), p99_ns: split(70_000) } }
    }

    /// Returns two cells with different causes, a tick that the machine has too, and one cause whose size rounds to zero.
    fn example() -> (Plan, Diagnosis) {
        let plan = plan(vec![cell(0, Nanos::MILLISECOND, None), cell(1, Nanos::from_millis(5), Some(2))]);
        let few = vec![found(slack(), 50_000.0, 0.9), found(TickQuantised::default(), 4e6, 0.4)];
        let others = vec![
            found(ConstantCost { usual_late_ns: None, idle: None }, 60_000.0, 0.8),
            found(RunQueue { quanta: None, turn_ns: None, load: None }, 0.2, 0.0),
        ];
        let machine = vec![Finding::new(TickQuantised::default(), 5e6, Unit::Nanoseconds)];
        (plan, Diagnosis { cells: vec![diagnosed(0, few), diagnosed(1, others)], machine, undecided: Vec::new() })
    }

    #[test]
    fn a_cause_is_listed_once_and_none_that_is_worth_nothing() {
        let (plan, diagnosis) = example();
        let shown = text(&plan, &diagnosis, &[], Screen::PLAIN);
        assert_eq!(shown.matches("\n  tick-quantised: ").count(), 1, "{shown}");
        assert!(
            shown.contains("tick-quantised: 4.00 ms, 40 % of the summed lateness of nanosleep 1.00 ms, "),
            "{shown}"
        );
        assert!(!shown.contains("run-queue"), "{shown}");
        assert!(!brief("Linux", &diagnosis, None, None, Screen::PLAIN).contains("run-queue"));
    }

    #[test]
    fn a_remedy_without_a_note_has_no_parentheses() {
        let (_, mut diagnosis) = example();
        let rhythm = PeriodicInterference {
            period_s: 1.0,
            period_error_s: 0.1,
            at_ns: Nanos::SECOND,
            from_s: None,
            to_s: None,
            to_error_s: None,
            events: 9,
            log_likelihood_beyond_chance: 20.0,
        };
        diagnosis.machine = vec![Finding::new(rhythm, 1e6, Unit::Nanoseconds)];
        let shown = brief("Linux", &diagnosis, None, None, Screen::PLAIN);
        assert!(shown.contains("with that period and move or stop it\n"), "{shown}");
        assert!(shown.contains("(for the calling thread; 0 restores the default)\n"), "{shown}");
    }

    #[test]
    fn shares_say_of_which_sleeps_they_are() {
        let (plan, mut diagnosis) = example();
        let shown = text(&plan, &diagnosis, &[], Screen::PLAIN);
        for words in [
            "timer-slack: 50.0 µs, 90 % of the summed lateness of nanosleep 1.00 ms, ",
            "constant-cost: 60.0 µs, 80 % of the summed lateness of nanosleep 5.00 ms, ",
            "shares of different sleeps do not add up to 100 %",
        ] {
            assert!(shown.contains(words), "{words}: {shown}");
        }
        diagnosis.cells.pop();
        let shown = text(&plan, &diagnosis, &[], Screen::PLAIN);
        assert!(shown.contains("90 % of the summed lateness, confidence") && !shown.contains("add up"), "{shown}");
    }

    #[test]
    fn rows_that_differ_by_their_conditions_alone_show_them() {
        let (plan, mut diagnosis) = example();
        let shown = text(&plan, &diagnosis, &[], Screen::PLAIN);
        assert!(shown.contains("conditions") && shown.contains("2 busy") && shown.contains("default"), "{shown}");
        diagnosis.cells.pop();
        assert!(!text(&plan, &diagnosis, &[], Screen::PLAIN).contains("conditions"));
    }

    #[test]
    fn lines_fit_the_terminal_and_blank_ones_stand_alone() {
        let (plan, diagnosis) = example();
        for width in [70, 80, 120] {
            let shown = text(&plan, &diagnosis, &[], Screen { width, colour: false });
            let long = shown.lines().find(|line| line.chars().count() > width.into());
            assert_eq!(long, None, "{width}: {shown}");
            assert!(!shown.contains("\n\n\n") && !shown.starts_with('\n') && !shown.ends_with("\n\n"), "{shown}");
            assert!(shown.contains("50.0 µs timer-slack"), "{shown}");
        }
    }

    #[test]
    fn a_whole_recording_needs_no_words() {
        assert_eq!(coverage(Coverage { samples: 9, first: 9, spread: 0 }, Screen::PLAIN), "");
        let text = coverage(Coverage { samples: 1_234_567, first: 98_304, spread: 131_072 }, Screen::PLAIN);
        assert!(text.contains("all 1 234 567 sleeps; "), "{text}");
        assert!(text.contains("first 98 304 (") && text.contains("and 131 072 spread"), "{text}");
    }
}
