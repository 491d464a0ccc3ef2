//! What Rust offers everywhere.

mod spin;

use super::Entry;

pub(super) static ENTRIES: &[Entry] = &[spin::ENTRY];
