//! `adjtimex` without a mode changes nothing and needs no privilege.

use super::Ntp;
use oversleep_sys::units::{Nanos, Ppm};

/// `STA_UNSYNC` and `STA_NANO` of linux/timex.h, and the result that means "not synchronised".
const UNSYNC: i32 = 0x0040;
const NANO: i32 = 0x2000;
const TIME_ERROR: i32 = 5;

pub(super) fn read() -> Option<Ntp> {
    // SAFETY: the structure is numbers only; all zero is valid and asks for no change.
    let mut timex: libc::timex = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes the structure.
    let state = unsafe { libc::adjtimex(&raw mut timex) };
    (state >= 0).then(|| {
        let raw = Raw {
            state,
            status: timex.status,
            frequency: i64::from(timex.freq),
            offset: i64::from(timex.offset),
            max_error_us: i64::from(timex.maxerror),
            tai_s: timex.tai,
        };
        raw.judge()
    })
}

struct Raw {
    state: i32,
    status: i32,
    frequency: i64,
    offset: i64,
    max_error_us: i64,
    tai_s: i32,
}

impl Raw {
    /// Interprets the structure. The frequency is in 2⁻¹⁶ ppm; the offset in ns or µs, according to a status bit.
    fn judge(&self) -> Ntp {
        let unit = if self.status & NANO == 0 { Nanos::MICROSECOND } else { Nanos::new(1) };
        Ntp {
            synchronised: self.state != TIME_ERROR && self.status & UNSYNC == 0,
            frequency: Ppm::new(self.frequency as f64 / 65_536.0),
            offset: unit.checked_mul(self.offset).unwrap_or(Nanos::MAX),
            max_error: Nanos::MICROSECOND.checked_mul(self.max_error_us).unwrap_or(Nanos::MAX),
            status: self.status,
            tai_offset_s: self.tai_s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_the_status() {
        let raw = |state, status| {
            Raw { state, status, frequency: -98_304, offset: 7, max_error_us: 16_000_000, tai_s: 37 }.judge()
        };
        let steered = raw(0, NANO);
        assert!(steered.synchronised);
        assert!((steered.frequency.get() + 1.5).abs() < 1e-12);
        assert_eq!((steered.offset, steered.max_error), (Nanos::new(7), Nanos::from_secs(16)));
        assert_eq!(raw(0, 0).offset, Nanos::from_micros(7));
        assert!(!raw(TIME_ERROR, NANO).synchronised);
        assert!(!raw(0, UNSYNC).synchronised);
    }
}
