//! Keeps the samples of a run of runtimes as they come.

use super::points::{Point, RequestSeries};
use oversleep_recording::document::CostFigures;
use oversleep_recording::plan::{Cell, LoadKind};
use oversleep_recording::{Flags, Meta, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Most samples that are kept; a check-up has some fifty thousand.
const MOST: usize = 4_000_000;

/// The samples of every cell, block by block.
#[derive(Debug)]
pub struct Gather {
    meta: Meta,
    samples: HashMap<u32, Vec<Sample>>,
    kept: usize,
    note: Note,
}

impl Gather {
    /// Creates it for a recording that begins with `meta`.
    pub fn new(meta: &Meta) -> Self {
        Self { meta: meta.clone(), samples: HashMap::new(), kept: 0, note: Note::default() }
    }

    pub(super) fn meta(&self) -> &Meta {
        &self.meta
    }

    pub(super) fn notes(&self) -> &Note {
        &self.note
    }

    /// Returns a method's sleeps, request by request, without those that failed or were interrupted. Of a program with load
    /// inside it, those with load are returned.
    pub(super) fn series(&self, method: &str) -> Vec<RequestSeries> {
        self.series_of(method, |cell| !self.is_without_load(cell))
    }

    /// Returns the sleeps that a program with load inside it made without load.
    pub(super) fn series_without_load(&self, method: &str) -> Vec<RequestSeries> {
        self.series_of(method, |cell| self.is_without_load(cell))
    }

    /// Returns what a sleep of a request took of the processor.
    pub(super) fn cost(&self, method: &str, requested: Nanos) -> Option<CostFigures> {
        let mut cells = self.meta.plan.cells.iter().filter(|cell| cell.method == method && !self.is_without_load(cell));
        self.note.cost_of(cells.find(|cell| cell.pattern.requested() == Some(requested))?.id)
    }

    fn is_without_load(&self, cell: &Cell) -> bool {
        let is_inside = |cell: &Cell| cell.conditions.load.is_some_and(|load| load.kind == LoadKind::Runtime);
        let mut of_method = self.meta.plan.cells.iter().filter(|other| other.method == cell.method);
        !is_inside(cell) && of_method.any(is_inside)
    }

    fn series_of(&self, method: &str, wanted: impl Fn(&Cell) -> bool) -> Vec<RequestSeries> {
        let schedule = self.note.probes.iter().any(|probe| probe.method == method && probe.schedule);
        let cells = self.meta.plan.cells.iter().filter(|cell| cell.method == method && wanted(cell));
        let of_cell = |cell: &Cell| {
            let samples = self.samples.get(&cell.id)?;
            let requested = cell.pattern.requested()?;
            let points = self.points(cell.id, samples, schedule);
            (!points.is_empty()).then_some(RequestSeries { requested, points })
        };
        cells.filter_map(of_cell).collect()
    }

    /// Returns a cell's usable samples with their block: the turn of the plan in which they were taken.
    fn points(&self, cell: u32, samples: &[Sample], schedule: bool) -> Vec<Point> {
        let turns = self.meta.plan.turns.iter().enumerate().filter(|(_, turn)| turn.cell == cell);
        let mut points = Vec::with_capacity(samples.len());
        let mut left = samples.iter().peekable();
        let mut slept = 0;
        for (turn, planned) in turns {
            slept += planned.sleeps;
            let mut index = 0;
            while let Some(sample) = left.next_if(|sample| sample.sequence < slept) {
                if !sample.flags.has(Flags::FAILED) && !sample.flags.has(Flags::INTERRUPTED) {
                    points.push(Point::new(sample, turn, index, schedule));
                }
                index += 1;
            }
        }
        points
    }
}

impl Sink for Gather {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            if self.kept < MOST {
                self.kept += 1;
                self.samples.entry(sample.cell).or_default().push(*sample);
            }
        }
    }

    fn note(&mut self, note: &Note) {
        self.note.absorb(note.without_details());
    }
}
