//! macOS: POSIX policies, and Mach's time constraint as the policy `deadline`.
//!
//! A thread under a time constraint has no timer coalescing. It tells the kernel its period, its computation time per
//! period (the runtime), and by when that must be done (the deadline), all in ticks of `mach_timebase_info`
//! (`<mach/thread_policy.h>`). A thread that computes for longer loses the constraint.

use super::posix;
use crate::mach;
use crate::settings::Guard;
use libc::thread_time_constraint_policy_data_t as Constraint;
use oversleep_recording::plan::Policy;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

pub(super) use super::posix::check;

pub(super) fn read() -> Result<Policy, Refusal> {
    match constraint()? {
        Some(constraint) => Ok(Policy::Deadline {
            runtime: mach::nanos(constraint.computation),
            deadline: mach::nanos(constraint.constraint),
            period: mach::nanos(constraint.period),
        }),
        None => posix::read(),
    }
}

pub(super) fn apply(asked: Policy) -> Result<Guard<Policy>, Refusal> {
    let Policy::Deadline { runtime, deadline, period } = asked else { return posix::apply(asked) };
    let before = constraint()?;
    set(&Constraint {
        period: ticks(period)?,
        computation: ticks(runtime)?,
        constraint: ticks(deadline)?,
        preemptible: 1,
    })?;
    Guard::new(read(), move || match before {
        // It was in force when the guard was made; a refusal now could not be reported to anyone.
        Some(before) => drop(set(&before)),
        None => drop(unset()),
    })
}

pub(super) fn enter(asked: Policy) -> Result<Policy, Refusal> {
    match asked {
        Policy::Deadline { .. } => apply(asked).map(Guard::keep),
        _ => posix::enter(asked),
    }
}

/// Returns the calling thread's port, which the thread owns: it need not be released, unlike `mach_thread_self`'s.
fn this_thread() -> libc::mach_port_t {
    // SAFETY: takes nothing.
    let me = unsafe { libc::pthread_self() };
    // SAFETY: the thread is alive: it is this one.
    unsafe { libc::pthread_mach_thread_np(me) }
}

const FLAVOR: libc::thread_policy_flavor_t = libc::THREAD_TIME_CONSTRAINT_POLICY as libc::thread_policy_flavor_t;
const STANDARD: libc::thread_policy_flavor_t = libc::THREAD_STANDARD_POLICY as libc::thread_policy_flavor_t;

/// Returns the thread's constraint; `None` if it has none (the kernel then returns its default).
fn constraint() -> Result<Option<Constraint>, Refusal> {
    let mut info = Constraint { period: 0, computation: 0, constraint: 0, preemptible: 0 };
    let (mut count, mut default) = (libc::THREAD_TIME_CONSTRAINT_POLICY_COUNT, 0);
    // SAFETY: the structure has `count` integers; the call writes it, the count, and whether it is the default.
    let answer = unsafe {
        libc::thread_policy_get(
            this_thread(),
            FLAVOR,
            (&raw mut info).cast(),
            &raw mut count,
            (&raw mut default).cast(),
        )
    };
    match answer {
        mach::SUCCESS => Ok((default == 0).then_some(info)),
        error => Err(mach::refused("thread_policy_get", error)),
    }
}

fn set(constraint: &Constraint) -> Result<(), Refusal> {
    let info = std::ptr::from_ref(constraint).cast_mut().cast();
    // SAFETY: the structure has as many integers as stated; the call only reads it.
    let answer =
        unsafe { libc::thread_policy_set(this_thread(), FLAVOR, info, libc::THREAD_TIME_CONSTRAINT_POLICY_COUNT) };
    if answer == mach::SUCCESS { Ok(()) } else { Err(mach::refused("thread_policy_set", answer)) }
}

/// Returns the thread to time-sharing: this policy has no parameters.
fn unset() -> Result<(), Refusal> {
    // SAFETY: there are no parameters, as the count says.
    let answer = unsafe { libc::thread_policy_set(this_thread(), STANDARD, std::ptr::null_mut(), 0) };
    if answer == mach::SUCCESS { Ok(()) } else { Err(mach::refused("thread_policy_set", answer)) }
}

fn ticks(time: Nanos) -> Result<u32, Refusal> {
    u32::try_from(mach::to_ticks(time))
        .map_err(|_| Refusal::Unavailable(format!("a time constraint counts 32 bits of ticks; {time} is too long")))
}
