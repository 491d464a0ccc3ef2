//! A recording in the form that a comparison needs: each cell's oversleeps, in the order in which they were recorded,
//! or another program's counts.

use oversleep_figures::{Summariser, check_work};
use oversleep_recording::document::TimeLeft;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Content, Distribution, Flags, Meta, Note, Quantity, Sample, Sink};
use oversleep_sys::units::Nanos;

/// A recording to compare.
pub struct ComparableRun {
    /// Its name in the comparison.
    pub name: String,
    /// What was known before the first sample: plan and machine.
    pub meta: Meta,
    /// Conditions that were obtained, whether the kind of load is assumed, what was not available, and the periods of schedules.
    pub note: Note,
    /// The cells, each with its values.
    pub cells: Vec<CellValues>,
    /// Methods that another program's sleeps are of, each with its runtime and version, as the runtime prints them.
    pub runtimes: Vec<(String, String)>,
    /// Checksum by which a copy of the recording is known, whatever its name; `None` if there is nothing in it.
    pub checksum: Option<u64>,
}

/// The values of one cell.
pub struct CellValues {
    /// The cell.
    pub cell: Cell,
    /// Its values.
    pub values: Values,
    /// Thread of each sample, where several slept.
    pub threads: Vec<u16>,
    /// Time that the periods of a schedule left after their wake-ups; not of single threads of several.
    pub time_left: Option<TimeLeft>,
}

/// Values to compare.
pub enum Values {
    /// Oversleeps in ns, in the order in which they were recorded, without failed calls.
    Samples(Vec<i64>),
    /// Counts in buckets.
    Counts(Distribution),
}

impl ComparableRun {
    /// Returns whether a cell keeps a schedule.
    pub fn keeps_schedule(&self) -> bool {
        self.cells.iter().any(CellValues::is_schedule)
    }

    /// Returns whether the recording has traced sleeps too, which are not compared.
    pub(super) fn has_traced(&self) -> bool {
        self.meta.plan.cells.iter().any(|cell| cell.conditions.traced == Some(true))
    }

    /// Returns why the periods of this recording cannot be judged by how long their work takes.
    ///
    /// # Errors
    /// If no cell keeps a schedule, or one whose period is not longer than `work`; the text says which.
    pub fn check_work(&self, work: Nanos) -> Result<(), String> {
        check_work(work, self.cells.iter().filter_map(|own| own.cell.period()))
    }

    /// Returns the cell with the same method, pattern, conditions and quantity.
    pub(super) fn matching_cell(&self, wanted: &CellKey) -> Option<&CellValues> {
        self.cells.iter().find(|own| own.key().same(wanted))
    }
}

/// What stands between a program's name and the number of its thread.
pub(super) const THREAD: &str = " thread ";

/// The properties by which cells are matched.
#[derive(Clone)]
pub(super) struct CellKey {
    pub(super) cell: Cell,
    /// Quantity that another program counted; `None` for samples.
    pub(super) counted: Option<Quantity>,
}

impl CellKey {
    /// Returns whether two cells have the same method, pattern, conditions and quantity.
    pub(super) fn same(&self, other: &Self) -> bool {
        let (one, two) = (&self.cell, &other.cell);
        one.method == two.method
            && one.pattern == two.pattern
            && one.conditions == two.conditions
            && self.counted == other.counted
    }

    /// Returns the number of the thread of which alone the values are, by the name of its row; `None` where they are not
    /// of a single one.
    pub(super) fn thread(&self) -> Option<u16> {
        self.cell.method.rsplit_once(THREAD)?.1.parse().ok()
    }

