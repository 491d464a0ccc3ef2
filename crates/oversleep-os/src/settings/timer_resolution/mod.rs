//! Windows' timer resolution: how often the system checks its timers.
//!
//! Since Windows 10 version 2004 a process that requested none gets the usual 15.6 ms whatever others request; the
//! value read here is still that of the whole system. Windows 11 may take a resolution away from a process whose
//! windows are hidden ([`throttling`](super::throttling)).

#[cfg(windows)]
mod windows;

#[cfg(windows)]
use windows as here;

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_recording::machine::TimerResolution;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

#[cfg(not(windows))]
mod here {
    use super::{Guard, Nanos, Refusal, TimerResolution};

    fn refused<T>() -> Result<T, Refusal> {
        Err(Refusal::Unavailable("a timer resolution that programs ask for is a thing of Windows".into()))
    }

    pub(super) fn read() -> Result<TimerResolution, Refusal> {
        refused()
    }

    pub(super) fn apply(_asked: Nanos) -> Result<Guard<Nanos>, Refusal> {
        refused()
    }
}

/// The condition `timer_resolution`.
pub(super) const SETTING: Setting =
    Setting::new("timer_resolution", |value| condition::apply(value, apply), || read().map(|now| now.in_force.value()));

/// Returns the resolutions that this system has, and the one in force.
pub fn read() -> Result<TimerResolution, Refusal> {
    here::read()
}

/// Requests a resolution until the guard is dropped; [`Guard::obtained`] returns the value in force afterwards.
///
/// Whole milliseconds are requested with `timeBeginPeriod`, anything else with `NtSetTimerResolution`, in steps of 100
/// ns rounded up. The finest resolution that any process requests is in force, so a coarser one may not be possible.
///
/// # Errors
/// [`Refusal::Unavailable`] for a resolution that this system cannot have, and on systems without timer resolutions.
pub fn apply(asked: Nanos) -> Result<Guard<Nanos>, Refusal> {
    here::apply(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_force_is_one_of_those_there_are_and_asking_twice_is_allowed() {
        let here = match read() {
            Ok(here) => here,
            Err(refusal) => {
                assert_eq!(apply(Nanos::MILLISECOND).unwrap_err().kind(), refusal.kind());
                return println!("skipped: {refusal}");
            }
        };
        let within = |time: Nanos| here.finest <= time && time <= here.coarsest;
        assert!(within(here.in_force), "{here:?}");
        let outer = apply(Nanos::MILLISECOND).expect("every Windows has 1 ms");
        let inner = apply(Nanos::from_millis(2)).expect("and 2 ms");
        assert!(within(outer.obtained()) && within(inner.obtained()));
        drop(inner);
        drop(outer);
        assert!(within(read().expect("as before").in_force));
        assert!(apply(Nanos::SECOND).is_err() && apply(Nanos::ZERO).is_err());
    }
}
