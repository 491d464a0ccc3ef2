//! The options of tickers.

use crate::Status;
use crate::border::{Growing, moment, read_sized};
use crate::options::{SleeperOptions, sleeper_with};
use oversleep::{Moment, Sleeper};
use std::ffi::c_int;

/// What to do with missed ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Missed {
    /// Deliver the latest tick due and report how many were left out: the default.
    Skip = 0,
    /// Deliver every tick, late ones at once.
    Burst = 1,
    /// Restart the schedule from a tick that was requested after it was due, or whose wake-up was late by a period or more:
    /// the next one is due a period after its delivery. Not for wall-clock tickers.
    Delay = 2,
}

/// The options of a ticker. A structure of zeros means the defaults.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct TickerOptions {
    /// Size of this structure, or 0. Later versions may have more fields at the end, which are used only if the size
    /// includes them.
    pub size: usize,
    /// Time at which tick 0 is due, a time of `oversleep_now`; zero means when the ticker is made. Ticks that are due
    /// before that are missed ticks. Not for wall-clock tickers.
    pub start_ns: i64,
    /// Options of the ticker's sleeps; null means the defaults.
    pub sleeper: *const SleeperOptions,
    /// What to do with missed ticks, an `oversleep_missed`; zero means `OVERSLEEP_MISSED_SKIP`.
    pub missed: c_int,
}

// SAFETY: numbers and a pointer after a size.
unsafe impl Growing for TickerOptions {
    const FIRST: usize = size_of::<Self>();
}

/// The same, within their ranges.
pub(crate) struct Checked {
    pub(crate) start: Option<Moment>,
    pub(crate) missed: oversleep::Missed,
    pub(crate) sleeper: Sleeper,
}

impl TickerOptions {
    const DEFAULT: Self = Self { size: 0, start_ns: 0, sleeper: std::ptr::null(), missed: Missed::Skip as c_int };

    /// Reads and checks a program's options; null means the defaults.
    ///
    /// # Safety
    /// `options`, and its `sleeper`, are null or point to options of the size that they state.
    pub(crate) unsafe fn checked(options: *const Self) -> Result<Checked, Status> {
        // SAFETY: as the caller promises.
        let options = unsafe { read_sized(options, Self::DEFAULT) }?;
        Ok(Checked {
            start: if options.start_ns == 0 { None } else { Some(moment(options.start_ns)?) },
            missed: match options.missed {
                0 => oversleep::Missed::Skip,
                1 => oversleep::Missed::Burst,
                2 => oversleep::Missed::Delay,
                _ => return Err(Status::UnknownPolicy),
            },
            // SAFETY: as the caller promises.
            sleeper: unsafe { sleeper_with(options.sleeper) }?,
        })
    }
}
