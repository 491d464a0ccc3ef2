//! The sleeper.

use crate::Status;
use crate::border::{call, give, hand_out, lock, take_back};
use oversleep::Nanos;
use std::ffi::c_int;
use std::sync::Mutex;

/// Learns how late its thread's sleeps end, and makes up for it. One per thread is best: what it learns is that
/// thread's.
pub struct Sleeper(Mutex<oversleep::Sleeper>);

/// What is wanted of a sleeper. Start from `oversleep_wish_default`. Numbers outside their range are held at its ends; NaN
/// is the default.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Wish {
    /// The share of sleeps to be awake before their deadline: 0.5 to 0.99.
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

/// What a sleeper achieved.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Achieved {
    /// Sleeps whose deadline lay ahead.
    pub sleeps: u64,
    /// Calls whose deadline was over already.
    pub overdue: u64,
    /// The share of sleeps awake before their deadline: 0 to 1; NaN of none.
    pub on_time: f64,
    /// Fine waiting as a share of the time asked for: 0 to 1; NaN of none.
    pub spun_share: f64,
    /// The worst lateness, nanoseconds.
    pub worst_ns: i64,
}

/// 99 % of sleeps on time, at most half of the time slept in fine waiting.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_wish_default() -> Wish {
    Wish {
        on_time: 0.99,
        cpu_ceiling: 0.5,
        spin_ceiling_ns: 20_000_000,
        real_time_ceiling_ns: 1_000_000,
        early_window_ns: 0,
        eco: 0,
        leave_slack: 0,
    }
}

/// A new sleeper. A null `wish` is the default. Free it with `oversleep_sleeper_free`.
///
/// # Safety
/// `wish` is null or points to a wish.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_new(wish: *const Wish) -> *mut Sleeper {
    // SAFETY: null or valid, as promised to this function.
    let wish = unsafe { wish.as_ref() }.copied();
    hand_out(|| Some(Sleeper(Mutex::new(of(wish.unwrap_or_else(|| oversleep_wish_default()))))))
}

fn of(wish: Wish) -> oversleep::Sleeper {
    let mut sleeper = oversleep::Sleeper::new()
        .on_time(wish.on_time)
        .cpu_ceiling(wish.cpu_ceiling)
        .spin_ceiling(Nanos::new(wish.spin_ceiling_ns))
        .real_time_ceiling(Nanos::new(wish.real_time_ceiling_ns))
        .early_window(Nanos::new(wish.early_window_ns));
    if wish.eco != 0 {
        sleeper = sleeper.eco();
    }
    if wish.leave_slack != 0 { sleeper.leave_slack() } else { sleeper }
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

/// Sleeps for so many nanoseconds, precisely. Zero or less: returns at once.
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
        let lateness = lock(&sleeper.0).sleep_until(Nanos::new(deadline));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// What the sleeper achieved so far. Waits while another thread sleeps on it.
///
/// # Safety
/// `sleeper` is null or a living sleeper; `achieved` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_achieved(sleeper: *const Sleeper, achieved: *mut Achieved) -> c_int {
    // SAFETY: null or living, as promised to this function.
    let Some(sleeper) = (unsafe { sleeper.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        let so_far = lock(&sleeper.0).achieved();
        let told = Achieved {
            sleeps: so_far.sleeps(),
            overdue: so_far.overdue(),
            on_time: so_far.on_time().unwrap_or(f64::NAN),
            spun_share: so_far.spun_share().unwrap_or(f64::NAN),
            worst_ns: so_far.worst().nanos().get(),
        };
        // SAFETY: as promised to this function.
        unsafe { give(achieved, told) };
        Status::Ok
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A C program may leave any byte there.
    #[test]
    fn every_byte_but_zero_is_true() {
        let made = |eco, leave_slack| format!("{:?}", of(Wish { eco, leave_slack, ..oversleep_wish_default() }));
        let plain = || oversleep::Sleeper::new().on_time(0.99);
        assert_eq!(made(0, 0), format!("{:?}", plain()));
        for byte in [1, 2, 128, 255] {
            assert_eq!(made(byte, 0), format!("{:?}", plain().eco()), "{byte}");
            assert_eq!(made(0, byte), format!("{:?}", plain().leave_slack()), "{byte}");
        }
    }

    #[test]
    fn not_a_number_is_the_default() {
        let wish = Wish { on_time: f64::NAN, cpu_ceiling: f64::NAN, ..oversleep_wish_default() };
        assert_eq!(format!("{:?}", of(wish)), format!("{:?}", of(oversleep_wish_default())));
    }
}
