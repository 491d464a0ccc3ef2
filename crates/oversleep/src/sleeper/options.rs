//! The options of a sleeper, within their ranges.

use crate::{Nanos, OptionError};

/// The aim of a sleeper: to be on time, or to cost nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Aim {
    /// To be awake before the deadline in this share of sleeps.
    OnTime(f64),
    /// To wake as close to the deadline as is possible at almost no cost.
    Eco,
}

/// The options of a sleeper; those of a sleeper that was made are within their ranges.
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

    /// Returns an error for the first option that is out of its range.
    pub(super) fn check(&self) -> Result<(), OptionError> {
        match *self {
            Self { aim: Aim::OnTime(share), .. } if !(Self::LEAST_ON_TIME..=Self::MOST_ON_TIME).contains(&share) => {
                Err(OptionError::OnTime(share))
            }
            Self { cpu_ceiling, .. } if !(0.0..=1.0).contains(&cpu_ceiling) => {
                Err(OptionError::CpuCeiling(cpu_ceiling))
            }
            Self { spin_ceiling, .. } if spin_ceiling < Nanos::ZERO => Err(OptionError::SpinCeiling(spin_ceiling)),
            Self { real_time_ceiling, .. } if real_time_ceiling < Nanos::ZERO => {
                Err(OptionError::RealTimeCeiling(real_time_ceiling))
            }
            Self { early_window, .. } if early_window < Nanos::ZERO => Err(OptionError::EarlyWindow(early_window)),
            _ => Ok(()),
        }
    }

    /// Returns the requested share, if there is one.
    pub(super) fn asked(&self) -> Option<f64> {
        if let Aim::OnTime(share) = self.aim { Some(share) } else { None }
    }

    /// Returns whether slack is reduced for the coarse wait.
    pub(super) fn takes_slack(&self) -> bool {
        self.least_slack && self.aim != Aim::Eco
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
