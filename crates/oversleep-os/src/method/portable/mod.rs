//! Methods of Rust's standard library.

mod park_timeout;
mod spin;
mod thread_sleep;

use super::Entry;

pub(super) static ENTRIES: &[Entry] = &[thread_sleep::ENTRY, park_timeout::ENTRY, spin::ENTRY];
