//! `sched_setattr` and `sched_getattr` (Linux 3.14), which support every policy.

use super::range;
use crate::settings::{Guard, privilege, timer_slack};
use oversleep_recording::plan::Policy;
use oversleep_sys::Refusal;
use oversleep_sys::sched_attr::{self, SCHED_DEADLINE, SchedAttr};
use oversleep_sys::units::Nanos;
use std::io;

/// The only flag that is a state of the thread rather than a command (`SCHED_FLAG_RESET_ON_FORK`).
const RESET_ON_FORK: u64 = 1;
const OTHER: u32 = libc::SCHED_OTHER as u32;
const BATCH: u32 = libc::SCHED_BATCH as u32;
const IDLE: u32 = libc::SCHED_IDLE as u32;
const FIFO: u32 = libc::SCHED_FIFO as u32;
const RR: u32 = libc::SCHED_RR as u32;
const DEADLINE: u32 = SCHED_DEADLINE;

pub(super) fn check(asked: Policy) -> Result<(), Refusal> {
    attributes(asked, &SchedAttr::default())?;
    match asked {
        Policy::Deadline { period, .. } => check_period(period, limit("min"), limit("max")),
        _ => Ok(()),
    }
}

/// Returns the least (`min`) or greatest (`max`) period of a deadline policy, where the kernel tells it (since 5.8).
fn limit(end: &str) -> Option<Nanos> {
    let text = std::fs::read_to_string(format!("/proc/sys/kernel/sched_deadline_period_{end}_us")).ok()?;
    text.trim().parse().ok().map(Nanos::from_micros)
}

fn check_period(period: Nanos, least: Option<Nanos>, most: Option<Nanos>) -> Result<(), Refusal> {
    match (least, most) {
        (Some(least), Some(most)) if period < least || period > most => Err(Refusal::Unavailable(format!(
            "a period of {period:#} is out of range: a deadline policy takes {least:#} to {most:#} here"
        ))),
        _ => Ok(()),
    }
}

pub(super) fn read() -> Result<Policy, Refusal> {
    get().and_then(|attributes| named(&attributes))
}

pub(super) fn apply(asked: Policy) -> Result<Guard<Policy>, Refusal> {
    let before = get()?;
    let wanted = attributes(asked, &before)?;
    if asked == Policy::Idle && before.policy != IDLE {
        // Leaving SCHED_IDLE needs the right to set the thread's own niceness (`user_check_sched_setscheduler`).
        let there_and_back = privilege::on_another_thread(move || set(&wanted).is_err() || set(&before).is_ok());
        if !there_and_back {
            return Err(Refusal::Forbidden(
                "a thread under the policy 'idle' could not leave it again: that needs CAP_SYS_NICE (root) or RLIMIT_NICE of 20 or more (`ulimit -e`)".into(),
            ));
        }
    }
    let slack = timer_slack::read().ok();
    set(&wanted).map_err(|error| explain(asked, &error))?;
    Guard::new(read(), move || put_back(&before, slack))
}

pub(super) fn enter(asked: Policy) -> Result<Policy, Refusal> {
    set(&attributes(asked, &get()?)?).map_err(|error| explain(asked, &error))?;
    read()
}

/// Restores the previous policy and slack. Since 6.13 entering a real-time policy clears the timer slack and leaving it
/// sets the thread's default, so the previous slack has to be set again (kernel/sched/syscalls.c,
/// `__setscheduler_params`).
fn put_back(before: &SchedAttr, slack: Option<Nanos>) {
    // It was in force when the guard was made; a refusal now could not be reported to anyone.
    let _ = set(before);
    if let Some(slack) = slack.filter(|slack| *slack > Nanos::ZERO) {
        let _ = oversleep_sys::timer_slack::set(slack);
    }
}

fn attributes(asked: Policy, before: &SchedAttr) -> Result<SchedAttr, Refusal> {
    let fair = |policy| {
        // Under a fair policy `runtime` is the thread's own time slice since 6.12; it is kept.
        let runtime = if is_fair(before.policy) { before.runtime } else { 0 };
        SchedAttr { policy, nice: super::super::nice::read_raw(), runtime, ..blank(before) }
    };
    let real_time = |name, policy: u32, priority| {
        range::check(name, policy as i32, priority)?;
        Ok(SchedAttr { policy, priority: priority.unsigned_abs(), ..blank(before) })
    };
    match asked {
        Policy::Other => Ok(fair(OTHER)),
        Policy::Batch => Ok(fair(BATCH)),
        Policy::Idle => Ok(fair(IDLE)),
        Policy::Fifo { priority } => real_time("fifo", FIFO, priority),
        Policy::Rr { priority } => real_time("rr", RR, priority),
        Policy::Deadline { runtime, deadline, period } => {
            let [runtime, deadline, period] = budget(runtime, deadline, period)?;
            Ok(SchedAttr { policy: DEADLINE, runtime, deadline, period, ..blank(before) })
        }
    }
}

