//! `pthread_setschedparam`, on systems that have nothing better: `other`, `fifo` and `rr`.

use super::range;
use crate::settings::Guard;
use oversleep_recording::plan::Policy;
use oversleep_sys::Refusal;
use std::io;

type Raw = (libc::c_int, libc::sched_param);

/// Checks the priority. A policy that the system lacks is refused when it is applied.
pub(super) fn check(asked: Policy) -> Result<(), Refusal> {
    match asked {
        Policy::Fifo { priority } => range::check("fifo", libc::SCHED_FIFO, priority),
        Policy::Rr { priority } => range::check("rr", libc::SCHED_RR, priority),
        Policy::Other | Policy::Batch | Policy::Idle | Policy::Deadline { .. } => Ok(()),
    }
}

pub(super) fn read() -> Result<Policy, Refusal> {
    let (policy, parameters) = get()?;
    let priority = parameters.sched_priority;
    match policy {
        libc::SCHED_OTHER => Ok(Policy::Other),
        libc::SCHED_FIFO => Ok(Policy::Fifo { priority }),
        libc::SCHED_RR => Ok(Policy::Rr { priority }),
        other => Err(Refusal::Unavailable(format!("this thread is under policy {other}, which has no name here"))),
    }
}

pub(super) fn apply(asked: Policy) -> Result<Guard<Policy>, Refusal> {
    let before = get()?;
    set(raw(asked)?).map_err(|error| explain(asked, &error))?;
    Guard::new(read(), move || {
        // It was in force when the guard was made; a refusal now could not be reported to anyone.
        let _ = set(before);
    })
}

pub(super) fn enter(asked: Policy) -> Result<Policy, Refusal> {
    apply(asked).map(Guard::keep)
}

fn raw(asked: Policy) -> Result<Raw, Refusal> {
    let of = |name, policy, priority| {
        range::check(name, policy, priority)?;
        let (_, mut parameters) = get()?;
        parameters.sched_priority = priority;
        Ok((policy, parameters))
    };
    match asked {
        Policy::Fifo { priority } => of("fifo", libc::SCHED_FIFO, priority),
        Policy::Rr { priority } => of("rr", libc::SCHED_RR, priority),
        Policy::Other => {
            let (_, mut parameters) = get()?;
            parameters.sched_priority = range::range(libc::SCHED_OTHER).map_or(0, |range| *range.start());
            Ok((libc::SCHED_OTHER, parameters))
        }
        Policy::Batch | Policy::Idle | Policy::Deadline { .. } => {
            Err(Refusal::Unavailable(format!("the policy '{asked}' does not exist on this system")))
        }
    }
}

fn get() -> Result<Raw, Refusal> {
    // SAFETY: an all-zero parameter block is a valid one.
    let mut parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    let mut policy = 0;
    // SAFETY: takes nothing; returns the calling thread.
    let me = unsafe { libc::pthread_self() };
    // SAFETY: the thread is alive (it is this one) and both results outlive the call.
    let error = unsafe { libc::pthread_getschedparam(me, &raw mut policy, &raw mut parameters) };
    if error == 0 {
        return Ok((policy, parameters));
    }
    Err(Refusal::from_os("pthread_getschedparam", &io::Error::from_raw_os_error(error)))
}

fn set((policy, parameters): Raw) -> io::Result<()> {
    // SAFETY: takes nothing; returns the calling thread.
    let me = unsafe { libc::pthread_self() };
    // SAFETY: the thread is alive (it is this one) and the parameters outlive the call.
    let error = unsafe { libc::pthread_setschedparam(me, policy, &raw const parameters) };
    if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
}

fn explain(asked: Policy, error: &io::Error) -> Refusal {
    match error.raw_os_error() {
        Some(libc::EPERM) => Refusal::Forbidden(format!("the policy '{asked}' needs root here")),
        _ => Refusal::from_os(&format!("the policy '{asked}'"), error),
    }
}
