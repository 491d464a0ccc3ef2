//! The options of a sleeper, within their ranges.

use crate::Nanos;

/// The aim of a sleeper: to be on time, or to cost nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Aim {
    /// To be awake before the deadline in this share of sleeps.
    OnTime(f64),
    /// To wake as close to the deadline as is possible at almost no cost.
    Eco,
}

/// The options of a sleeper, with every value within its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SleeperOptions {
    pub(super) aim: Aim,
    /// Largest mean share of the time slept that may be spent in fine waiting.
    pub(super) cpu_ceiling: f64,
    pub(super) spin_ceiling: Nanos,
    pub(super) real_time_ceiling: Nanos,
    pub(super) least_slack: bool,
    pub(super) early_window: Nanos,
}

impl SleeperOptions {
    pub(super) const ON_TIME: f64 = 0.99;
    pub(super) const LEAST_ON_TIME: f64 = 0.5;
    /// Largest share. One late sleep in 10 000 is too rare to learn from.
    pub(super) const MOST_ON_TIME: f64 = 0.9999;

    pub(super) fn share(share: f64) -> f64 {
        if share.is_nan() { Self::ON_TIME } else { share.clamp(Self::LEAST_ON_TIME, Self::MOST_ON_TIME) }
    }

    /// Returns the requested share, if there is one.
    pub(super) fn asked(&self) -> Option<f64> {
        if let Aim::OnTime(share) = self.aim { Some(share) } else { None }
    }

    /// Returns whether slack is reduced for the coarse wait.
    pub(super) fn takes_slack(&self) -> bool {
        self.least_slack && self.aim != Aim::Eco
    }

    pub(super) fn ceiling(share: f64) -> f64 {
        if share.is_nan() { Self::default().cpu_ceiling } else { share.clamp(0.0, 1.0) }
    }
}

impl Default for SleeperOptions {
    fn default() -> Self {
        Self {
            aim: Aim::OnTime(Self::ON_TIME),
            cpu_ceiling: 0.5,
            // Kernels that wake at ticks are late by up to two ticks of 10 ms, or one of 15.6 ms.
            spin_ceiling: Nanos::from_millis(20),
            real_time_ceiling: Nanos::from_millis(1),
            least_slack: true,
            early_window: Nanos::ZERO,
        }
    }
}
