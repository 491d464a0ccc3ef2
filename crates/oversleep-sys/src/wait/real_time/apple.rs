//! Apple's systems: POSIX policies, and Mach's time constraint (`<mach/thread_policy.h>`).

#[path = "posix.rs"]
mod posix;

use crate::mach;
use crate::units::Nanos;
use libc::thread_time_constraint_policy_data_t as Constraint;

const FLAVOR: libc::thread_policy_flavor_t = libc::THREAD_TIME_CONSTRAINT_POLICY as libc::thread_policy_flavor_t;

pub(super) fn is_real_time() -> bool {
    constraint().is_some() || posix::is_real_time()
}

/// Returns the computation time per period: a thread that computes for longer loses the constraint.
pub(super) fn budget() -> Option<Nanos> {
    constraint().map(|constraint| mach::nanos(constraint.computation))
}

/// Returns the thread's constraint; `None` if it has none (the kernel then returns its default).
fn constraint() -> Option<Constraint> {
    // SAFETY: takes nothing.
    let me = unsafe { libc::pthread_self() };
    // SAFETY: the thread is alive: it is this one. Its port belongs to it and is not released.
    let port = unsafe { libc::pthread_mach_thread_np(me) };
    let mut info = Constraint { period: 0, computation: 0, constraint: 0, preemptible: 0 };
    let (mut count, mut default) = (libc::THREAD_TIME_CONSTRAINT_POLICY_COUNT, 0);
    let values = (&raw mut info).cast();
    // SAFETY: the structure has `count` integers; the call writes it, the count, and whether it is the default.
    let answer = unsafe { libc::thread_policy_get(port, FLAVOR, values, &raw mut count, (&raw mut default).cast()) };
    (answer == mach::SUCCESS && default == 0).then_some(info)
}
