//! The processor's counter: TSC on x86-64, the generic timer's virtual count on arm64.
//!
//! Use [`ordered`] to compare readings between threads: a bare read may be executed before an earlier load, so a
//! time published by another processor can be later than the reading that follows it. [`support`] says whether the
//! counter can be trusted at all; [`Calibration`] gives its rate.

mod calibration;
mod conversion;
mod trust;

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), path = "absent.rs")]
mod here;

pub use calibration::{Calibration, Edge};
pub use conversion::Conversion;
pub use trust::{Support, support};

use crate::refusal::Refusal;
use crate::units::{Hertz, Nanos};
use std::sync::OnceLock;

/// Returns the counter, read at any point among the surrounding instructions. On processors without a
/// counter readable by programs, returns monotonic nanoseconds (and [`support`] returns an error).
#[inline]
pub fn read_unordered() -> u64 {
    here::read_unordered()
}

/// Returns the counter, read after every earlier instruction has finished (`lfence` on x86, `isb` on arm64).
#[inline]
pub fn ordered() -> u64 {
    here::ordered()
}

/// Returns the rate that the processor or hypervisor states; `None` if neither does.
pub fn nominal() -> Option<Hertz> {
    static NOMINAL: OnceLock<Option<Hertz>> = OnceLock::new();
    *NOMINAL.get_or_init(here::nominal)
}

/// Returns the rate by which readings are converted to times: nominal, or calibrated once (5 ms at first use).
pub(super) fn scale() -> Result<Hertz, Refusal> {
    static MEASURED: OnceLock<Result<Hertz, Refusal>> = OnceLock::new();
    support()?;
    if let Some(rate) = nominal() {
        return Ok(rate);
    }
    MEASURED.get_or_init(|| Calibration::measure(Nanos::from_millis(5)).map(|found| found.rate())).clone()
}
