//! The synchronisation types of this crate: the standard library's, or loom's to explore interleavings
//! (`RUSTFLAGS="--cfg loom" cargo test -p oversleep --lib --release loom`).

#[cfg(loom)]
pub(crate) use loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence},
};
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence},
};
