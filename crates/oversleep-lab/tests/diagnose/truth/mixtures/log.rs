//! The sleeps of a made-up program, as another program would have logged them.

use super::super::super::random::Dice;
use super::{Case, Truth};
use oversleep_lab::import::csv;
use std::fmt::{Debug, Write as _};

/// A sleep in the log, with times in ns of the clock that the program reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoggedSleep {
    pub(super) method: &'static str,
    pub(super) asked: f64,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) thread: usize,
}

impl LoggedSleep {
    /// Returns how late the sleep ended, in ns.
    pub(super) fn late(&self) -> f64 {
        self.end - self.start - self.asked
    }
}

/// The log of a program while it runs.
pub(super) struct Log {
    pub(super) rows: Vec<LoggedSleep>,
    /// Current time, in ns.
    pub(super) now: f64,
    /// The parameters of the recording.
    about: String,
}

impl Log {
    pub(super) fn new(dice: &mut Dice) -> Self {
        Self { rows: Vec::new(), now: dice.between(1e12, 1e13), about: String::new() }
    }

    /// Notes parameters, to be shown beside false statements.
    pub(super) fn note(&mut self, parameters: &impl Debug) {
        let gap = if self.about.is_empty() { "" } else { ", " };
        let _ = write!(self.about, "{gap}{parameters:?}");
    }

    /// Adds a sleep that begins now.
    pub(super) fn sleep(&mut self, method: &'static str, asked: f64, end: f64) {
        self.rows.push(LoggedSleep { method, asked, start: self.now, end, thread: 0 });
        self.now = end;
    }

    /// Replaces every time by what another clock shows then.
    pub(super) fn read_with(&mut self, clock: impl Fn(f64) -> f64) {
        for row in &mut self.rows {
            (row.start, row.end) = (clock(row.start), clock(row.end));
        }
    }

    /// Returns whether no sleep lasts, on the clock that the program reads: such a table says nothing, and is refused.
    pub(super) fn is_refused(&self) -> bool {
        self.rows.iter().all(|row| row.end.round() <= row.start.round())
    }

    /// Reads the log as a file of another program, and returns it with the truth about it.
    pub(super) fn case(mut self, class: &'static str, truth: Truth) -> Case<Truth> {
        let threads = self.rows.iter().any(|row| row.thread > 0);
        let mut text = String::from("method,requested_ns,start_ns,end_ns");
        text += if threads { ",thread\n" } else { "\n" };
        for row in &mut self.rows {
            (row.asked, row.start, row.end) = (row.asked.round(), row.start.round(), row.end.round());
            let _ = write!(text, "{},{:.0},{:.0},{:.0}", row.method, row.asked, row.start, row.end);
            text += &if threads { format!(",{}\n", row.thread) } else { "\n".to_owned() };
        }
        let recording = csv::read(text.as_bytes(), "mixture.csv").expect("a table that can be read");
        let methods = recording.meta.plan.cells.iter().map(|cell| (cell.id, cell.method.clone())).collect();
        let truth = Truth { rows: self.rows, methods, about: self.about, ..truth };
        Case { class, recording, truth }
    }
}
