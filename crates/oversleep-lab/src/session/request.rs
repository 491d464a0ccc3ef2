//! Requests for a measurement.

use oversleep_recording::plan::build::TRACED_BLOCK;
use oversleep_recording::plan::{Pattern, Plan, RequestedConditions};
use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Experiments with a design and defaults of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Experiment {
    /// Every method of this system, 300 sleeps of 1 ms each.
    Checkup,
    /// Herman 2004: sleep to the next second of the wall clock.
    #[serde(rename = "herman")]
    WallSecond,
    /// Rizzo 2009: error against requested duration, 1 µs to 10 s.
    #[serde(rename = "rizzo")]
    Sweep,
    /// O'Neill 2003: 14 requests from 0 to 1000 ms beside 0 to 5 busy threads.
    #[serde(rename = "oneill")]
    Load,
    /// An absolute schedule, as in cyclictest.
    Periodic,
}

impl Experiment {
    /// Every experiment.
    pub const ALL: &[Self] = &[Self::Checkup, Self::WallSecond, Self::Sweep, Self::Load, Self::Periodic];

    /// Returns the name in plans and recordings: the author's.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkup => "checkup",
            Self::WallSecond => "herman",
            Self::Sweep => "rizzo",
            Self::Load => "oneill",
            Self::Periodic => "periodic",
        }
    }

    /// Returns the name for options, help and errors: what the experiment does.
    pub const fn label(self) -> &'static str {
        match self {
            Self::WallSecond => "wall-second",
            Self::Sweep => "sweep",
            Self::Load => "load",
            Self::Checkup => "check-up",
            Self::Periodic => self.name(),
        }
    }

    /// Returns the experiment with this name or label.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|experiment| [experiment.name(), experiment.label()].contains(&name))
    }
}

/// A request for a measurement: methods × requests × conditions, or one of the experiments. What is empty or `None`
/// takes the experiment's default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeasureRequest {
    /// Experiment; without one every combination of method, request and condition is a cell.
    pub experiment: Option<Experiment>,
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
    pub fn experiment(&self) -> Option<Experiment> {
        self.experiment.or_else(|| self.period.map(|_| Experiment::Periodic))
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
