//! Systems on which threads have no timer slack of their own.

use crate::refusal::Refusal;
use crate::units::Nanos;

pub(super) fn read() -> Result<Nanos, Refusal> {
    Err(Refusal::Unavailable("timer slack per thread exists on Linux only".into()))
}

pub(super) fn set(_slack: Nanos) -> Result<(), Refusal> {
    read().map(|_| ())
}
