//! The intervention that replaces a duration by a deadline, or the reverse.

use super::{Intervention, LocalMachine, by};
use crate::catalog::MethodId;
use crate::plan::Cell;

pub(super) const ROW: Intervention = Intervention {
    name: "absolute",
    tells: "what lies between reading the clock and the kernel's start of the sleep: a duration counts from the \
            latter, a deadline does not move",
    variants,
};

fn variants(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    counterpart(&base.method).and_then(|other| by(base, other, here)).into_iter().collect()
}

/// Returns the method that differs from this one only in taking a deadline in place of a duration, or the reverse.
pub(super) fn counterpart(method: &str) -> Option<MethodId> {
    MethodId::from_name(method)?.row().counterpart
}
