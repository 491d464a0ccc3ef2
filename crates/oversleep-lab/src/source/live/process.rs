//! Conditions that only a whole process can have: locked memory, a latency hold.

use crate::plan::Conditions;
use crate::recording::Note;
use oversleep_os::units::Nanos;

pub(super) struct ProcessWide;

impl ProcessWide {
    pub(super) fn apply<'a>(_conditions: impl Iterator<Item = &'a Conditions>, _note: &mut Note) -> Self {
        Self
    }

    pub(super) fn memory_locked(&self) -> bool {
        false
    }

    pub(super) fn hold(&mut self, _asked: Option<Nanos>, _note: &mut Note) -> Option<Nanos> {
        None
    }
}
