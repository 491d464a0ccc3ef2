//! Running a plan on this machine or on a simulated kernel, with everything around it.

use super::keep::{Keep, Kept};
use super::sinks::{Collected, Sinks};
use crate::analysis::CellSummary;
use crate::capture::sleeps::{self, Observer, Settings, Stop};
use oversleep_recording::file::WriteError;
use oversleep_recording::plan::Plan;
use oversleep_recording::{End, Meta, Note, Recording, Sink};
use oversleep_sim::{FrequencyChange, Kernel, Simulation};
use oversleep_sys::units::Nanos;
use std::io;

/// How a plan is run, and where its samples go besides the figures.
pub struct Run<'a> {
    /// The file the recording is kept in.
    pub keep: Keep,
    /// Whether all samples are kept in memory as well: for short runs.
    pub in_memory: bool,
    /// Takes every sample and note as it is collected.
    pub subscriber: Option<&'a mut dyn Sink>,
    /// Ends the run early.
    pub stop: Stop,
    /// Ends the run when it has lasted this long.
    pub time_limit: Option<Nanos>,
    /// How often samples are collected and flushed.
    pub flush_every: Option<Nanos>,
    /// Takes lines that concern the run and are no results: where the file is, what could not be kept.
    pub notice: &'a mut dyn FnMut(String),
}

/// What a run yields.
#[derive(Debug)]
pub struct Finished {
    /// What was known before the first sample.
    pub meta: Meta,
    /// Everything learned on the way.
    pub note: Note,
    /// The figures of each cell.
    pub cells: Vec<CellSummary>,
    /// All samples, where they were to be kept in memory.
    pub recording: Option<Recording>,
}

/// Why a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The recording's file cannot be made.
    #[error(transparent)]
    Keep(#[from] WriteError),
    /// No thread can be started to sleep in.
    #[error("cannot start a thread to sleep in: {0}")]
    Thread(io::Error),
}

impl Run<'_> {
    /// Runs a plan on this machine.
    ///
    /// # Errors
    /// If a file asked for by name cannot be made, or no thread can be started. Methods and conditions that cannot be
    /// had are noted in the recording.
    pub fn measure(self, meta: Meta, observer: &mut dyn Observer) -> Result<Finished, RunError> {
        let settings = Settings { stop: self.stop.clone(), time_limit: self.time_limit, flush_every: self.flush_every };
        self.with_sinks(meta, |meta, sinks| {
            sleeps::run(&meta.plan, &settings, sinks, observer).map(drop).map_err(RunError::Thread)
        })
    }

    /// Runs a plan on a simulated kernel whose clock changes its frequency at `changes`.
    ///
    /// # Errors
    /// If a file asked for by name cannot be made.
    pub fn simulate(self, kernel: &Kernel, plan: &Plan, changes: &[FrequencyChange]) -> Result<Finished, RunError> {
        self.with_sinks(oversleep_sim::meta(kernel, plan), |_, sinks| {
            // A cell that ends before its plan does is noted in the recording.
            let _ = Simulation::new(kernel, plan, plan.seed).changes(changes).run(sinks);
            Ok(())
        })
    }

    fn with_sinks(
        self,
        meta: Meta,
        run: impl FnOnce(&Meta, &mut dyn Sink) -> Result<(), RunError>,
    ) -> Result<Finished, RunError> {
        let kept = Kept::create(&self.keep, &meta, self.notice)?;
        let mut sinks = Sinks::new(&meta, kept, self.in_memory, self.subscriber);
        run(&meta, &mut sinks)?;
        let Collected { kept, note, cells, recording } = sinks.finish();
        kept.finish(self.notice);
        Ok(Finished { meta, note, cells, recording })
    }
}

impl Finished {
    /// Returns how the run ended.
    pub fn end(&self) -> Option<&End> {
        self.note.end.as_ref()
    }
}
