//! `RLIMIT_RTTIME`.

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
