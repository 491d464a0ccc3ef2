//! The intervention that wakes the thread shortly before the deadline: caches are warm, and the processor idles
//! briefly.

use super::{Intervention, LocalMachine, request};
use crate::plan::{Cell, Conditions, Phase};
use oversleep_sys::units::Nanos;

pub(super) const ROW: Intervention = Intervention {
    name: "warm",
    tells: "what cold caches and long idle cost together: the thread wakes early, is busy for a moment, and sleeps \
            the last stretch",
    variants,
};

fn variants(base: &Cell, _: &LocalMachine) -> Vec<Cell> {
    let Some(requested) = request(base).filter(|requested| *requested >= Nanos::from_micros(400)) else {
        // With a shorter request the whole would be over before the first of the two sleeps had ended.
        return Vec::new();
    };
    let lead = Nanos::new(requested.get() / 2).min(Nanos::MILLISECOND);
    let conditions = Conditions { phase: Some(Phase::Warm { lead }), ..base.conditions.clone() };
    if base.conditions.phase.is_some() { Vec::new() } else { vec![Cell { conditions, ..base.clone() }] }
}
