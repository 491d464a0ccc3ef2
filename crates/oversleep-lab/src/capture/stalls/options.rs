//! What to watch, and for how long.

use crate::capture::sleeps::Stop;
use oversleep_recording::plan::{Cell, ClockName, Conditions, Pattern, Plan, Policy};
use oversleep_sys::units::Nanos;

/// The method's name in recordings: not one of the catalogue, for nothing sleeps.
pub const METHOD: &str = "stall-watch";

/// What to watch.
#[derive(Debug, Clone)]
pub struct Options {
    /// The processors.
    pub cpus: Vec<u32>,
    /// How long, pauses included.
    pub duration: Nanos,
    /// Windows open so far apart.
    pub period: Nanos,
    /// A window is this share of the period: above 0, at most 1.
    pub share: f64,
    /// Longer distances are stalls; `None`: 1 µs above the measured floor.
    pub threshold: Option<Nanos>,
    /// The watching threads' policy.
    pub policy: Option<Policy>,
    /// Whether to record kernel events where that is possible.
    pub trace: bool,
    /// Ends the run early.
    pub stop: Stop,
}

impl Options {
    /// Returns how long a window is open.
    pub fn width(&self) -> Nanos {
        Nanos::from_f64(self.period.as_f64() * self.share).max(Nanos::MICROSECOND)
    }
}

/// Returns the plan as a recording keeps it: a cell per processor, whose samples are its stalls.
pub fn plan(options: &Options) -> Plan {
    let cell = |(id, cpu): (u32, &u32)| Cell {
        id,
        method: METHOD.to_owned(),
        pattern: Pattern::fixed(Nanos::ZERO),
        clock: ClockName::Monotonic,
        conditions: Conditions { affinity: Some(vec![*cpu]), policy: options.policy, ..Conditions::default() },
    };
    Plan {
        experiment: Plan::STALLS.to_owned(),
        cells: (0..).zip(&options.cpus).map(cell).collect(),
        turns: Vec::new(),
        seed: 0,
    }
}
