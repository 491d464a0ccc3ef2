//! Requests as a POSIX structure.

use crate::units::Nanos;

/// Returns seconds and nanoseconds. A negative time becomes zero (calls reject it, and such a deadline has
/// passed anyway); a time too long for the system's `time_t` becomes its longest.
#[inline]
pub fn timespec(time: Nanos) -> libc::timespec {
    let (seconds, nanoseconds) = time.max(Nanos::ZERO).split();
    // SAFETY: all-zero is a valid timespec; some systems pad it, so it cannot be written as a literal everywhere.
    let mut spec: libc::timespec = unsafe { std::mem::zeroed() };
    spec.tv_sec = whole(seconds);
    #[allow(clippy::cast_possible_truncation)] // below 10⁹
    let nanoseconds = nanoseconds as libc::c_long;
    spec.tv_nsec = nanoseconds;
    spec
}

/// Returns seconds in the system's own type of 64 or 32 bits, limited to what it holds. (`libc::time_t` cannot be named
/// with musl, whose width is about to change.)
fn whole<T: TryFrom<i64> + From<i32>>(seconds: i64) -> T {
    seconds.try_into().unwrap_or_else(|_| i32::MAX.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_time_is_zero() {
        assert_eq!(timespec(Nanos::MIN).tv_sec, 0);
        assert_eq!(timespec(Nanos::MIN).tv_nsec, 0);
    }
}
