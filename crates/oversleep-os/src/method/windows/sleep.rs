//! `Sleep`, `SleepEx`, `Sleep(0)`, which only yields, `NtDelayExecution`, which is under them, and `SwitchToThread`.

use super::{milliseconds, steps};
use crate::method::{MethodEntry, Request, Woken, call};
use crate::procedure::procedure;
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use std::ptr;
use windows_sys::Win32::System::Threading::{Sleep, SleepEx, SwitchToThread as switch_to_thread};

/// A wait that no call queued to the thread ends. The call returns nothing.
pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::Sleep, || {
    Ok(Box::new(call(milliseconds, |ms| {
        // SAFETY: takes a number.
        unsafe { Sleep(*ms) };
        Woken::TimedOut
    })))
});

/// The call returns 0 at the end of its time, and `WAIT_IO_COMPLETION` if an asynchronous call came before.
pub(super) const EX: MethodEntry = MethodEntry::new(MethodId::SleepEx, || {
    Ok(Box::new(call(milliseconds, |ms| {
        // SAFETY: takes numbers.
        match unsafe { SleepEx(*ms, 1) } {
            0 => Woken::TimedOut,
            _ => Woken::Interrupted,
        }
    })))
});

pub(super) const ZERO: MethodEntry = MethodEntry::new(MethodId::SleepZero, || {
    Ok(Box::new(call(drop, |()| {
        // SAFETY: takes a number.
        unsafe { Sleep(0) };
        Woken::TimedOut
    })))
});

/// Lets another thread run, if one is ready. Ignores whether there was one: either way the call has ended.
pub(super) const SWITCH: MethodEntry = MethodEntry::new(MethodId::SwitchToThread, || {
    Ok(Box::new(call(drop, |()| {
        // SAFETY: takes nothing.
        unsafe { switch_to_thread() };
        Woken::TimedOut
    })))
});

/// `NTSTATUS NtDelayExecution(BOOLEAN Alertable, PLARGE_INTEGER DelayInterval)`: negative means a duration.
type DelayExecution = unsafe extern "system" fn(u8, *const i64) -> i32;

/// ntstatus.h: 0x40000024, an informational status.
const STATUS_NO_YIELD_PERFORMED: i32 = 0x4000_0024;

/// The system call under `Sleep`, in steps of 100 ns. At the end of its time it returns `STATUS_SUCCESS`, or
/// `STATUS_NO_YIELD_PERFORMED` for a time of zero.
pub(super) const NT: MethodEntry = MethodEntry::new(MethodId::NtDelayExecution, || {
    let delay = procedure(c"ntdll.dll", c"NtDelayExecution")
        .ok_or_else(|| Refusal::Unavailable("this system has no NtDelayExecution".to_owned()))?;
    // SAFETY: the call has this signature in every Windows since NT 3.1 (ntifs.h of ReactOS and Wine's winternl.h
    // say so).
    let delay = unsafe { std::mem::transmute::<unsafe extern "system" fn() -> isize, DelayExecution>(delay) };
    let interval = |request: Request| -steps(request.duration(TimerClock::Tick));
    Ok(Box::new(call(interval, move |interval| {
        // SAFETY: not alertable; the interval outlives the call, which only reads it.
        match unsafe { delay(0, ptr::from_ref(interval)) } {
            0 | STATUS_NO_YIELD_PERFORMED => Woken::TimedOut,
            status if status > 0 => Woken::Interrupted,
            status => Woken::Failed(status),
        }
    })))
});
