//! A limit on how long a real-time thread may run without sleeping.

use super::Guard;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

#[cfg(not(target_os = "linux"))]
unsupported!("RLIMIT_RTTIME exists on Linux only": read() -> Option<Nanos>, set(Option<Nanos>) -> ());

/// Explanation of the limit for users that reach it.
pub const EXPLANATION: &str = "a real-time thread of this process that runs longer than this without sleeping gets \
    SIGXCPU, which ends the process (RLIMIT_RTTIME, soft limit; the process's own, gone with it)";

/// Returns the limit in force; `None` if there is none.
pub fn read() -> Result<Option<Nanos>, Refusal> {
    here::read()
}

/// Limits how long any FIFO or RR thread of this process may run without a blocking call, until the guard is dropped.
///
/// The limit counts whole microseconds and the kernel checks it at its tick; time after `sched_yield`
/// also counts. Reaching it sends `SIGXCPU` (`setrlimit(2)`, Linux 2.6.25). A stricter limit is kept.
/// Deadline threads need none: their budget is their limit.
pub fn limit_realtime(limit: Nanos) -> Result<Guard<Option<Nanos>>, Refusal> {
    if limit < Nanos::MICROSECOND {
        return Err(Refusal::Unavailable(format!("a limit of {limit} would be reached at once; the least is 1 µs")));
    }
    // Raising a soft limit to what it was cannot be denied: the hard limit is not touched.
    Guard::set(Some(read()?.map_or(limit, |before| before.min(limit))), read, here::set)
}

/// `RLIMIT_RTTIME`.
#[cfg(target_os = "linux")]
mod here {
    use oversleep_sys::Refusal;
    use oversleep_sys::units::Nanos;

    pub(super) fn read() -> Result<Option<Nanos>, Refusal> {
        let limit = get()?;
        if limit.rlim_cur == libc::RLIM_INFINITY {
            return Ok(None);
        }
        let us = i64::try_from(limit.rlim_cur).unwrap_or(i64::MAX);
        Ok(Some(Nanos::MICROSECOND.checked_mul(us).unwrap_or(Nanos::MAX)))
    }

    /// Sets the soft limit; the hard one is unchanged, so that the soft one can be raised again.
    pub(super) fn set(limit: Option<Nanos>) -> Result<(), Refusal> {
        let mut wanted = get()?;
        let us = limit.map(|limit| limit.get() / 1_000);
        wanted.rlim_cur = us.and_then(|us| us.try_into().ok()).unwrap_or(libc::RLIM_INFINITY).min(wanted.rlim_max);
        // SAFETY: the kernel reads the structure.
        let answer = unsafe { libc::setrlimit(libc::RLIMIT_RTTIME, &raw const wanted) };
        if answer == 0 { Ok(()) } else { Err(Refusal::last_os("setrlimit(RLIMIT_RTTIME)")) }
    }

    fn get() -> Result<libc::rlimit, Refusal> {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the kernel writes the structure if it returns 0.
        let answer = unsafe { libc::getrlimit(libc::RLIMIT_RTTIME, &raw mut limit) };
        if answer == 0 { Ok(limit) } else { Err(Refusal::last_os("getrlimit(RLIMIT_RTTIME)")) }
    }
}
