//! Systems on which threads cannot be pinned to processors, or which are not supported yet.

use oversleep_sys::Refusal;

pub(super) fn read() -> Result<Vec<u32>, Refusal> {
    Err(Refusal::Unavailable("oversleep cannot tie a thread to processors on this system yet".into()))
}

pub(super) fn set(_cpus: &[u32]) -> Result<(), Refusal> {
    read().map(|_| ())
}
