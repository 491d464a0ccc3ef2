//! Builds the document of a run that watches for stalls.

use super::totals::Causes;
use oversleep_figures::CellSummary;
use oversleep_recording::Note;
use oversleep_recording::document::stalls::{Histogram, StallCounts, Stalls};

/// Combines accounts, figures and causes.
pub fn document(note: &Note, cells: &[CellSummary], causes: Causes) -> Stalls {
    let edges = Histogram::edges();
    let processors = note
        .watched
        .iter()
        .filter_map(|account| Some((account.cpu, cells.iter().find(|cell| cell.cell.id == account.cell)?)))
        .map(|(cpu, cell)| StallCounts { cpu, counts: cell.values.counts(&edges) })
        .collect();
    Stalls {
        processors: note.watched.clone(),
        took: causes.took,
        histogram: Histogram { edges_ns: edges, processors },
        worst: causes.worst,
        unnamed: causes.unnamed,
    }
}