    /// Returns the processor on which alone the cell may run, where it is known.
    pub(super) fn processor(&self) -> Option<u32> {
        match self.cell.conditions.affinity.as_deref()? {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Returns whether the values of both are of one quantity, so that their difference means something.
    pub(super) fn comparable(&self, other: &Self) -> bool {
        self.counted.unwrap_or(Quantity::Oversleep) == other.counted.unwrap_or(Quantity::Oversleep)
    }
}

impl CellValues {
    fn new(cell: &Cell) -> Self {
        Self { cell: cell.clone(), values: Values::Samples(Vec::new()), threads: Vec::new(), time_left: None }
    }

    /// Returns whether several threads slept.
    pub(super) fn is_of_several(&self) -> bool {
        self.cell.conditions.threads.is_some_and(|threads| threads > 1)
    }

    fn is_schedule(&self) -> bool {
        self.cell.period().is_some()
    }

    pub(super) fn key(&self) -> CellKey {
        let counted = match &self.values {
            Values::Samples(_) => None,
            Values::Counts(counts) => Some(counts.quantity),
        };
        CellKey { cell: self.cell.clone(), counted }
    }

    /// Returns the number of values.
    pub(super) fn count(&self) -> u64 {
        match &self.values {
            Values::Samples(series) => series.len() as u64,
            Values::Counts(counts) => counts.count,
        }
    }
}

/// Gathers a recording as its samples come.
pub struct Gather {
    run: ComparableRun,
    /// Cells that another program counted. Kept apart, because a sample finds its cell by its position.
    counted: Vec<CellValues>,
    content: Content,
    /// What the periods of schedules felt.
    schedules: Summariser,
    /// How long the work of a period takes, if that was said.
    work: Option<Nanos>,
}

impl Gather {
    /// Creates it for a recording of this name that begins with `meta`.
    pub fn new(name: &str, meta: &Meta) -> Self {
        let cells = meta.plan.cells.iter().map(CellValues::new).collect();
        let run = ComparableRun {
            name: name.to_owned(),
            meta: meta.clone(),
            note: Note::default(),
            cells,
            runtimes: Vec::new(),
            checksum: None,
        };
        Self { run, counted: Vec::new(), content: Content::new(meta), schedules: Summariser::new(meta), work: None }
    }

    /// Has the periods of schedules counted that left less than `work`, if it is said how long their work takes.
    #[must_use]
    pub fn for_work(self, work: Option<Nanos>) -> Self {
        Self { work, ..self }
    }

    /// Returns the recording without cells that have no values, and without cells that were traced or measured in turns
    /// with traced ones: tracing costs time.
    pub fn finish(mut self) -> ComparableRun {
        self.run.checksum = self.content.checksum();
        for (own, summary) in self.run.cells.iter_mut().zip(self.schedules.finish()) {
            own.time_left = summary.time_left(self.work);
        }
        self.run.cells.extend(self.counted);
        self.run.cells.retain(|own| own.count() > 0 && own.cell.conditions.traced.is_none());
        self.run
    }
}

impl Sink for Gather {
    fn samples(&mut self, batch: &[Sample]) {
        self.content.samples(batch);
        if self.run.cells.iter().any(CellValues::is_schedule) {
            self.schedules.samples(batch);
        }
        for sample in batch.iter().filter(|sample| !sample.flags.has(Flags::FAILED)) {
            let Some(own) = self.run.cells.get_mut(sample.cell as usize) else { continue };
            if own.is_of_several() {
                own.threads.push(sample.thread);
            }
            if let Values::Samples(series) = &mut own.values {
                series.push(sample.oversleep().get());
            }
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.run.meta.plan.cells.push(cell.clone());
        self.run.cells.push(CellValues::new(cell));
        self.schedules.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.content.note(note);
        self.schedules.note(note);
        self.run.note.load_kind_assumed |= note.load_kind_assumed;
        self.run.note.obtained.extend(note.obtained.iter().cloned());
        self.run.note.unavailable.extend(note.unavailable.iter().cloned());
        for periods in &note.periods {
            // A later account of a thread replaces an earlier one.
            self.run.note.periods.retain(|own| (own.cell, own.thread) != (periods.cell, periods.thread));
            self.run.note.periods.push(*periods);
        }
        let said = note.probes.iter().filter_map(|probe| Some((probe.method.clone(), probe.runtime.clone()?)));
        self.run.runtimes.extend(said);
        let cells = &self.run.meta.plan.cells;
        self.counted.extend(note.distributions.iter().filter_map(|counts| {
            let cell = cells.iter().find(|cell| cell.id == counts.cell)?.clone();
            Some(CellValues { cell, values: Values::Counts(counts.clone()), threads: Vec::new(), time_left: None })
        }));
    }
}
