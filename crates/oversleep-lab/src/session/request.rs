//! Requests for a measurement.

use oversleep_recording::plan::build::TRACED_BLOCK;
use oversleep_recording::plan::{Kind, Pattern, Plan, RequestedConditions};
use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A request for a measurement: methods × requests × conditions, or one of the experiments. What is empty or `None`
/// takes the experiment's default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeasureRequest {
    /// Experiment or check-up; without one every combination of method, request and condition is a cell.
    pub experiment: Option<Kind>,
    /// Names of methods as in the catalogue; `all` stands for every one this build has code for.
    pub methods: Vec<String>,
    /// Requested durations, or ranges from which each sleep draws its own.
    pub requests: Vec<Pattern>,
    /// Number of sleeps of each cell, or of periods of a schedule.
    pub repeats: Option<u64>,
    /// Duration of the run; if [`repeats`](Self::repeats) is not given, as many sleeps are planned as fit.
    pub duration: Option<Nanos>,
    /// Period of a schedule.
    pub period: Option<Nanos>,
    /// Shortest request of a sweep.
    pub from: Option<Nanos>,
    /// Longest request of a sweep.
    pub to: Option<Nanos>,
    /// Conditions; several values of one add cells.
    pub conditions: RequestedConditions,
    /// Seed of everything random; 1 if not given.
    pub seed: Option<u64>,
    /// How sleeps are traced; `None` if they are not.
    pub trace: Option<TraceRequest>,
}

/// A request to trace sleeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceRequest {
    /// The best evidence to use; kernel events if not given.
    pub tier: Option<Tier>,
    /// Whether only the chain of marks is recorded, without the events that explain the time between them.
    pub marks_only: bool,
    /// Number of sleeps before tracing is turned on or off; 20 if not given.
    pub block: Option<u64>,
    /// Whether the first block is traced.
    pub traced_first: bool,
}

impl TraceRequest {
    pub(super) fn block(&self) -> u64 {
        self.block.unwrap_or(TRACED_BLOCK)
    }
}

impl MeasureRequest {
    /// Returns the experiment: a period alone means a schedule.
    pub fn experiment(&self) -> Option<Kind> {
        self.experiment.or_else(|| self.period.map(|_| Kind::Periodic))
    }

    /// Returns the seed of everything random.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(Plan::DEFAULT_SEED)
    }

    /// Returns the number of sleeps: the number asked for, or as many of length `each` as fit into the duration, or
    /// `default`.
    pub(super) fn repeats_of(&self, default: u64, each: Nanos) -> u64 {
        let fitting = |duration: Nanos| (duration.get() / each.get().max(1)).max(1).unsigned_abs();
        self.repeats.or(self.duration.map(fitting)).unwrap_or(default)
    }
}
