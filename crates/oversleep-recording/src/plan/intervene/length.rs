//! The intervention that changes the length of the request.

use super::{Intervention, LocalMachine, request};
use crate::plan::{Cell, Pattern};
use oversleep_sys::units::Nanos;

pub(super) const ROW: Intervention = Intervention {
    name: "length",
    tells: "what grows with the sleep: depth of idle, cooling caches, slack in proportion to the request",
    variants,
};

/// The requests are a quarter and four times the base's: a factor of 16 between them, at the cost of about four sleeps.
const FACTOR: i64 = 4;

fn variants(base: &Cell, _: &LocalMachine) -> Vec<Cell> {
    let Some(requested) = request(base) else { return Vec::new() };
    let lengths = [Nanos::new(requested.get() / FACTOR), requested.checked_mul(FACTOR).unwrap_or(requested)];
    let with = |requested| Cell { pattern: Pattern::fixed(requested), ..base.clone() };
    lengths.into_iter().filter(|&other| other > Nanos::ZERO && other != requested).map(with).collect()
}