fn blank(before: &SchedAttr) -> SchedAttr {
    SchedAttr { flags: before.flags & RESET_ON_FORK, ..SchedAttr::default() }
}

fn is_fair(policy: u32) -> bool {
    matches!(policy, OTHER | BATCH | IDLE)
}

/// Checks the kernel's own rule, to describe a violation: 1024 ns ≤ runtime ≤ deadline ≤ period (`__checkparam_dl`).
fn budget(runtime: Nanos, deadline: Nanos, period: Nanos) -> Result<[u64; 3], Refusal> {
    if runtime < Nanos::new(1024) || runtime > deadline || deadline > period {
        return Err(Refusal::Unavailable(format!(
            "a deadline policy needs 1.024 µs ≤ runtime ≤ deadline ≤ period, not {runtime:#}, {deadline:#}, {period:#}"
        )));
    }
    Ok([runtime, deadline, period].map(|time| time.get().unsigned_abs()))
}

fn named(attributes: &SchedAttr) -> Result<Policy, Refusal> {
    let priority = attributes.priority as i32;
    let nanos = |ns: u64| Nanos::new(i64::try_from(ns).unwrap_or(i64::MAX));
    match attributes.policy {
        OTHER => Ok(Policy::Other),
        BATCH => Ok(Policy::Batch),
        IDLE => Ok(Policy::Idle),
        FIFO => Ok(Policy::Fifo { priority }),
        RR => Ok(Policy::Rr { priority }),
        DEADLINE => Ok(Policy::Deadline {
            runtime: nanos(attributes.runtime),
            deadline: nanos(attributes.deadline),
            period: nanos(attributes.period),
        }),
        other => Err(Refusal::Unavailable(format!("this thread is under policy {other}, which has no name here"))),
    }
}

fn get() -> Result<SchedAttr, Refusal> {
    sched_attr::get().map_err(|error| Refusal::from_os("sched_getattr", &error))
}

fn set(attributes: &SchedAttr) -> io::Result<()> {
    sched_attr::set(&SchedAttr { flags: attributes.flags & RESET_ON_FORK, ..*attributes })
}

fn explain(asked: Policy, error: &io::Error) -> Refusal {
    match (asked, error.raw_os_error()) {
        (Policy::Fifo { priority } | Policy::Rr { priority }, Some(libc::EPERM)) => {
            Refusal::Forbidden(privilege::real_time_reason(asked, priority))
        }
        (Policy::Deadline { .. }, Some(libc::EPERM)) => Refusal::Forbidden(
            "a deadline policy needs CAP_SYS_NICE (root) and a thread that may run on every processor".into(),
        ),
        (Policy::Deadline { .. }, Some(libc::EBUSY)) => {
            Refusal::Failed(format!("'{asked}' asks for more processor time than is left for deadline threads"))
        }
        (Policy::Deadline { .. }, Some(libc::EINVAL)) => Refusal::Unavailable(format!(
            "'{asked}': the kernel takes periods of kernel.sched_deadline_period_min_us (100) to _max_us (4194304) only"
        )),
        (_, Some(libc::EPERM)) => {
            Refusal::Forbidden(format!("the policy '{asked}' needs CAP_SYS_NICE (root) from where this thread is"))
        }
        _ => Refusal::from_os(&format!("the policy '{asked}'"), error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_beyond_the_kernels_are_refused() {
        let (least, most) = (Some(Nanos::from_micros(100)), Some(Nanos::from_micros(4_194_304)));
        let checked =
            |ns: i64| check_period(Nanos::new(ns), least, most).map_err(|refusal| refusal.reason().to_owned());
        assert_eq!((checked(100_000), checked(4_194_304_000)), (Ok(()), Ok(())));
        let why = "a period of 99.999 µs is out of range: a deadline policy takes 100 µs to 4.194304 s here";
        assert_eq!(checked(99_999), Err(why.to_owned()));
        assert!(checked(10_000_000_000).is_err());
        assert_eq!(check_period(Nanos::new(1), None, most), Ok(()));
    }
}
