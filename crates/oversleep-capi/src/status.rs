//! Statuses, and their texts.

use oversleep::{OptionError, PeriodError};
use std::ffi::{c_char, c_int};

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A handle is null, or the place for a new one.
    Invalid = 1,
    /// The units are not due yet; none was taken, and `ready_at` received the time at which they will be.
    NotReady = 2,
    /// More units were requested than can ever be taken at once; none was taken, and `ready_at` is unchanged.
    BeyondBurst = 3,
    /// The schedule has reached the end of the clock's range.
    Ended = 4,
    /// A bug in this library, caught before it could reach the program. The handle may still be freed.
    Panicked = 5,
    /// A rate or period is not above zero.
    NotPositive = 6,
    /// A period is below one nanosecond.
    TooShort = 7,
    /// A period, a pacer's burst, or a wait ends beyond the clock's range of 292 years, or a deadline is `INT64_MAX`.
    TooLong = 8,
    /// The policy for missed ticks does not exist.
    UnknownPolicy = 9,
    /// The `size` of a structure is neither 0 nor that of a version that this library knows.
    BadSize = 10,
    /// `on_time` is out of range or NaN.
    BadOnTime = 11,
    /// `cpu_ceiling` is out of range or NaN.
    BadCpuCeiling = 12,
    /// `spin_ceiling_ns` or `real_time_ceiling_ns` is below -1.
    BadSpinCeiling = 13,
    /// `early_window_ns` is negative.
    BadEarlyWindow = 14,
    /// Both `eco` and `on_time` are set.
    EcoAndOnTime = 15,
    /// A phase is not shorter than the period.
    BadPhase = 16,
    /// Something was requested of a wall-clock ticker that it cannot do: a start, or to restart its schedule after a
    /// missed tick.
    WallClock = 17,
    /// A deadline, or a ticker's start, is more than ten years ahead of `oversleep_now`: a time of another clock.
    TooFar = 18,
}

impl From<OptionError> for Status {
    fn from(error: OptionError) -> Self {
        match error {
            OptionError::OnTime(_) => Self::BadOnTime,
            OptionError::CpuCeiling(_) => Self::BadCpuCeiling,
            OptionError::SpinCeiling(_) | OptionError::RealTimeCeiling(_) => Self::BadSpinCeiling,
            OptionError::EarlyWindow(_) => Self::BadEarlyWindow,
            OptionError::Phase(_) => Self::BadPhase,
            OptionError::DelayOnTheWallClock => Self::WallClock,
            OptionError::BurstTooLong(_) => Self::TooLong,
            // No other option can be set from C, where a burst of 0 is the default.
            _ => Self::NotPositive,
        }
    }
}

impl From<PeriodError> for Status {
    fn from(error: PeriodError) -> Self {
        match error {
            PeriodError::TooShort => Self::TooShort,
            PeriodError::TooLong => Self::TooLong,
            // Kinds of errors that are added later also mean that the period is not valid.
            _ => Self::NotPositive,
        }
    }
}

/// Returns the meaning of a status as text. Never null, also for unknown numbers. Do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_status_text(status: c_int) -> *const c_char {
    let text = match status {
        0 => c"done",
        1 => c"a null pointer where a handle, or a place for one, is needed",
        2 => c"not due yet; nothing was taken",
        3 => c"more units than may ever go at once; take fewer",
        4 => c"the schedule has reached the end of the clock's range",
        5 => c"a defect of liboversleep; please report it",
        6 => c"a rate or period must be above zero",
        7 => c"a period must be at least a nanosecond, so a rate at most 1000000000 a second; a negative number counts as a higher one",
        8 => c"a period, burst or wait must end within the clock's range of 292 years; INT64_MAX is not a time",
        9 => c"no such policy for missed ticks; use an OVERSLEEP_MISSED_ constant",
        10 => c"the size of a structure is not one that this liboversleep knows; set it to 0, or to sizeof the structure",
        11 => c"on_time must be from 0.5 to 0.9999, or 0 for the default",
        12 => c"cpu_ceiling must be above 0 and at most 1, or 0 for the default, or -1 for none",
        13 => c"spin_ceiling_ns and real_time_ceiling_ns must be above 0, or 0 for the default, or -1 for none",
        14 => c"early_window_ns cannot be negative",
        15 => c"eco costs almost nothing, on_time what it needs; set one of them",
        16 => c"a phase must be shorter than the period: the time after each multiple of it or, negative, before",
        17 => c"a wall-clock ticker keeps to the clock: it has no start, and OVERSLEEP_MISSED_DELAY is not for it",
        18 => c"a deadline more than ten years ahead is another clock's; use times of oversleep_now, not since 1970",
        _ => c"not a status of liboversleep",
    };
    text.as_ptr()
}
