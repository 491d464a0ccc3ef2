//! The sleeper.

use crate::Status;
use crate::border::{call, give, hand_out, lock, read_sized, take_back, write_sized};
use oversleep::{Moment, Nanos};
use std::ffi::c_int;
use std::sync::Mutex;

/// Learns how late its thread's sleeps end, and makes up for it. One per thread is best: what it learns is that
/// thread's.
pub struct Sleeper(Mutex<oversleep::Sleeper>);

/// What is asked of a sleeper. Start from `oversleep_sleeper_options_init`. Numbers outside their range are held at its
/// ends; NaN is the default.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SleeperOptions {
    /// The size of this structure as the program knows it: later versions may have more fields at the end.
    pub size: usize,
    /// The share of sleeps to be awake before their deadline, in the long run and under the ceilings: 0.5 to 0.9999.
    pub on_time: f64,
    /// The most of the time slept that may on average be spent in fine waiting: 0 to 1.
    pub cpu_ceiling: f64,
    /// The longest single fine wait, nanoseconds; negative is zero.
    pub spin_ceiling_ns: i64,
    /// The same under a real-time policy.
    pub real_time_ceiling_ns: i64,
    /// How long before its deadline a sleep may end, nanoseconds: 0, or negative, for never early.
    pub early_window_ns: i64,
    /// Not 0: as near to the deadline as costs next to nothing; `on_time` and `cpu_ceiling` then mean nothing.
    // No `bool`: C hands over any byte, and a `bool` that is neither 0 nor 1 is undefined behaviour.
    pub eco: u8,
    /// Not 0: do not touch the thread's timer slack; `eco` never does.
    pub leave_slack: u8,
}

/// What can stand in the way of the share asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Ceiling {
    /// Nothing did.
    None = 0,
    /// `cpu_ceiling`.
    Processor = 1,
    /// The sleep is shorter than the margin it needs, and may not be waited finely altogether.
    ShortSleep = 2,
    /// `spin_ceiling_ns`.
    FineWait = 3,
    /// `real_time_ceiling_ns`.
    RealTime = 4,
    /// The processor time that the thread's policy grants.
    PolicyBudget = 5,
    /// One that this header does not know.
    Other = 6,
}

/// What a sleeper achieved. Set `size` before it is asked for.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Achieved {
    /// The size of this structure as the program knows it: later versions may have more fields at the end. Receives how
    /// much of it was written.
    pub size: usize,
    /// Sleeps whose deadline lay ahead.
    pub sleeps: u64,
    /// Calls whose deadline was over already.
    pub overdue: u64,
    /// The share of sleeps awake before their deadline: 0 to 1; NaN of none.
    pub on_time: f64,
    /// Fine waiting by the clock as a share of the time asked for; NaN of none. Beyond 1 only where something else had the
    /// processor meanwhile, which is included.
    pub spun_share: f64,
    /// The worst lateness, nanoseconds.
    pub worst_ns: i64,
    /// The share that was asked for; NaN of an `eco` sleeper.
    pub asked: f64,
    /// The share of sleeps that ended at most 1 µs after their deadline: 0 to 1; NaN of none.
    pub punctual: f64,
    /// Sleeps awake before their deadline that ended more than 1 µs after it: something else had the processor.
    pub interrupted: u64,
    /// The mean fine wait of a sleep by the clock, nanoseconds: the processor time that being on time cost at most, since time
    /// in which something else had the processor is included.
    pub spun_per_sleep_ns: i64,
    /// The ceiling that stood in the way, an `oversleep_ceiling`, if the share asked for was not reached.
    pub limited_by: c_int,
    /// The sleeps whose margin it cut.
    pub limited_sleeps: u64,
    /// The share of those that were on time all the same, which is what can be had under it: 0 to 1; NaN of none.
    pub attainable: f64,
}

/// The sizes of the first versions of both.
const FIRST_OPTIONS: usize = size_of::<SleeperOptions>();
const FIRST_ACHIEVED: usize = size_of::<Achieved>();

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

/// Sets options to what is asked for by default: 99 % of sleeps on time, at most half of the time slept in fine waiting.
/// `size` is `sizeof *options`. `OVERSLEEP_STATUS_BAD_SIZE` for a size that this version does not know.
///
/// # Safety
/// `options` is null or points to as many writable bytes as `size`.
#[unsafe(no_mangle)]
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

