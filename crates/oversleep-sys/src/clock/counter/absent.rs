//! No counter readable by programs is known for this processor.

use crate::clock::monotonic;
use crate::units::Hertz;

pub(super) const EXISTS: bool = false;

#[inline]
pub(super) fn read_unordered() -> u64 {
    monotonic().get() as u64
}

#[inline]
pub(super) fn ordered() -> u64 {
    read_unordered()
}

pub(super) fn invariant() -> bool {
    false
}

pub(super) fn nominal() -> Option<Hertz> {
    None
}
