//! Sleepers.

use crate::Status;
use crate::border::{call, give, hand_out, lock, read_sized, take_back, write_sized};
use oversleep::{Moment, Nanos};
use std::ffi::c_int;
use std::sync::Mutex;

/// Learns how late the sleeps of a thread end, and compensates for it. Use one per thread, because what it learns
/// applies to that thread.
pub struct Sleeper(Mutex<oversleep::Sleeper>);

/// The options of a sleeper. `oversleep_sleeper_options_init` sets them to the defaults; a structure of zeros with its
/// `size` set means the same. Numbers outside their range are set to its nearest end; NaN means the default.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SleeperOptions {
    /// Size of this structure in the program's version of it: later versions may have more fields at the end.
    pub size: usize,
    /// Share of sleeps to be awake before their deadline, in the long run and within the ceilings: 0.5 to 0.9999; zero
    /// means the default, 0.99.
    pub on_time: f64,
    /// Largest average share of the time slept that may be spent in fine waiting: up to 1; zero means the default, 0.5, and
    /// negative none.
    pub cpu_ceiling: f64,
    /// Longest single fine wait, in nanoseconds; zero means the default, 20 ms, and negative none.
    pub spin_ceiling_ns: i64,
    /// Longest single fine wait under a real-time policy, in nanoseconds; zero means the default, 1 ms, and negative none.
    pub real_time_ceiling_ns: i64,
    /// How long before its deadline a sleep may end, in nanoseconds; zero or negative: never early.
    pub early_window_ns: i64,
    /// Nonzero: wakes as close to the deadline as is possible at almost no cost; `on_time` and `cpu_ceiling` are then
    /// ignored.
    // Not a `bool`: C may pass any byte, and a `bool` that is neither 0 nor 1 is undefined behaviour.
    pub eco: u8,
    /// Nonzero: leaves the thread's timer slack unchanged, as `eco` always does.
    pub leave_slack: u8,
}

/// What can prevent a sleeper from reaching the requested share of sleeps on time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Ceiling {
    /// Nothing.
    None = 0,
    /// The option `cpu_ceiling`.
    Processor = 1,
    /// The sleep is shorter than the margin it needs, and the ceilings do not allow a fine wait for all of it.
    ShortSleep = 2,
    /// The option `spin_ceiling_ns`.
    FineWait = 3,
    /// The option `real_time_ceiling_ns`.
    RealTime = 4,
    /// The processor time that the thread's policy allows.
    PolicyBudget = 5,
    /// A ceiling that this header does not know.
    Other = 6,
}

/// Statistics of a sleeper. Set `size` before the call of `oversleep_sleeper_stats`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SleepStats {
    /// Size of this structure in the program's version of it: later versions may have more fields at the end. Receives
    /// the number of bytes that were written.
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
    /// Largest lateness, in nanoseconds.
    pub worst_ns: i64,
    /// Share that was asked for; NaN for an `eco` sleeper.
    pub asked: f64,
    /// Share of sleeps that ended at most 1 µs after their deadline: 0 to 1; NaN without sleeps.
    pub punctual: f64,
    /// Number of sleeps awake before their deadline that ended more than 1 µs after it: something else used the
    /// processor.
    pub interrupted: u64,
    /// Mean fine wait of a sleep by the clock, in nanoseconds: an upper bound of the processor time spent on being on
    /// time, because it includes time in which something else used the processor.
    pub spun_per_sleep_ns: i64,
    /// Ceiling that prevented the share asked for, an `oversleep_ceiling`; `OVERSLEEP_CEILING_NONE` if there was none.
    pub limited_by: c_int,
    /// Number of sleeps whose margin that ceiling cut.
    pub limited_sleeps: u64,
    /// Share of those sleeps that were on time nevertheless: 0 to 1; NaN if none was cut. The share that can be had of all
    /// sleeps lies between it and 1.
    pub attainable: f64,
}

/// Sizes of the first versions of the two structures.
const FIRST_OPTIONS: usize = size_of::<SleeperOptions>();
const FIRST_STATS: usize = size_of::<SleepStats>();

const DEFAULT: SleeperOptions = SleeperOptions {
    size: size_of::<SleeperOptions>(),
    on_time: 0.99,
    cpu_ceiling: 0.5,
    spin_ceiling_ns: 20_000_000,
    real_time_ceiling_ns: 1_000_000,
    early_window_ns: 0,
    eco: 0,
    leave_slack: 0,
};

