//! Patterns of requests, from sleep to sleep.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A pattern of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "pattern", rename_all = "kebab-case")]
pub enum Pattern {
    /// The same duration each time.
    Fixed {
        /// The duration.
        #[serde(rename = "requested_ns")]
        requested: Nanos,
    },
    /// A duration drawn uniformly for each sleep, so that no rhythm of the measurement can hide one of the kernel.
    Random {
        /// The shortest.
        #[serde(rename = "from_ns")]
        from: Nanos,
        /// The longest.
        #[serde(rename = "to_ns")]
        to: Nanos,
    },
    /// Until the wall clock next reads a multiple of `to`: Herman's experiment with one second.
    Aligned {
        /// The multiple.
        #[serde(rename = "to_ns")]
        to: Nanos,
    },
    /// An absolute schedule: the k-th wake-up is due at start + k × `period`, whatever happened before.
    Periodic {
        /// The period.
        #[serde(rename = "period_ns")]
        period: Nanos,
    },
}

/// The kind of a pattern of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PatternKind {
    /// [`Pattern::Fixed`].
    Fixed,
    /// [`Pattern::Random`].
    Random,
    /// [`Pattern::Aligned`].
    Aligned,
    /// [`Pattern::Periodic`].
    Periodic,
}

impl Pattern {
    /// Returns the kind of the pattern.
    pub const fn kind(self) -> PatternKind {
        match self {
            Self::Fixed { .. } => PatternKind::Fixed,
            Self::Random { .. } => PatternKind::Random,
            Self::Aligned { .. } => PatternKind::Aligned,
            Self::Periodic { .. } => PatternKind::Periodic,
        }
    }

    /// Returns a pattern with the same duration each time.
    pub const fn fixed(requested: Nanos) -> Self {
        Self::Fixed { requested }
    }

    /// Returns the requested duration or period, if it is the same every time.
    pub fn requested(self) -> Option<Nanos> {
        match self {
            Self::Fixed { requested } => Some(requested),
            Self::Periodic { period } => Some(period),
            Self::Random { .. } | Self::Aligned { .. } => None,
        }
    }

    /// Returns the approximate length of one sleep when nothing is late, for time estimates.
    pub fn typical(self) -> Nanos {
        match self {
            Self::Fixed { requested } => requested,
            Self::Periodic { period } => period,
            Self::Random { from, to } => Nanos::new(from.get().midpoint(to.get())),
            Self::Aligned { to } => to,
        }
    }
}
