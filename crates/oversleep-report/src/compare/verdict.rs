//! The verdict on a cell as a sentence.

use super::rows::{distance, looks};
use super::schedules;
use oversleep_figures::ranks::least_p;
use oversleep_recording::document::{Compared, ComparedCell, ErrorSource, QuantileShift, ShiftVerdict, StatedFacts};
use oversleep_sys::units::Nanos;

/// Confidence of an interval with which a verdict is given.
const CONFIDENCE: f64 = 0.95;

/// Returns how many recordings a side, or pairs, can show a difference in one of this number of cells.
pub fn enough(cells: usize, paired: bool) -> usize {
    (1..100).find(|runs| least_p(*runs, *runs, paired) * cells as f64 <= 1.0 - CONFIDENCE).unwrap_or(100)
}

/// Returns the verdict on a cell as a sentence. Unless it is `alone`, the figures of an undecided shift of samples
/// stand only in its row of the table.
pub(super) fn sentence(cell: &ComparedCell, alone: bool) -> String {
    let Some(shift) = cell.shifts.first() else {
        return format!("{} and {} sleeps are too few for a quantile that could be compared.", cell.n_a, cell.n_b);
    };
    let name = shift.figure.name();
    let size = distance(shift);
    let head = match shift.verdict {
        ShiftVerdict::Later => format!("B is later at {name} by {size}."),
        ShiftVerdict::Earlier => format!("B is earlier at {name} by {size}."),
        ShiftVerdict::NotSeen => format!(
            "No difference seen at {name}; one above {} would have been seen.",
            Nanos::from_f64(shift.low_ns.abs().max(shift.high_ns.abs()))
        ),
        ShiftVerdict::Open if alone || shift.error == ErrorSource::Buckets => {
            format!("Undecided: {}.", open(shift))
        }
        ShiftVerdict::Open => "Undecided.".to_owned(),
    };
    let tails = cell.shifts.iter().skip(1).filter_map(|shift| {
        let how = match shift.verdict {
            ShiftVerdict::Later => "later",
            ShiftVerdict::Earlier => "earlier",
            _ => return None,
        };
        Some(format!(" At {} B is {how} by {}.", shift.figure.name(), distance(shift)))
    });
    schedules::of_work(cell) + &head + &tails.collect::<String>() + &schedules::verdicts(cell)
}

/// Describes a shift that is undecided.
fn open(shift: &QuantileShift) -> String {
    let name = shift.figure.name();
    match shift.error {
        ErrorSource::WithinRuns => {
            let within = (shift.high_ns - shift.low_ns) / 2.0 / shift.a_ns.as_f64().abs().max(1.0) * 100.0;
            format!("{}, known to ±{within:.1} % of A from their own sleeps", looks(shift))
        }
        ErrorSource::Buckets if shift.low_ns > 0.0 || shift.high_ns < 0.0 => looks(shift),
        ErrorSource::Buckets => format!("the bounds of {name} overlap, so these two files may not differ at all"),
        ErrorSource::BetweenRuns | ErrorSource::Pairs => looks(shift),
    }
}

/// Says why such a shift is undecided, and what would decide it.
pub(super) fn open_because(shift: &QuantileShift, compared: &Compared) -> String {
    let unknown = "how much two equal runs differ is not known";
    let cells = compared.cells.len();
    match shift.error {
        ErrorSource::WithinRuns => format!("{unknown}. To decide, {}.", decisive(compared)),
        ErrorSource::Buckets => {
            format!("{unknown}. To decide, give {} files a side{}.", enough(cells, false), rows_note(cells))
        }
        ErrorSource::BetweenRuns | ErrorSource::Pairs => {
            let paired = shift.error == ErrorSource::Pairs;
            let few = if shift.confidence < CONFIDENCE {
                format!("; their interval has a confidence of only {:.0} %", shift.confidence * 100.0)
            } else {
                String::new()
            };
            let unit = if paired { "pairs" } else { "recordings a side" };
            format!(
                "there are too few recordings to confirm a difference{few}. To decide, give {} {unit}{}.",
                enough(cells, paired),
                rows_note(cells)
            )
        }
    }
}

/// Says what would decide a comparison of single recordings.
fn decisive(compared: &Compared) -> String {
    let cells = compared.cells.len();
    let give = format!("give {} recordings a side{}", enough(cells, false), rows_note(cells));
    if compared.stated.contains(&StatedFacts::Simulated) {
        // The same seed gives the same sleeps, however often.
        format!("{give}, simulated ones each with another --seed")
    } else {
        format!("{give}, or measure both in turns: oversleep compare --run")
    }
}

/// Says that the number of recordings is for several rows.
fn rows_note(cells: usize) -> String {
    if cells > 1 { format!(" (for {cells} rows compared at once)") } else { String::new() }
}
