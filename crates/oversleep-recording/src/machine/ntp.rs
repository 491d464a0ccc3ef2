//! How the kernel steers its clock.

use oversleep_sys::units::{Nanos, Ppm};
use serde::{Deserialize, Serialize};

/// The kernel's clock discipline (`adjtimex`, read only).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Ntp {
    /// Whether the kernel regards the clock as synchronised.
    pub synchronised: bool,
    /// Frequency correction: how much faster the clock is made than its counter.
    #[serde(rename = "frequency_ppm")]
    pub frequency: Ppm,
    /// Offset still to be corrected.
    #[serde(rename = "offset_ns")]
    pub offset: Nanos,
    /// Maximum error of the clock.
    #[serde(rename = "max_error_ns")]
    pub max_error: Nanos,
    /// Status flags (`STA_`).
    pub status: i32,
    /// International atomic time minus UTC, 37 s since 2017; 0 where the kernel was not told.
    pub tai_offset_s: i32,
}