/// Sets all options to their defaults: 99 % of sleeps on time, at most half of the time slept in fine waiting.
/// `size` is `sizeof *options`. Returns `OVERSLEEP_STATUS_BAD_SIZE` for a size that this version does not know.
///
/// # Safety
/// `options` is null or points to `size` writable bytes.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_options_init(options: *mut SleeperOptions, size: usize) -> c_int {
    if options.is_null() {
        return Status::Invalid as c_int;
    }
    if size > size_of::<SleeperOptions>() {
        return Status::BadSize as c_int;
    }
    // SAFETY: `size` bytes are writable, as promised to this function.
    let written = unsafe { write_sized(options, size, FIRST_OPTIONS, &SleeperOptions { size, ..DEFAULT }) };
    written.map_or(Status::BadSize, |_| Status::Ok) as c_int
}

/// Makes a sleeper. Null `options` mean the defaults. `sleeper` receives it; free it with `oversleep_sleeper_free`.
///
/// If it fails, `sleeper` receives null: `OVERSLEEP_STATUS_BAD_SIZE` for options that were not initialised, or were
/// initialised with a newer version's header.
///
/// # Safety
/// `options` is null or points to options of the size that they state; `sleeper` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_new(options: *const SleeperOptions, sleeper: *mut *mut Sleeper) -> c_int {
    // SAFETY: as promised to this function.
    let make = || Ok(Sleeper(Mutex::new(unsafe { sleeper_with(options) }?)));
    // SAFETY: as promised to this function.
    unsafe { hand_out(sleeper, make) }
}

/// Returns a sleeper with these options; null means the defaults.
///
/// # Safety
/// `options` is null or points to options of the size that they state.
pub(crate) unsafe fn sleeper_with(options: *const SleeperOptions) -> Result<oversleep::Sleeper, Status> {
    if options.is_null() {
        return Ok(of(DEFAULT));
    }
    // SAFETY: the size is the first field of every version, and readable as the caller promises.
    let size = unsafe { options.cast::<usize>().read() };
    // SAFETY: `size` bytes are readable, as the caller promises; the fields are numbers.
    unsafe { read_sized(options, size, FIRST_OPTIONS, DEFAULT) }.map(of).ok_or(Status::BadSize)
}

fn of(options: SleeperOptions) -> oversleep::Sleeper {
    let share = |given: f64, default| if given == 0.0 || given.is_nan() { default } else { given };
    let ceiling = |given: i64, default| Nanos::new(if given == 0 { default } else { given.max(0) });
    let mut asked = oversleep::Sleeper::builder()
        .on_time(share(options.on_time, DEFAULT.on_time).clamp(0.5, 0.9999))
        .cpu_ceiling(share(options.cpu_ceiling, DEFAULT.cpu_ceiling).clamp(0.0, 1.0))
        .spin_ceiling(ceiling(options.spin_ceiling_ns, DEFAULT.spin_ceiling_ns))
        .real_time_ceiling(ceiling(options.real_time_ceiling_ns, DEFAULT.real_time_ceiling_ns))
        .early_window(Nanos::new(options.early_window_ns.max(0)));
    if options.eco != 0 {
        asked = asked.eco();
    }
    if options.leave_slack != 0 { asked.leave_slack().build() } else { asked.build() }
}

/// Frees a sleeper. Does nothing for null.
///
/// # Safety
/// `sleeper` is null or came from `oversleep_sleeper_new`, was not freed before, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_free(sleeper: *mut Sleeper) {
    // SAFETY: as promised to this function.
    unsafe { take_back(sleeper) };
}

