//! Statistics of sleepers, and of the tickers that sleep with them.

use crate::border::Growing;
use oversleep::Nanos;
use std::ffi::c_int;

/// What can prevent a sleeper from being on time more often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Ceiling {
    /// Nothing.
    None = 0,
    /// One sleep more on time would cost more processor time than it is worth. Only without the option `on_time`.
    Worth = 1,
    /// The option `cpu_ceiling`.
    Processor = 2,
    /// The sleep is shorter than the margin it needs, and the ceilings do not allow a fine wait for all of it.
    ShortSleep = 3,
    /// The option `spin_ceiling_ns`.
    FineWait = 4,
    /// The option `real_time_ceiling_ns`.
    RealTime = 5,
    /// The processor time that the thread's policy allows.
    PolicyBudget = 6,
    /// Other threads take the processor, whatever the margin.
    Interruptions = 7,
    /// A ceiling that this header does not know.
    Other = 8,
}

/// Statistics of a sleeper, or of the sleeps of a ticker. Begin with a structure of zeros.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SleepStats {
    /// Size of this structure, or 0. Later versions may have more fields at the end, which are written only if the size
    /// includes them. Receives the number of bytes that were written.
    pub size: usize,
    /// Number of sleeps whose deadline lay ahead.
    pub sleeps: u64,
    /// Number of calls whose deadline had already passed.
    pub overdue: u64,
    /// Share of sleeps awake before their deadline: 0 to 1; NaN without sleeps.
    pub on_time: f64,
    /// Fine waiting by the clock as a share of the time asked for; NaN without sleeps. Includes time in which something
    /// else used the processor, and can exceed 1 only because of that.
    pub spun_share: f64,
    /// Largest lateness, in nanoseconds, also of overdue requests.
    pub worst_ns: i64,
    /// Share that was requested with the option `on_time`; NaN without it.
    pub asked: f64,
    /// Share of sleeps that ended at most 1 µs after their deadline: 0 to 1; NaN without sleeps.
    pub punctual: f64,
    /// Number of sleeps awake before their deadline that ended more than 1 µs after it: something else used the
    /// processor.
    pub interrupted: u64,
    /// Mean fine wait of a sleep by the clock, in nanoseconds: an upper bound of the processor time spent on being on
    /// time, because it includes time in which something else used the processor.
    pub spun_per_sleep_ns: i64,
    /// Ceiling that prevented more sleeps on time, or the share requested, an `oversleep_ceiling`; `OVERSLEEP_CEILING_NONE` if there was none.
    pub limited_by: c_int,
    /// Number of sleeps whose margin that ceiling cut.
    pub limited_sleeps: u64,
    /// Share of those sleeps that were on time nevertheless: 0 to 1; NaN if none was cut. The share that can be had of all
    /// sleeps lies between it and 1.
    pub attainable: f64,
    /// Number of times the kernel was asked to sleep and woke the thread.
    pub wake_ups: u64,
    /// Mean processor time of a sleep, in nanoseconds: its wake-ups, measured at one sleep in 16 of those that wake before their
    /// deadline, and its fine wait by the clock; −1 without sleeps, and until a wake-up was measured.
    pub processor_time_per_sleep_ns: i64,
}

// SAFETY: numbers after a size.
unsafe impl Growing for SleepStats {
    const FIRST: usize = size_of::<Self>();
}

impl SleepStats {
    pub(crate) fn new(size: usize, stats: &oversleep::SleepStats) -> Self {
        let limit = stats.limited_by();
        Self {
            size,
            sleeps: stats.sleeps(),
            overdue: stats.overdue(),
            on_time: stats.on_time().unwrap_or(f64::NAN),
            spun_share: stats.spun_share().unwrap_or(f64::NAN),
            worst_ns: stats.worst().nanos().get(),
            asked: stats.asked().unwrap_or(f64::NAN),
            punctual: stats.punctual().unwrap_or(f64::NAN),
            interrupted: stats.interrupted(),
            spun_per_sleep_ns: stats.spun_per_sleep().map_or(0, Nanos::get),
            limited_by: limit.map_or(Ceiling::None, |limit| Ceiling::from(limit.ceiling)) as c_int,
            limited_sleeps: limit.map_or(0, |limit| limit.sleeps),
            attainable: limit.map_or(f64::NAN, |limit| limit.attainable()),
            wake_ups: stats.wake_ups(),
            processor_time_per_sleep_ns: stats.processor_time_per_sleep().map_or(-1, Nanos::get),
        }
    }
}

impl From<oversleep::Ceiling> for Ceiling {
    fn from(ceiling: oversleep::Ceiling) -> Self {
        match ceiling {
            oversleep::Ceiling::Worth => Self::Worth,
            oversleep::Ceiling::Processor => Self::Processor,
            oversleep::Ceiling::ShortSleep => Self::ShortSleep,
            oversleep::Ceiling::FineWait => Self::FineWait,
            oversleep::Ceiling::RealTime => Self::RealTime,
            oversleep::Ceiling::PolicyBudget => Self::PolicyBudget,
            oversleep::Ceiling::Interruptions => Self::Interruptions,
            _ => Self::Other,
        }
    }
}
