//! Statuses, and their texts.

use oversleep::{OptionError, PeriodError};
use std::ffi::{c_char, c_int};

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A handle is null, or a pointer to which something must be written.
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
    /// A period, or a pacer's burst, takes 292 years or longer.
    TooLong = 8,
    /// The policy for missed ticks does not exist.
    UnknownPolicy = 9,
    /// The `size` of a structure was not set, or is that of a newer liboversleep.
    BadSize = 10,
}

impl From<OptionError> for Status {
    fn from(error: OptionError) -> Self {
        match error {
            OptionError::DelayOnTheWallClock => Self::UnknownPolicy,
            OptionError::Phase(_) | OptionError::BurstTooLong(_) => Self::TooLong,
            // The others are within their ranges when they come here.
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
        8 => c"a period must be shorter than 292 years",
        9 => c"no such policy for missed ticks; take an OVERSLEEP_MISSED_ constant",
        10 => c"the size of a structure is not one that this liboversleep knows; set options.size = sizeof options, and stats.size = sizeof stats",
        _ => c"no status of liboversleep",
    };
    text.as_ptr()
}
