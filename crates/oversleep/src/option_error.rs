//! Why a value of an option is refused.

use crate::Nanos;
use std::fmt;

/// Why a value that a builder was given is refused. Shares are from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum OptionError {
    /// [`on_time`](crate::SleeperBuilder::on_time) is not from 0.5 to 0.9999.
    OnTime(f64),
    /// [`cpu_ceiling`](crate::SleeperBuilder::cpu_ceiling) is not from 0 to 1.
    CpuCeiling(f64),
    /// [`spin_ceiling`](crate::SleeperBuilder::spin_ceiling) is negative.
    SpinCeiling(Nanos),
    /// [`real_time_ceiling`](crate::SleeperBuilder::real_time_ceiling) is negative.
    RealTimeCeiling(Nanos),
    /// [`early_window`](crate::SleeperBuilder::early_window) is negative.
    EarlyWindow(Nanos),
    /// [`phase`](crate::ticker::WallTickerBuilder::phase) is a period or longer.
    Phase(Nanos),
    /// A wall-clock ticker was to restart its schedule after a late tick ([`Missed::Delay`](crate::Missed::Delay)).
    DelayOnTheWallClock,
    /// [`time_constant`](crate::ticker::LockedTickerBuilder::time_constant) is below 2 ticks.
    TimeConstant(u32),
    /// [`max_slew`](crate::ticker::LockedTickerBuilder::max_slew) is not from 1 to 100 000 ppm.
    MaxSlew(f64),
    /// [`burst`](crate::pacer::PacerBuilder::burst) is zero.
    NoBurst,
    /// At the pacer's rate, its burst takes 292 years or longer.
    BurstTooLong(u64),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OnTime(share) => {
                write!(f, "on_time is a share from 0.5 to 0.9999, not {}", shown(share))?;
                of_a_hundred(f, share)
            }
            Self::CpuCeiling(share) => {
                write!(f, "cpu_ceiling is a share from 0 to 1, not {}", shown(share))?;
                of_a_hundred(f, share)
            }
            Self::SpinCeiling(time) => {
                write!(f, "spin_ceiling cannot be negative, as {time:#} is; zero allows no fine wait")
            }
            Self::RealTimeCeiling(time) => {
                write!(f, "real_time_ceiling cannot be negative, as {time:#} is; zero allows no fine wait")
            }
            Self::EarlyWindow(time) => {
                write!(f, "early_window cannot be negative, as {time:#} is; zero means never early")
            }
            Self::Phase(phase) => {
                write!(f, "phase must be shorter than the period, before or after its multiples; {phase:#} is not")
            }
            Self::DelayOnTheWallClock => {
                f.write_str("a wall-clock ticker cannot delay its schedule, which is the clock's; take Skip or Burst")
            }
            Self::TimeConstant(ticks) => write!(f, "time_constant is a number of ticks, at least 2, not {ticks}"),
            Self::MaxSlew(ppm) => write!(f, "max_slew is from 1 to 100000 parts per million, not {}", shown(ppm)),
            Self::NoBurst => f.write_str("a burst of 0 lets nothing go; it must be at least 1"),
            Self::BurstTooLong(burst) => {
                write!(f, "at this rate a burst of {burst} takes longer than 292 years; take a smaller one")
            }
        }
    }
}

/// Returns a number in a few digits: `1e300` has 301.
fn shown(number: f64) -> String {
    if number.abs() < 1e16 { number.to_string() } else { format!("{number:e}") }
}

/// Writes how a percentage is written as a share.
fn of_a_hundred(f: &mut fmt::Formatter<'_>, share: f64) -> fmt::Result {
    if share > 1.0 && share <= 100.0 {
        // Rounded, because 99.9 / 100 is not 0.999.
        write!(f, "; {share} % is {}", (share * 1e4).round() / 1e6)?;
    }
    Ok(())
}

impl std::error::Error for OptionError {}

/// Returns the value, or panics with the error's sentence.
#[track_caller]
pub(crate) fn or_panic<T>(built: Result<T, impl fmt::Display>) -> T {
    match built {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_is_wrong_and_what_would_be_right() {
        for (error, text) in [
            (OptionError::OnTime(99.9), "on_time is a share from 0.5 to 0.9999, not 99.9; 99.9 % is 0.999"),
            (OptionError::OnTime(f64::NAN), "on_time is a share from 0.5 to 0.9999, not NaN"),
            (OptionError::CpuCeiling(-1.0), "cpu_ceiling is a share from 0 to 1, not -1"),
            (OptionError::CpuCeiling(1e300), "cpu_ceiling is a share from 0 to 1, not 1e300"),
            (
                OptionError::SpinCeiling(Nanos::new(-1_500)),
                "spin_ceiling cannot be negative, as -1.5 µs is; zero allows no fine wait",
            ),
            (OptionError::BurstTooLong(9), "at this rate a burst of 9 takes longer than 292 years; take a smaller one"),
        ] {
            assert_eq!(error.to_string(), text);
        }
    }
}
