//! Options of a watch for stalls.

use crate::sleeps::Stop;
use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern, Plan, Policy};
use oversleep_sys::units::Nanos;

/// Name of the method in recordings: it is not in the catalogue, because nothing sleeps.
pub const METHOD: &str = "stall-watch";

/// What to watch, and for how long.
#[derive(Debug, Clone)]
pub struct StallOptions {
    /// Processors to watch.
    pub cpus: Vec<u32>,
    /// Duration of the watch, including pauses.
    pub duration: Nanos,
    /// Time from the opening of one window to the next.
    pub period: Nanos,
    /// Length of a window as a share of the period: above 0, at most 1.
    pub share: f64,
    /// Distance of readings above which there is a stall; `None`: 1 µs above the measured floor.
    pub threshold: Option<Nanos>,
    /// Policy of the watching threads.
    pub policy: Option<Policy>,
    /// Whether to record kernel events if they are available.
    pub trace: bool,
    /// Handle that ends the run early.
    pub stop: Stop,
}

impl StallOptions {
    /// Returns the length of a window, at least 1 µs.
    pub fn width(&self) -> Nanos {
        Nanos::from_f64(self.period.as_f64() * self.share).max(Nanos::MICROSECOND)
    }
}

/// Returns the plan for the recording: one cell per processor, whose samples are its stalls.
pub fn plan(options: &StallOptions) -> Plan {
    let cell = |(id, cpu): (u32, &u32)| Cell {
        conditions: Conditions { affinity: Some(vec![*cpu]), policy: options.policy, ..Conditions::default() },
        ..Cell::new(id, METHOD, Pattern::fixed(Nanos::ZERO))
    };
    Plan { kind: Kind::Stalls, cells: (0..).zip(&options.cpus).map(cell).collect(), turns: Vec::new(), seed: 0 }
}
