//! How the kernel steers its clock.

use oversleep_sys::units::{Nanos, Ppm};
use serde::{Deserialize, Serialize};

/// The kernel's clock discipline (`adjtimex`, read only).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Ntp {
    /// Whether the kernel believes the clock to be right.
    pub synchronised: bool,
    /// By how much the clock is made faster than its counter.
    #[serde(rename = "frequency_ppm")]
    pub frequency: Ppm,
    /// The offset still to be worked off.
    #[serde(rename = "offset_ns")]
    pub offset: Nanos,
    /// The largest error the clock may have.
    #[serde(rename = "max_error_ns")]
    pub max_error: Nanos,
    /// The `STA_` bits.
    pub status: i32,
    /// International atomic time minus UTC, 37 s since 2017; 0 where nobody told the kernel.
    pub tai_offset_s: i32,
}