/// Sleeps precisely for `ns` nanoseconds. Zero or less: returns at once.
///
/// `late` receives the end minus the deadline, in nanoseconds: positive if late, below zero only within an early
/// window.
///
/// # Safety
/// `sleeper` is null or a valid sleeper; `late` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_sleep_for(sleeper: *const Sleeper, ns: i64, late: *mut i64) -> c_int {
    // SAFETY: null or valid, as promised to this function.
    let Some(sleeper) = (unsafe { sleeper.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        let lateness = lock(&sleeper.0).sleep_for(Nanos::new(ns));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// Sleeps precisely until `oversleep_now` reads `deadline`. Returns at once if the deadline has passed.
///
/// `late` receives the end minus the deadline, in nanoseconds: positive if late, below zero only within an early
/// window.
///
/// # Safety
/// `sleeper` is null or a valid sleeper; `late` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_sleep_until(
    sleeper: *const Sleeper,
    deadline: i64,
    late: *mut i64,
) -> c_int {
    // SAFETY: null or valid, as promised to this function.
    let Some(sleeper) = (unsafe { sleeper.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        let lateness = lock(&sleeper.0).sleep_until(Moment::from_nanos(Nanos::new(deadline)));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// Writes the statistics of a sleeper so far. Waits while another thread sleeps with it. Returns
/// `OVERSLEEP_STATUS_BAD_SIZE` if `stats->size` was not set.
///
/// # Safety
/// `sleeper` is null or a valid sleeper; `stats` is null or points to as many writable bytes as its `size` states.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_stats(sleeper: *const Sleeper, stats: *mut SleepStats) -> c_int {
    // SAFETY: null or valid, as promised to this function.
    let Some(sleeper) = (unsafe { sleeper.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        if stats.is_null() {
            return Status::Ok;
        }
        // SAFETY: the size is the first field of every version, and readable as promised to this function.
        let size = unsafe { stats.cast::<usize>().read() };
        let so_far = SleepStats::from(&lock(&sleeper.0).stats());
        let so_far = SleepStats { size: size.min(size_of::<SleepStats>()), ..so_far };
        // SAFETY: `size` bytes are writable, as promised to this function.
        let written = unsafe { write_sized(stats, size, FIRST_STATS, &so_far) };
        written.map_or(Status::BadSize, |_| Status::Ok)
    })
}

impl From<&oversleep::SleepStats> for SleepStats {
    fn from(stats: &oversleep::SleepStats) -> Self {
        let limit = stats.limited_by();
        Self {
            size: size_of::<Self>(),
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
        }
    }
}

impl From<oversleep::Ceiling> for Ceiling {
    fn from(ceiling: oversleep::Ceiling) -> Self {
        match ceiling {
            oversleep::Ceiling::Processor => Self::Processor,
            oversleep::Ceiling::ShortSleep => Self::ShortSleep,
            oversleep::Ceiling::FineWait => Self::FineWait,
            oversleep::Ceiling::RealTime => Self::RealTime,
            oversleep::Ceiling::PolicyBudget => Self::PolicyBudget,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A C program may pass any byte as a switch.
    #[test]
    fn every_byte_but_zero_is_true() {
        let made = |eco, leave_slack| format!("{:?}", of(SleeperOptions { eco, leave_slack, ..DEFAULT }));
        let plain = || oversleep::Sleeper::builder().on_time(0.99);
        assert_eq!(made(0, 0), format!("{:?}", plain().build()));
        for byte in [1, 2, 128, 255] {
            assert_eq!(made(byte, 0), format!("{:?}", plain().eco().build()), "{byte}");
            assert_eq!(made(0, byte), format!("{:?}", plain().leave_slack().build()), "{byte}");
        }
    }

    /// `oversleep_sleeper_options o = {.size = sizeof o};` is what C programmers write first.
    #[test]
    fn zeros_are_the_defaults_and_below_zero_nothing_is_waited_actively() {
        let zeros = SleeperOptions {
            on_time: 0.0,
            cpu_ceiling: 0.0,
            spin_ceiling_ns: 0,
            real_time_ceiling_ns: 0,
            early_window_ns: 0,
            eco: 0,
            leave_slack: 0,
            ..DEFAULT
        };
        assert_eq!(format!("{:?}", of(zeros)), format!("{:?}", of(DEFAULT)));
        let none = SleeperOptions { cpu_ceiling: -1.0, spin_ceiling_ns: -1, real_time_ceiling_ns: -1, ..DEFAULT };
        let zero = oversleep::Sleeper::builder()
            .cpu_ceiling(0.0)
            .spin_ceiling(Nanos::ZERO)
            .real_time_ceiling(Nanos::ZERO)
            .build();
        assert_eq!(format!("{:?}", of(none)), format!("{zero:?}"));
    }

    #[test]
    fn not_a_number_is_the_default() {
        let options = SleeperOptions { on_time: f64::NAN, cpu_ceiling: f64::NAN, ..DEFAULT };
        assert_eq!(format!("{:?}", of(options)), format!("{:?}", of(DEFAULT)));
    }
}
