//! The options of a sleeper, within their ranges.

use crate::{Nanos, OptionError};

/// The aim of a sleeper: what it may spend to be on time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Aim {
    /// To be awake before the deadline as often as is worth the processor time.
    Balanced,
    /// To be awake before the deadline in this share of sleeps.
    OnTime(f64),
    /// To wake as close to the deadline as is possible at almost no cost.
    Eco,
}

/// The options of a sleeper; those of a sleeper that was made are within their ranges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SleeperOptions {
    pub(super) aim: Aim,
    /// Largest mean share of the time slept that may be spent in fine waiting, if one was set.
    pub(super) cpu_ceiling: Option<f64>,
    /// Longest fine wait, if one was set.
    pub(super) spin_ceiling: Option<Nanos>,
    pub(super) real_time_ceiling: Nanos,
    pub(super) least_slack: bool,
    pub(super) early_window: Nanos,
}

impl SleeperOptions {
    /// Where no share of sleeps was requested: the largest mean share of the time slept spent in fine waiting.
    const BALANCED_CPU: f64 = 0.02;
    /// Likewise: the longest fine wait. Longer ones use up a fair scheduler's patience with the thread.
    const BALANCED_SPIN: Nanos = Nanos::from_micros(200);
    /// Where a share was requested, half of the time slept.
    const ON_TIME_CPU: f64 = 0.5;
    /// Likewise: kernels that wake at ticks are late by up to two ticks of 10 ms, or one of 15.6 ms.
    const ON_TIME_SPIN: Nanos = Nanos::from_millis(20);
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
            Self { cpu_ceiling: Some(share), .. } if !(0.0..=1.0).contains(&share) => {
                Err(OptionError::CpuCeiling(share))
            }
            Self { spin_ceiling: Some(ceiling), .. } if ceiling < Nanos::ZERO => Err(OptionError::SpinCeiling(ceiling)),
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

    /// Returns the options of the default, under these ceilings too.
    pub(super) fn as_default(&self) -> Self {
        Self {
            aim: Aim::Balanced,
            cpu_ceiling: Some(self.cpu_ceiling().min(Self::BALANCED_CPU)),
            spin_ceiling: Some(self.spin_ceiling().min(Self::BALANCED_SPIN)),
            ..*self
        }
    }

    /// Returns whether slack is reduced for the coarse wait.
    pub(super) fn takes_slack(&self) -> bool {
        self.least_slack && self.aim != Aim::Eco
    }

    /// Returns the largest mean share of the time slept that may be spent in fine waiting.
    pub(super) fn cpu_ceiling(&self) -> f64 {
        let usual = if let Aim::OnTime(_) = self.aim { Self::ON_TIME_CPU } else { Self::BALANCED_CPU };
        self.cpu_ceiling.unwrap_or(usual)
    }

    /// Returns the longest fine wait.
    pub(super) fn spin_ceiling(&self) -> Nanos {
        let usual = if let Aim::OnTime(_) = self.aim { Self::ON_TIME_SPIN } else { Self::BALANCED_SPIN };
        self.spin_ceiling.unwrap_or(usual)
    }
}

impl Default for SleeperOptions {
    fn default() -> Self {
        Self {
            aim: Aim::Balanced,
            cpu_ceiling: None,
            spin_ceiling: None,
            real_time_ceiling: Nanos::from_millis(1),
            least_slack: true,
            early_window: Nanos::ZERO,
        }
    }
}
