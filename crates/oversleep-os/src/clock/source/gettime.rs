//! Clocks read by `clock_gettime`.

use crate::clock::entry::{Clock, nanoseconds};
use oversleep_sys::Refusal;
use oversleep_sys::clock::unix::resolution;
use oversleep_sys::units::{Hertz, Nanos};
use std::mem::MaybeUninit;

/// The clock with this ID.
pub(super) struct Gettime<const ID: libc::clockid_t>;

impl<const ID: libc::clockid_t> Clock for Gettime<ID> {
    #[inline]
    fn read() -> i64 {
        let mut time = MaybeUninit::<libc::timespec>::uninit();
        // SAFETY: the kernel writes the whole structure; `rate` found that the clock exists.
        unsafe { libc::clock_gettime(ID, time.as_mut_ptr()) };
        // SAFETY: written by the call above.
        nanos(unsafe { time.assume_init() })
    }

    fn rate() -> Result<Hertz, Refusal> {
        let mut time = MaybeUninit::<libc::timespec>::uninit();
        // SAFETY: the kernel writes the structure or returns an error.
        if unsafe { libc::clock_gettime(ID, time.as_mut_ptr()) } == 0 {
            nanoseconds()
        } else {
            Err(refusal(&std::io::Error::last_os_error()))
        }
    }

    fn claimed() -> Option<Nanos> {
        resolution(ID)
    }
}

#[inline]
pub(super) fn nanos(time: libc::timespec) -> i64 {
    i64::from(time.tv_sec) * 1_000_000_000 + i64::from(time.tv_nsec)
}

/// Returns the error of a failed call. A kernel that lacks the clock returns `EINVAL` (`clock_gettime(2)`).
fn refusal(error: &std::io::Error) -> Refusal {
    if error.raw_os_error() == Some(libc::EINVAL) {
        Refusal::Unavailable("this kernel does not have the clock".to_owned())
    } else {
        Refusal::from_os("clock_gettime", error)
    }
}
