//! The whole comparison in one sentence, with remarks: in which order the sides were recorded, and why rows
//! are undecided.

use super::super::requests::Requests;
use super::super::style::Screen;
use super::full_name;
use super::rows::{distance, looks, range_of};
use super::verdict;
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedRun, ErrorSource, QuantileShift, ShareVerdict, ShiftVerdict,
};
use oversleep_sys::units::Nanos;

/// How a row came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Later,
    Earlier,
    Same,
    Open,
    /// No quantile could be compared.
    None,
}

/// Returns how a row came out, and by which shift: that of the median, or of a tail if only that differs.
fn outcome(cell: &ComparedCell) -> (Outcome, Option<&QuantileShift>) {
    let moved = cell.shifts.iter().find(|shift| matches!(shift.verdict, ShiftVerdict::Later | ShiftVerdict::Earlier));
    let Some(shift) = moved.or(cell.shifts.first()) else { return (Outcome::None, None) };
    let outcome = match shift.verdict {
        ShiftVerdict::Later => Outcome::Later,
        ShiftVerdict::Earlier => Outcome::Earlier,
        // A row whose periods differ is not one that does not differ.
        _ if cell
            .periods
            .iter()
            .flat_map(|periods| &periods.shares)
            .any(|share| matches!(share.verdict, ShareVerdict::More | ShareVerdict::Fewer)) =>
        {
            Outcome::None
        }
        ShiftVerdict::NotSeen => Outcome::Same,
        ShiftVerdict::Open => Outcome::Open,
    };
    (outcome, Some(shift))
}

/// Returns the comparison in one sentence: the largest difference, and how the other rows came out. Of a single row it is
/// that row's verdict.
pub(super) fn sentence(compared: &Compared, requests: &Requests) -> String {
    let cells = &compared.cells;
    let single = match cells.as_slice() {
        [] => return String::new(),
        [cell] => Some(cell),
        _ => None,
    };
    if let Some(cell) = single {
        return verdict::sentence(cell, true);
    }
    let outcomes: Vec<_> = cells.iter().map(|cell| (outcome(cell), cell)).collect();
    let count = |wanted: Outcome| outcomes.iter().filter(|((outcome, _), _)| *outcome == wanted).count();
    let largest = |wanted: &[Outcome]| {
        let chosen = outcomes.iter().filter(|((outcome, _), _)| wanted.contains(outcome));
        let sized = chosen.filter_map(|((outcome, shift), cell)| Some((*outcome, (*shift)?, *cell)));
        sized.max_by(|one, other| one.1.size_ns.abs().total_cmp(&other.1.size_ns.abs()))
    };
    let all = cells.len();
    let rows =
        |number: usize| if number == all { format!("all {all} rows") } else { format!("{number} of {all} rows") };
    let (later, earlier) = (count(Outcome::Later), count(Outcome::Earlier));
    let mut parts = Vec::new();
    if let Some((outcome, shift, cell)) = largest(&[Outcome::Later, Outcome::Earlier]) {
        let is_later = outcome == Outcome::Later;
        let (how, number) = if is_later { ("later", later) } else { ("earlier", earlier) };
        let head = if number > 1 { format!("B is {how} in {}, most at", rows(number)) } else { format!("B is {how}:") };
        parts.push(format!("{head} {} of {} by {}", shift.figure.name(), full_name(&cell.a, requests), size(shift)));
        match if is_later { ("earlier", earlier) } else { ("later", later) } {
            (_, 0) => {}
            (how, number) => parts.push(format!("{how} in {number}")),
        }
    }
    let (same, open) = (count(Outcome::Same), count(Outcome::Open));
    match (same, parts.is_empty()) {
        (0, _) => {}
        (_, true) => {
            let shifts = outcomes.iter().filter(|((outcome, _), _)| *outcome == Outcome::Same);
            let reach = shifts
                .filter_map(|((_, shift), _)| Some(shift.as_ref()?.low_ns.abs().max(shift.as_ref()?.high_ns.abs())));
            let largest = Nanos::from_f64(reach.fold(0.0, f64::max));
            parts.push(format!("No difference seen in {}, where one above {largest} would have been", rows(same)));
        }
        (1, false) => parts.push(format!("1 of {all} rows does not differ")),
        (_, false) => parts.push(format!("{} do not differ", rows(same))),
    }
    if open > 0 {
        let are = if open == 1 { "is" } else { "are" };
        let largest = if parts.is_empty() { largest(&[Outcome::Open]) } else { None };
        parts.push(match largest {
            None => format!("{} {are} undecided", rows(open)),
            Some((_, shift, cell)) => format!(
                "Undecided in {}: {}, most of all rows in {}",
                rows(open),
                looks(shift),
                full_name(&cell.a, requests)
            ),
        });
    }
    if parts.is_empty() {
        return String::new();
    }
    parts.join("; ") + "."
}

/// Returns a shift's size with its interval, both without a sign where all of it has one: `3.90 ms (3.40 to 4.90 ms)`.
fn size(shift: &QuantileShift) -> String {
    if shift.error == ErrorSource::Buckets {
        return distance(shift);
    }
    format!("{} ({})", distance(shift), range_of(shift))
}

/// Says that all recordings of one side were made before those of the other, where several are compared: what changed on the
/// machine in between counts as a difference then. Nothing where an order is not known, or where pairs were measured in turns.
pub(super) fn order(compared: &Compared, screen: Screen) -> String {
    let [a, b] = [&compared.a, &compared.b].map(|runs| begins(runs));
    let (Some(a), Some(b)) = (a, b) else { return String::new() };
    let several = compared.a.len() > 1 || compared.b.len() > 1;
    let (first, second) = match (a.1 < b.0, b.1 < a.0) {
        (true, _) => ("A", "B"),
        (_, true) => ("B", "A"),
        _ => return String::new(),
    };
    if !several {
        return String::new();
    }
    let text = format!(
        "WARNING: every recording of {first} began before those of {second}: what else changed on the machine in between is part of a \
         difference; measure both in turns (compare --run)"
    );
    screen.lines(0, &screen.warning(&text))
}

/// Returns when the first and the last recording of a side began; `None` if one does not say. Times in UTC in one form are in
/// the order of their text.
fn begins(runs: &[ComparedRun]) -> Option<(&str, &str)> {
    let began: Option<Vec<&str>> = runs.iter().map(|run| run.started.as_deref()).collect();
    let began = began?;
    Some((began.iter().min().copied()?, began.iter().max().copied()?))
}

/// Says once why rows are undecided, and what would decide them; `None` if none is.
pub(super) fn undecided(compared: &Compared) -> Option<String> {
    let shifts = compared.cells.iter().filter_map(|cell| cell.shifts.first());
    let open = shifts.filter(|shift| shift.verdict == ShiftVerdict::Open);
    // The rows have the recordings in common, and so nearly always the reason; the least confident needs the most.
    let shift = open.min_by(|one, other| one.confidence.total_cmp(&other.confidence))?;
    Some(format!("Undecided, because {}", verdict::open_because(shift, compared)))
}
