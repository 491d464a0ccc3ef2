//! Awake shortly before the deadline: warm caches, and a processor that has only just gone idle.

use super::{Here, Intervention, request};
use crate::plan::{Cell, Conditions, Phase};
use oversleep_sys::units::Nanos;

pub(super) const ROW: Intervention = Intervention {
    name: "warm",
    tells: "what cold caches and long idle cost together: the thread wakes early, is busy for a moment, and sleeps \
            the last stretch",
    variants,
};

fn variants(base: &Cell, _: &Here) -> Vec<Cell> {
    let Some(requested) = request(base).filter(|requested| *requested >= Nanos::from_micros(400)) else {
        // Shorter sleeps would be over before the first of the two had ended.
        return Vec::new();
    };
    let lead = Nanos::new(requested.get() / 2).min(Nanos::MILLISECOND);
    let conditions = Conditions { phase: Some(Phase::Warm { lead }), ..base.conditions.clone() };
    if base.conditions.phase.is_some() { Vec::new() } else { vec![Cell { conditions, ..base.clone() }] }
}
