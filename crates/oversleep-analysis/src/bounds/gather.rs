//! Gathers what bounds need from a recording.

use super::{DueSleep, bound};
use crate::document::cell_figures;
use crate::patterns::system_name;
use oversleep_figures::CellSummary;
use oversleep_recording::catalog::{KernelTimer, SlackRule};
use oversleep_recording::document::{BoundedCell, LengthLaw};
use oversleep_recording::plan::{Cell, Pattern};
use oversleep_recording::{Meta, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// A sink that keeps when each sleep of each cell was due, and how late it was: 16 bytes a sleep.
#[derive(Debug, Default)]
pub struct Gather {
    cells: BTreeMap<u32, Vec<DueSleep>>,
}

impl Gather {
    /// Returns the bound of each cell whose sleeps stand for those of `asked`: of the cells alike in all but their request, the one whose
    /// request is nearest. Cells without sleeps, and traced ones, have none.
    pub fn bounds(mut self, meta: &Meta, cells: &[CellSummary], asked: Nanos, risk: f64) -> Vec<BoundedCell> {
        let nearness = |cell: &Cell| {
            let longest = longest(cell).get().max(1) as f64;
            (longest / asked.get().max(1) as f64).ln().abs()
        };
        let slept = |summary: &&CellSummary| summary.raw.n > 0 && summary.cell.conditions.traced.is_none();
        let alike = |a: &Cell, b: &Cell| a.method == b.method && a.conditions == b.conditions;
        let mut chosen: Vec<&CellSummary> = Vec::new();
        for summary in cells.iter().filter(slept) {
            match chosen.iter_mut().find(|known| alike(&known.cell, &summary.cell)) {
                None => chosen.push(summary),
                Some(known) if nearness(&summary.cell) < nearness(&known.cell) => *known = summary,
                Some(_) => {}
            }
        }
        let of_cell = |summary: &CellSummary| {
            let mut sleeps = self.cells.remove(&summary.cell.id)?;
            let bound = bound(&mut sleeps, risk)?;
            let law = law(meta, &summary.cell, asked);
            Some(BoundedCell { figures: cell_figures(summary), pattern: summary.cell.pattern, law, bound })
        };
        chosen.into_iter().filter_map(of_cell).collect()
    }
}

impl Sink for Gather {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            let late = sample.oversleep();
            let sleep = DueSleep { due: sample.end.saturating_sub(late), late };
            self.cells.entry(sample.cell).or_default().push(sleep);
        }
    }

    fn note(&mut self, _: &Note) {}
}

/// Returns the longest sleep that a cell asks for.
fn longest(cell: &Cell) -> Nanos {
    match cell.pattern {
        Pattern::Random { to, .. } => to,
        pattern => pattern.typical(),
    }
}

/// Returns how the lateness of a cell's sleeps stands for that of sleeps of `asked`.
fn law(meta: &Meta, cell: &Cell, asked: Nanos) -> LengthLaw {
    if (asked.get() - longest(cell).get()).abs() <= asked.get() / 100 {
        return LengthLaw::Same;
    }
    let Some(row) = cell.row() else { return LengthLaw::Unknown };
    // Linux 6.18: a timer of its own call or object is a high-resolution one, whose lateness is slack, interrupt and wake-up
    // (kernel/time/hrtimer.c); slack in proportion and the wheel's levels grow with the request (fs/select.c, kernel/time/timer.c).
    let precise = matches!(row.timer, KernelTimer::Call | KernelTimer::Object)
        && matches!(row.slack, SlackRule::Thread | SlackRule::None)
        && system_name(meta).starts_with("linux");
    if precise { LengthLaw::Independent } else { LengthLaw::Unknown }
}
