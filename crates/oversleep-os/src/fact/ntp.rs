//! How the kernel steers its clock.

#[cfg(target_os = "linux")]
mod linux;

use crate::units::{Nanos, Ppm};

/// The kernel's clock discipline (`adjtimex`, read only).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Ntp {
    /// Whether the kernel believes the clock to be right.
    pub synchronised: bool,
    /// By how much the clock is made faster than its counter.
    #[cfg_attr(feature = "serde", serde(rename = "frequency_ppm"))]
    pub frequency: Ppm,
    /// The offset still to be worked off.
    #[cfg_attr(feature = "serde", serde(rename = "offset_ns"))]
    pub offset: Nanos,
    /// The largest error the clock may have.
    #[cfg_attr(feature = "serde", serde(rename = "max_error_ns"))]
    pub max_error: Nanos,
    /// The `STA_` bits.
    pub status: i32,
    /// International atomic time minus UTC, 37 s since 2017; 0 where nobody told the kernel.
    pub tai_offset_s: i32,
}

/// The steering now; `None` where the system does not tell.
#[cfg(target_os = "linux")]
pub fn now() -> Option<Ntp> {
    linux::read()
}

/// The steering now; not known here.
#[cfg(not(target_os = "linux"))]
pub fn now() -> Option<Ntp> {
    None
}
