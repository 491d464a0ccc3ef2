//! Samples of a file that cannot be as they stand.

use serde::{Deserialize, Serialize};

/// What is wrong with a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// It ends before it starts, on a clock that never goes back.
    EndsBeforeStart,
    /// Its cell is not in the plan.
    UnknownCell,
    /// Its number is not above the one before it of the same cell and thread. Such samples are used.
    OutOfOrder,
}

impl Fault {
    /// Returns whether a sample with it is left out of all figures.
    pub const fn left_out(self) -> bool {
        !matches!(self, Self::OutOfOrder)
    }

    /// Returns what is wrong, as a sentence's predicate of several samples.
    pub const fn predicate(self) -> &'static str {
        match self {
            Self::EndsBeforeStart => "end before they start",
            Self::UnknownCell => "belong to no cell of the plan",
            Self::OutOfOrder => "are not in order",
        }
    }
}

/// How many samples of a file have a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unsound {
    /// What is wrong with them.
    pub fault: Fault,
    /// How many.
    pub samples: u64,
    /// Where in the file the batch begins that has the first of them, in bytes.
    pub first_byte: u64,
}

impl Unsound {
    /// Adds other accounts to these: one account per fault.
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
