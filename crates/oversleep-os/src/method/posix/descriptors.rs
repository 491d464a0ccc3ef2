//! Waits for descriptors, of which there are none: `select`, `pselect`, `poll` and `ppoll`.

#[cfg(has = "ppoll")]
use super::probe::probed;
use super::{span, woken_by_count};
use crate::method::{MethodEntry, Request, call};
use crate::requests::{milliseconds, timeval};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::ptr;

/// The portable sub-second sleep of the 1980s, in microseconds.
pub(super) const SELECT: MethodEntry = MethodEntry::new(MethodId::Select, || {
    let time = |request: Request| timeval(request.duration(TimerClock::Monotonic));
    Ok(Box::new(call(time, |request| {
        // Linux writes back the remaining time, so the call gets a copy and the request stays prepared.
        let mut timeout = *request;
        // SAFETY: no sets are given; the timeout is ours and outlives the call.
        let answer = unsafe { libc::select(0, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), &raw mut timeout) };
        woken_by_count(answer)
    })))
});

pub(super) const PSELECT: MethodEntry = MethodEntry::new(MethodId::Pselect, || {
    Ok(Box::new(call(span, |request| {
        // SAFETY: no sets and no mask are given; the timeout outlives the call and is only read.
        let answer =
            unsafe { libc::pselect(0, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), request, ptr::null()) };
        woken_by_count(answer)
    })))
});

pub(super) const POLL: MethodEntry = MethodEntry::new(MethodId::Poll, || {
    let time = |request: Request| milliseconds(request.duration(TimerClock::Monotonic));
    Ok(Box::new(call(time, |milliseconds| {
        // SAFETY: no descriptors are given, so the null array is not read.
        woken_by_count(unsafe { libc::poll(ptr::null_mut(), 0, *milliseconds) })
    })))
});

#[cfg(has = "ppoll")]
pub(super) const PPOLL: MethodEntry = MethodEntry::new(MethodId::Ppoll, || {
    let waiter = call(span, |request| {
        // SAFETY: no descriptors and no mask are given; the timeout outlives the call and is only read.
        woken_by_count(unsafe { libc::ppoll(ptr::null_mut(), 0, request, ptr::null()) })
    });
    probed("ppoll", waiter)
});
