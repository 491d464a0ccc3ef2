//! Parts per million: how much faster one clock runs than another.

use std::fmt;

/// The relative difference of two rates, in millionths. Positive means faster than the reference.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Ppm(f64);

impl Ppm {
    /// Returns this number of parts per million.
    pub const fn new(ppm: f64) -> Self {
        Self(ppm)
    }

    /// Returns the number of parts per million, which is also the number of microseconds per second.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Ppm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3} ppm", self.0)
    }
}
