//! Timer slack: the least there is, the usual, and much.

use super::{Here, Intervention};
use crate::plan::{Cell, Conditions};
use oversleep_os::units::Nanos;

pub(super) const ROW: Intervention = Intervention {
    name: "slack",
    tells: "how much of the lateness is slack: what the least slack takes away, and whether more slack adds as much",
    variants,
};

/// The least slack (0 would mean the default), Linux' default of 50 µs, and one no wake-up cost can pass for.
const SLACKS: [Nanos; 3] = [Nanos::new(1), Nanos::from_micros(50), Nanos::MILLISECOND];

fn variants(base: &Cell, _: &Here) -> Vec<Cell> {
    let mut slacks = SLACKS.to_vec();
    match base.conditions.timer_slack {
        Some(own) => slacks.retain(|slack| *slack != own),
        // Left alone it is the default, in nearly every case; the least slack tells how much it really is.
        None => slacks.retain(|slack| *slack != SLACKS[1]),
    }
    let with =
        |slack| Cell { conditions: Conditions { timer_slack: Some(slack), ..base.conditions.clone() }, ..base.clone() };
    slacks.into_iter().map(with).collect()
}
