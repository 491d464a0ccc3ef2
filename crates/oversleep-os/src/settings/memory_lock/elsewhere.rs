//! Systems that do not report whether memory is locked: a setting that cannot be read back is not made.

use oversleep_sys::Refusal;

pub(super) fn read() -> Result<bool, Refusal> {
    Err(Refusal::Unavailable("oversleep cannot read back locked memory on this system, so it does not lock it".into()))
}

pub(super) fn set(_locked: bool) -> Result<(), Refusal> {
    read().map(|_| ())
}
