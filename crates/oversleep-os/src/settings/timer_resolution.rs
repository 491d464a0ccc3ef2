//! Windows' timer resolution: how often the system checks its timers.
//!
//! Since Windows 10 version 2004 a process that requested none gets the usual 15.6 ms whatever others request; the
//! value read here is still that of the whole system. Windows 11 may take a resolution away from a process whose
//! windows are hidden ([`throttling`](super::throttling)).

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_recording::machine::TimerResolution;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

#[cfg(not(windows))]
unsupported!("a timer resolution that programs ask for is a thing of Windows":
    read() -> TimerResolution, apply(Nanos) -> Guard<Nanos>);

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

/// `timeBeginPeriod`, `NtSetTimerResolution`, `NtQueryTimerResolution`.
#[cfg(windows)]
mod here {
    use super::Guard;
    use crate::procedure::procedure;
    use oversleep_recording::machine::TimerResolution;
    use oversleep_sys::Refusal;
    use oversleep_sys::units::Nanos;
    use windows_sys::Wdk::System::SystemInformation::NtQueryTimerResolution;
    use windows_sys::Win32::Media::{timeBeginPeriod, timeEndPeriod};

    /// Returns the resolutions; the call counts all three in 100 ns.
    pub(super) fn read() -> Result<TimerResolution, Refusal> {
        let (mut coarsest, mut finest, mut in_force) = (0, 0, 0);
        // SAFETY: the call writes the three numbers.
        let status = unsafe { NtQueryTimerResolution(&raw mut coarsest, &raw mut finest, &raw mut in_force) };
        if status < 0 {
            return Err(refused("NtQueryTimerResolution", status));
        }
        let [coarsest, finest, in_force] =
            [coarsest, finest, in_force].map(|steps: u32| Nanos::new(i64::from(steps) * 100));
        Ok(TimerResolution { coarsest, finest, in_force })
    }

    pub(super) fn apply(asked: Nanos) -> Result<Guard<Nanos>, Refusal> {
        let steps = steps(asked, &read()?)?;
        let obtained = || read().map(|resolution| resolution.in_force);
        if steps % PER_MILLISECOND == 0 {
            let ms = steps / PER_MILLISECOND;
            // SAFETY: takes a number.
            if unsafe { timeBeginPeriod(ms) } != 0 {
                return Err(Refusal::Unavailable(format!("timeBeginPeriod takes no {ms} ms here")));
            }
            return Guard::new(obtained(), move || {
                // SAFETY: takes a number; ends the request made above.
                unsafe { timeEndPeriod(ms) };
            });
        }
        let set = looked_up()?;
        request(set, steps, true)?;
        Guard::new(obtained(), move || {
            // It was in force when the guard was made; a refusal now could not be reported to anyone.
            let _ = request(set, steps, false);
        })
    }

    const PER_MILLISECOND: u32 = 10_000;

    /// Returns the resolution in 100 ns, rounded up, if this system supports it.
    fn steps(asked: Nanos, here: &TimerResolution) -> Result<u32, Refusal> {
        let steps = asked.max(Nanos::ZERO).ceil_to(Nanos::new(100));
        // 1 ms is passed as such where the clock's own step is 0.9766 ms, and 15.625 ms as 16 ms.
        if steps < here.finest || steps > here.coarsest.ceil_to(Nanos::MILLISECOND) {
            let (finest, coarsest) = (here.finest, here.coarsest);
            return Err(Refusal::Unavailable(format!(
                "timer resolutions here are {finest} to {coarsest}, not {asked}"
            )));
        }
        u32::try_from(steps.get() / 100).map_err(|_| Refusal::Unavailable(format!("{asked} is not a timer resolution")))
    }

    /// `NTSTATUS NtSetTimerResolution(ULONG DesiredTime, BOOLEAN SetResolution, PULONG ActualTime)`, in 100 ns.
    type SetTimerResolution = unsafe extern "system" fn(u32, u8, *mut u32) -> i32;

    fn looked_up() -> Result<SetTimerResolution, Refusal> {
        let call = procedure(c"ntdll.dll", c"NtSetTimerResolution")
            .ok_or_else(|| Refusal::Unavailable("this system has no NtSetTimerResolution".to_owned()))?;
        // SAFETY: it has this signature (Wine's winternl.h, ReactOS' exfuncs.h).
        Ok(unsafe { std::mem::transmute::<unsafe extern "system" fn() -> isize, SetTimerResolution>(call) })
    }

    /// Requests a resolution, or withdraws the process's request.
    fn request(call: SetTimerResolution, steps: u32, set: bool) -> Result<(), Refusal> {
        let mut actual = 0;
        // SAFETY: the call writes the number.
        let status = unsafe { call(steps, u8::from(set), &raw mut actual) };
        if status < 0 { Err(refused("NtSetTimerResolution", status)) } else { Ok(()) }
    }

    fn refused(call: &str, status: i32) -> Refusal {
        match u32::from_ne_bytes(status.to_ne_bytes()) {
            0xC000_0002 => Refusal::Unavailable(format!("{call} is not implemented here")), // STATUS_NOT_IMPLEMENTED
            0xC000_0022 => Refusal::Forbidden(format!("{call}: access denied")),            // STATUS_ACCESS_DENIED
            status => Refusal::Failed(format!("{call} answered {status:#010x}")),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_resolution_is_one_of_the_systems() {
            let ms = Nanos::from_millis;
            let here =
                TimerResolution { coarsest: Nanos::new(15_625_000), finest: Nanos::new(500_000), in_force: ms(1) };
            assert_eq!(steps(ms(1), &here), Ok(10_000));
            assert_eq!(steps(Nanos::new(506_001), &here), Ok(5_061));
            assert_eq!(steps(Nanos::new(15_625_000), &here), Ok(156_250));
            assert!(steps(Nanos::new(499_900), &here).is_err());
            assert!(steps(ms(17), &here).is_err());
            assert!(steps(Nanos::MAX, &here).is_err());
            assert!(steps(Nanos::MIN, &here).is_err());
        }
    }
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
