//! A limit on how long a real-time thread may run without sleeping.

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
use linux as here;

use super::Guard;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

#[cfg(not(target_os = "linux"))]
unsupported!(Option<Nanos>, Option<Nanos>, "RLIMIT_RTTIME exists on Linux only");

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
    let before = read()?;
    let strictest = before.map_or(limit, |before| before.min(limit));
    here::set(Some(strictest))?;
    Guard::new(read(), move || {
        // Raising a soft limit to what it was cannot be denied: the hard limit was not touched.
        let _ = here::set(before);
    })
}
