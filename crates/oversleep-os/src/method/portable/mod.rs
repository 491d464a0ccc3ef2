//! Methods of Rust's standard library.

mod park_timeout;
mod spin;
mod thread_sleep;

use super::MethodEntry;

pub(super) static ENTRIES: &[MethodEntry] = &[thread_sleep::ENTRY, park_timeout::ENTRY, spin::ENTRY];
