//! What only Linux has.

use super::Entry;

pub(super) static ENTRIES: &[Entry] = &[];