/// Makes a sleeper. Null `options` are the default. `sleeper` receives it; free it with `oversleep_sleeper_free`.
///
/// Otherwise `sleeper` receives null: `OVERSLEEP_STATUS_BAD_SIZE` for options that were not initialised, or by a newer
/// version's header.
///
/// # Safety
/// `options` is null or points to options of the size they say; `sleeper` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_new(options: *const SleeperOptions, sleeper: *mut *mut Sleeper) -> c_int {
    let make = || {
        if options.is_null() {
            return Ok(Sleeper(Mutex::new(of(DEFAULT))));
        }
        // SAFETY: the size is the first field of every version, and readable as promised to this function.
        let size = unsafe { options.cast::<usize>().read() };
        // SAFETY: `size` bytes are readable, as promised to this function; the fields are numbers.
        let options = unsafe { read_sized(options, size, FIRST_OPTIONS, DEFAULT) }.ok_or(Status::BadSize)?;
        Ok(Sleeper(Mutex::new(of(options))))
    };
    // SAFETY: as promised to this function.
    unsafe { hand_out(sleeper, make) }
}

fn of(options: SleeperOptions) -> oversleep::Sleeper {
    let mut asked = oversleep::Sleeper::builder()
        .on_time(options.on_time)
        .cpu_ceiling(options.cpu_ceiling)
        .spin_ceiling(Nanos::new(options.spin_ceiling_ns))
        .real_time_ceiling(Nanos::new(options.real_time_ceiling_ns))
        .early_window(Nanos::new(options.early_window_ns));
    if options.eco != 0 {
        asked = asked.eco();
    }
    if options.leave_slack != 0 { asked.leave_slack().build() } else { asked.build() }
}

/// Frees a sleeper. Null is nothing to do.
///
/// # Safety
/// `sleeper` is null or came from `oversleep_sleeper_new`, was not freed before, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_free(sleeper: *mut Sleeper) {
    // SAFETY: as promised to this function.
    unsafe { take_back(sleeper) };
}

/// Sleeps for a number of nanoseconds, precisely. Zero or less: returns at once.
///
/// `late` receives the end less the deadline, nanoseconds: positive when late, below zero only within an early window.
///
/// # Safety
/// `sleeper` is null or a living sleeper; `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_sleep_for(sleeper: *const Sleeper, ns: i64, late: *mut i64) -> c_int {
    // SAFETY: null or living, as promised to this function.
    let Some(sleeper) = (unsafe { sleeper.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        let lateness = lock(&sleeper.0).sleep_for(Nanos::new(ns));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// Sleeps until `oversleep_now` reads `deadline`, precisely. A deadline that is over returns at once.
///
/// `late` receives the end less the deadline, nanoseconds: positive when late, below zero only within an early window.
///
/// # Safety
/// `sleeper` is null or a living sleeper; `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_sleep_until(
    sleeper: *const Sleeper,
    deadline: i64,
    late: *mut i64,
) -> c_int {
    // SAFETY: null or living, as promised to this function.
    let Some(sleeper) = (unsafe { sleeper.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        let lateness = lock(&sleeper.0).sleep_until(Moment::from_nanos(Nanos::new(deadline)));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// Writes what the sleeper achieved so far. Waits while another thread sleeps on it. `OVERSLEEP_STATUS_BAD_SIZE` where
/// `achieved->size` was not set.
///
/// # Safety
/// `sleeper` is null or a living sleeper; `achieved` is null or points to as many writable bytes as its size says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_achieved(sleeper: *const Sleeper, achieved: *mut Achieved) -> c_int {
    // SAFETY: null or living, as promised to this function.
    let Some(sleeper) = (unsafe { sleeper.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        if achieved.is_null() {
            return Status::Ok;
        }
        // SAFETY: the size is the first field of every version, and readable as promised to this function.
        let size = unsafe { achieved.cast::<usize>().read() };
        let so_far = Achieved { size: size.min(size_of::<Achieved>()), ..Achieved::from(&lock(&sleeper.0).achieved()) };
        // SAFETY: `size` bytes are writable, as promised to this function.
        let written = unsafe { write_sized(achieved, size, FIRST_ACHIEVED, &so_far) };
        written.map_or(Status::BadSize, |_| Status::Ok)
    })
}

impl From<&oversleep::Achieved> for Achieved {
    fn from(achieved: &oversleep::Achieved) -> Self {
        let limit = achieved.limited_by();
        Self {
            size: size_of::<Self>(),
            sleeps: achieved.sleeps(),
            overdue: achieved.overdue(),
            on_time: achieved.on_time().unwrap_or(f64::NAN),
            spun_share: achieved.spun_share().unwrap_or(f64::NAN),
            worst_ns: achieved.worst().nanos().get(),
            asked: achieved.asked().unwrap_or(f64::NAN),
            punctual: achieved.punctual().unwrap_or(f64::NAN),
            interrupted: achieved.interrupted(),
            spun_per_sleep_ns: achieved.spun_per_sleep().map_or(0, Nanos::get),
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

    /// A C program may leave any byte there.
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

    #[test]
    fn not_a_number_is_the_default() {
        let options = SleeperOptions { on_time: f64::NAN, cpu_ceiling: f64::NAN, ..DEFAULT };
        assert_eq!(format!("{:?}", of(options)), format!("{:?}", of(DEFAULT)));
    }
}
