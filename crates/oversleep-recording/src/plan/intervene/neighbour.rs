//! The intervention that runs a busy thread on the sleeper's own processor, which keeps the processor from idling.
//!
//! Wake-ups scatter little there, so slack is measured with the neighbour too, by pairs of variants of which one has
//! no slack: with the base's slack (the default where the base has none), and with that slack under a real-time policy.

use super::{Change, Intervention, LocalMachine, pinned, policy, slack};
use crate::plan::{Cell, Conditions, Load, LoadKind};

pub(super) const ROW: Intervention = Intervention {
    name: "neighbour",
    tells: "what leaving idle costs: a processor that never idles has nothing to leave (compared with the same \
            thread pinned there without neighbour)",
    variants,
};

fn variants(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    // Beside other load the processor does not idle anyway, and two conditions would differ.
    let free = base.conditions.load.is_none();
    let busy = Load { threads: 1, kind: LoadKind::Neighbour };
    let with = |cell: Cell| Cell { conditions: Conditions { load: Some(busy), ..cell.conditions.clone() }, ..cell };
    let Some(beside) = pinned(base, here).filter(|_| free).map(with) else { return Vec::new() };
    let Some(slack) = base.conditions.timer_slack.or(here.slack).filter(|_| !base.conditions.is_real_time()) else {
        return vec![beside];
    };
    let (raised, real_time) = (slack::raised(&beside), real_time(&beside));
    let others = if slack.get() > 1 {
        [slack::without(&beside, slack), real_time.as_ref().and_then(|cell| slack::without(cell, slack)), real_time]
    } else {
        [raised.conditions.timer_slack.and_then(|slack| slack::without(&raised, slack)), Some(raised), None]
    };
    [beside].into_iter().chain(others.into_iter().flatten()).collect()
}

/// Returns the cell under a real-time policy; `None` if it already has one.
pub fn real_time(beside: &Cell) -> Option<Cell> {
    let conditions = Conditions { policy: Some(policy::REAL_TIME), ..beside.conditions.clone() };
    (!beside.conditions.is_real_time()).then(|| Cell { conditions, ..beside.clone() })
}

/// Returns whether `cell` differs from the base only by a neighbour, and perhaps by pinning.
pub fn beside_neighbour(base: &Cell, cell: &Cell) -> bool {
    matches!(
        Change::between(base, cell)[..],
        [Change::Neighbour { .. }] | [Change::Affinity { .. }, Change::Neighbour { .. }]
    )
}
