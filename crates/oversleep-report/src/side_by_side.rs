//! The headline of several recordings on one page.

use super::compare::{full_name, requests, size};
use oversleep_recording::document::{Compared, ComparedCell, ComparedFigure, PageRecording, ShiftVerdict};

/// Why a difference between single recordings is undecided.
const UNDECIDED: &str = "how much two equal runs differ is not known from one recording each";

/// The sentence on more than two recordings, of which each is compared with the first.
const PAIRWISE: &str = "Whether they differ is undecided, because each is compared only with the first: `oversleep compare A1 A2 … -- B1 B2 \
                        …` compares several with several.";

/// Largest number of recordings whose names are in a headline.
const NAMED: usize = 3;

/// Returns the headline of several recordings. `comparisons` are those of the first with each of the others.
pub fn headline(recordings: &[&PageRecording], comparisons: &[Compared]) -> String {
    match recordings {
        [] => "No recording.".to_owned(),
        [one] => one.headline.clone(),
        [first, second] => {
            let sentence = comparisons.first().and_then(difference);
            sentence.unwrap_or_else(|| format!("{} and {} side by side.", first.name, second.name))
        }
        [others @ .., last] => {
            let names: Vec<&str> = others.iter().map(|recording| recording.name.as_str()).collect();
            // The legend below has the names of more.
            let listed = match recordings.len() {
                ..=NAMED => format!(": {} and {}", names.join(", "), last.name),
                _ => String::new(),
            };
            let side_by_side = format!("{} recordings side by side{listed}.", recordings.len());
            if comparisons.iter().any(|compared| !compared.cells.is_empty()) {
                format!("{side_by_side} {PAIRWISE}")
            } else {
                side_by_side
            }
        }
    }
}

/// Returns the difference of two recordings at the median of the first cell that both have, with the verdict.
fn difference(compared: &Compared) -> Option<String> {
    let median = |cell: &ComparedCell| cell.shifts.iter().find(|shift| shift.figure == ComparedFigure::P50).cloned();
    let (cell, shift) = compared.cells.iter().find_map(|cell| Some((cell, median(cell)?)))?;
    let verdict = match shift.verdict {
        ShiftVerdict::Later => "later".to_owned(),
        ShiftVerdict::Earlier => "earlier".to_owned(),
        ShiftVerdict::NotSeen => "no difference seen".to_owned(),
        ShiftVerdict::Open => format!("undecided, because {UNDECIDED}"),
    };
    let [a, b] = [&compared.a, &compared.b].map(|runs| runs.first().map_or("?", |run| run.name.as_str()));
    let requests = requests(compared);
    let [of_a, of_b] = [&cell.a, &cell.b].map(|name| full_name(name, &requests));
    let subject = if cell.a == cell.b { of_b } else { format!("{of_b} (against {of_a})") };
    Some(format!("{b} against {a} at the median of {subject}: {}; {verdict}.", size(&shift)))
}
