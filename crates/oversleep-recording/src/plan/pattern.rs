//! What a cell asks of its method, sleep after sleep.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// How requests are made.
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
    /// A duration drawn for each sleep, uniformly, so that no rhythm of ours can hide one of the kernel's.
    Random {
        /// The shortest.
        #[serde(rename = "from_ns")]
        from: Nanos,
        /// The longest.
        #[serde(rename = "to_ns")]
        to: Nanos,
    },
    /// Until the wall clock next reads a multiple of `to`: Herman's experiment when `to` is one second.
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

/// How a cell's requests follow each other, in a word.
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
    /// Returns which of the patterns it is.
    pub const fn kind(self) -> PatternKind {
        match self {
            Self::Fixed { .. } => PatternKind::Fixed,
            Self::Random { .. } => PatternKind::Random,
            Self::Aligned { .. } => PatternKind::Aligned,
            Self::Periodic { .. } => PatternKind::Periodic,
        }
    }

    /// Returns the same duration each time.
    pub const fn fixed(requested: Nanos) -> Self {
        Self::Fixed { requested }
    }

    /// Returns the duration asked for, where it is the same every time (a period is one).
    pub fn requested(self) -> Option<Nanos> {
        match self {
            Self::Fixed { requested } => Some(requested),
            Self::Periodic { period } => Some(period),
            Self::Random { .. } | Self::Aligned { .. } => None,
        }
    }

    /// Returns about how long one sleep lasts when nothing is late, for estimates of time.
    pub fn typical(self) -> Nanos {
        match self {
            Self::Fixed { requested } => requested,
            Self::Periodic { period } => period,
            Self::Random { from, to } => Nanos::new(from.get().midpoint(to.get())),
            Self::Aligned { to } => to,
        }
    }
}
