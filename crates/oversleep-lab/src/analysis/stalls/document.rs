//! Builds the document of a run that watches for stalls.

use super::totals::Causes;
use crate::figures::CellSummary;
use oversleep_recording::Note;
use oversleep_recording::document::stalls::{Histogram, NamedStall, StallCounts, Stalls};
use std::cmp::Reverse;

/// Combines accounts, figures and causes. Older recordings hold the named stalls in their notes, which are copied.
pub fn document(note: &Note, cells: &[CellSummary], causes: Causes) -> Stalls {
    let edges = Histogram::edges();
    let processors = note
        .watched
        .iter()
        .filter_map(|account| Some((account.cpu, cells.iter().find(|cell| cell.cell.id == account.cell)?)))
        .map(|(cpu, cell)| StallCounts { cpu, counts: cell.values.counts(&edges) })
        .collect();
    let mut marks: Vec<NamedStall> = note.marks.iter().map(NamedStall::from).collect();
    marks.sort_by_key(|mark| (Reverse(mark.length), mark.at));
    Stalls {
        processors: note.watched.clone(),
        took: note.took.iter().cloned().chain(causes.took).collect(),
        histogram: Histogram { edges_ns: edges, processors },
        worst: marks.into_iter().chain(causes.worst).collect(),
        unnamed: causes.unnamed,
    }
}
