//! Names of the processes of a run.

use std::fmt;

/// Identifies a process: its program's name, and whether it is one without the load that is inside another of that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key<'a> {
    pub(super) name: &'a str,
    pub(super) without_load: bool,
}

impl<'a> Key<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        Self { name, without_load: false }
    }

    pub(super) fn without_load(name: &'a str) -> Self {
        Self { name, without_load: true }
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        f.write_str(if self.without_load { " without load" } else { "" })
    }
}
