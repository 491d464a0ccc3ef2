//! The truth about a mixture.

use super::log::LoggedSleep;
use super::wakes::{Cost, Tick};
use oversleep_lab::analysis::patterns::Cause;
use std::collections::BTreeMap;

/// The truth about one recording. Times in ns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Truth {
    /// Causes that must be named for the diagnosis to be right.
    pub(super) main: Vec<Cause>,
    /// Causes that are also present, and may be named.
    pub(super) also: Vec<Cause>,
    /// Tick at which sleeps end.
    pub(super) tick: Option<Tick>,
    /// Whether the recording has two parts: with this tick only in the first one, or in both ticks of different rates.
    pub(super) parts: Option<SecondPart>,
    /// By how many ppm the clock runs faster in the second part of the recording.
    pub(super) slew: Option<f64>,
    /// Whether something else than the kernel's tick moves wake-ups to a grid.
    pub(super) other_grid: bool,
    /// Period at which something else delays wake-ups.
    pub(super) period: Option<f64>,
    /// Constant slack; 0 for none.
    pub(super) slack: f64,
    /// Slack as a share of the request; 0 for none.
    pub(super) share: f64,
    /// Least and largest of the usual costs of wake-ups.
    pub(super) cost: (f64, f64),
    /// Usual costs of methods, where they differ.
    pub(super) costs: BTreeMap<&'static str, f64>,
    /// Resolution of the time stamps; 0 where they are exact.
    pub(super) step: f64,
    /// Whether lateness rises or falls slowly.
    pub(super) ramp: bool,
    pub(super) rows: Vec<LoggedSleep>,
    /// Method of each cell, by the cell's number.
    pub(super) methods: BTreeMap<u32, String>,
    /// The parameters in words.
    pub(super) about: String,
}

/// What the second part of a recording has, where the first has a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SecondPart {
    /// A tick, then timers that fire when due.
    ThenTimer,
    /// A tick, then one of another rate.
    ThenTick,
}

impl Truth {
    /// Returns the truth about timers that fire when due.
    pub(super) fn timer(cost: &Cost) -> Self {
        Self { main: vec![Cause::ConstantCost], cost: (cost.usual(), cost.usual()), ..Self::default() }
    }

    /// Returns the truth about sleeps that end at ticks.
    pub(super) fn tick(tick: Tick, cost: &Cost) -> Self {
        Self { main: vec![Cause::TickQuantised], tick: Some(tick), ..Self::timer(cost) }
    }

    /// Returns the truth about timers that fire later by a constant slack; 0 for none.
    pub(super) fn slack(slack: f64, cost: &Cost) -> Self {
        let cause = if slack > 0.0 { Cause::TimerSlack } else { Cause::ConstantCost };
        Self { slack, ..Self::timer(cost) }.mainly(&[cause])
    }

    /// Returns the truth about timers that fire later by a share of the request.
    pub(super) fn share(share: f64, cost: &Cost) -> Self {
        Self { share, ..Self::timer(cost) }.mainly(&[Cause::ProportionalSlack])
    }

    /// Replaces the main causes.
    pub(super) fn mainly(mut self, causes: &[Cause]) -> Self {
        self.main = causes.to_vec();
        self
    }

    /// Adds causes that may be named.
    pub(super) fn and(mut self, causes: &[Cause]) -> Self {
        self.also.extend(causes);
        self
    }

    /// Extends the range of costs to another one.
    pub(super) fn or_cost(mut self, cost: &Cost) -> Self {
        self.cost = (self.cost.0.min(cost.usual()), self.cost.1.max(cost.usual()));
        self
    }
}
