//! Putting a condition on the calling thread.

use crate::plan::Conditions;
use oversleep_os::Refusal;

/// Conditions in force on this thread, until dropped.
pub(super) struct Enforced {
    refused: Vec<(String, Refusal)>,
}

impl Enforced {
    pub(super) fn apply(_conditions: &Conditions, _thread: u16) -> Self {
        Self { refused: Vec::new() }
    }

    pub(super) fn obtained(&self) -> Conditions {
        Conditions::default()
    }

    pub(super) fn refused(&self) -> &[(String, Refusal)] {
        &self.refused
    }
}
