//! The intervention that changes the scheduling policy.

use super::{Intervention, LocalMachine, request};
use crate::plan::{Cell, Conditions, Policy};
use oversleep_sys::units::Nanos;

pub(super) const ROW: Intervention = Intervention {
    name: "policy",
    tells: "what waiting for other threads costs: real-time threads wait for nobody of lower priority (and have no \
            slack, so their effect is also taken against the least slack)",
    variants,
};

/// The lowest real-time priority: above all time-sharing threads, and below all other real-time threads.
pub(super) const REAL_TIME: Policy = Policy::Fifo { priority: 1 };

fn variants(base: &Cell, _: &LocalMachine) -> Vec<Cell> {
    let current = base.conditions.policy.unwrap_or(Policy::Other);
    let with =
        |policy| Cell { conditions: Conditions { policy: Some(policy), ..base.conditions.clone() }, ..base.clone() };
    policies(base).into_iter().filter(|policy| kind(*policy) != kind(current)).map(with).collect()
}

fn policies(base: &Cell) -> [Policy; 6] {
    let [runtime, period] = budget(request(base).unwrap_or(Nanos::MILLISECOND));
    [
        Policy::Other,
        Policy::Batch,
        Policy::Idle,
        REAL_TIME,
        Policy::Rr { priority: 1 },
        Policy::Deadline { runtime, deadline: period, period },
    ]
}

/// Returns runtime and period: a fifth of a period as long as the sleep, within the kernel's limits (100 µs to 4 s).
fn budget(requested: Nanos) -> [Nanos; 2] {
    let period = requested.clamp(Nanos::from_micros(500), Nanos::SECOND);
    [Nanos::new(period.get() / 5), period]
}

fn kind(policy: Policy) -> std::mem::Discriminant<Policy> {
    std::mem::discriminant(&policy)
}
