//! Systems without policies that keep ordinary threads off a processor, as far as is known.

use crate::units::Nanos;

pub(super) fn is_real_time() -> bool {
    false
}

pub(super) fn budget() -> Option<Nanos> {
    None
}
