//! Samples of a file that cannot be right.

use serde::{Deserialize, Serialize};

/// A fault of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The sample ends before it starts, on a clock that is never set back.
    EndsBeforeStart,
    /// The sample's cell is not in the plan.
    UnknownCell,
    /// The sample's number is not above the previous one of the same cell and thread. Such samples are used.
    OutOfOrder,
}

impl Fault {
    /// Returns whether samples with this fault are left out of all figures.
    pub const fn left_out(self) -> bool {
        !matches!(self, Self::OutOfOrder)
    }

    /// Returns the fault as the predicate of a sentence about several samples.
    pub const fn predicate(self) -> &'static str {
        match self {
            Self::EndsBeforeStart => "end before they start",
            Self::UnknownCell => "belong to no cell of the plan",
            Self::OutOfOrder => "are not in order",
        }
    }
}

/// The number of samples of a file that have a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unsound {
    /// Fault of the samples.
    pub fault: Fault,
    /// Number of samples.
    pub samples: u64,
    /// Offset in the file, in bytes, of the batch with the first of them.
    pub first_byte: u64,
}

impl Unsound {
    /// Merges later counts into these, one entry per fault.
    pub(crate) fn absorb(accounts: &mut Vec<Self>, later: Vec<Self>) {
        for account in later {
            match accounts.iter_mut().find(|old| old.fault == account.fault) {
                Some(old) => old.samples += account.samples,
                None => accounts.push(account),
            }
        }
    }
}

impl std::fmt::Display for Unsound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { fault, samples, first_byte } = *self;
        let used = if fault.left_out() { "are left out of the figures" } else { "are in the figures" };
        write!(f, "{samples} samples {} and {used} (the first in the batch at byte {first_byte})", fault.predicate())
    }
}
