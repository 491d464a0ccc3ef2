//! Names the causes of stalls of processors, from what a recording holds of them.
//!
//! [`Stalls`] takes samples and notes as they come from a run or a file. It keeps totals by cause and the worst stalls
//! of each processor, never all. The cause of each stall ([`name`]) comes from its owners by kernel events (`owners`),
//! its counters, the stalls of other processors at the same time ([`mod@together`]) and the usual stall's length.

mod accumulate;
pub mod name;
mod owners;
pub mod together;
mod totals;

pub use accumulate::Stalls;
pub use totals::Causes;

use crate::patterns::cause::interference;
use oversleep_figures::CellSummary;
use oversleep_figures::quantile::place;
use oversleep_recording::document::stalls::{self, Histogram, StallCounts};
use oversleep_recording::{Note, WatchedCpu};
use oversleep_sys::units::Nanos;

/// Combines accounts, figures and causes.
pub fn document(note: &Note, cells: &[CellSummary], causes: Causes) -> stalls::Stalls {
    let edges = Histogram::edges();
    let processors = note
        .watched
        .iter()
        .filter_map(|account| Some((account.cpu, cells.iter().find(|cell| cell.cell.id == account.cell)?)))
        .map(|(cpu, cell)| StallCounts { cpu, counts: cell.values.counts(&edges) })
        .collect();
    stalls::Stalls {
        processors: note.watched.clone(),
        periodic: note.watched.iter().filter_map(|account| periodic(account, &causes)).collect(),
        took: causes.took,
        histogram: Histogram { edges_ns: edges, processors },
        worst: causes.worst,
        unnamed: causes.unnamed,
    }
}

/// Returns the stalls of a processor that recur after the same time.
fn periodic(account: &WatchedCpu, causes: &Causes) -> Option<stalls::PeriodicStalls> {
    let since = |time: Nanos| time.saturating_sub(account.begun).as_f64();
    let longest = causes.longest.get(&account.cell)?.iter().map(|(start, length)| (since(*start), length.as_f64()));
    let windows: Vec<_> = causes.windows.iter().map(|(from, until)| (since(*from), since(*until))).collect();
    let (rhythm, lengths) = interference::of_stalls(&longest.collect::<Vec<_>>(), &windows, account.begun)?;
    let percentile = |p: u32| Nanos::from_f64(lengths[place(lengths.len(), f64::from(p) / 100.0)]);
    Some(stalls::PeriodicStalls { cpu: account.cpu, shortest: percentile(5), longest: percentile(95), rhythm })
}

#[cfg(test)]
mod tests;
