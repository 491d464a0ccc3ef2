//! The intervention that forbids idle states on the whole machine during the sleeps.

use super::{Intervention, LocalMachine};
use crate::plan::{Cell, Conditions};
use oversleep_sys::units::Nanos;

pub(super) const ROW: Intervention = Intervention {
    name: "hold",
    tells: "what deep idle states cost: with the wake-up latency held to 0 processors poll instead",
    variants,
};

fn variants(base: &Cell, _: &LocalMachine) -> Vec<Cell> {
    let conditions = Conditions { latency_hold: Some(Nanos::ZERO), ..base.conditions.clone() };
    if base.conditions.latency_hold.is_some() { Vec::new() } else { vec![Cell { conditions, ..base.clone() }] }
}
