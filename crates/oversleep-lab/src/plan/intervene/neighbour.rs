//! A busy thread on the sleeper's own processor, which keeps it from idling.

use super::{Here, Intervention, pin};
use crate::plan::{Cell, Conditions, Load, LoadKind};

pub(super) const ROW: Intervention = Intervention {
    name: "neighbour",
    tells: "what leaving idle costs: a processor that never idles has nothing to leave (compared with the same \
            thread pinned there without neighbour)",
    variants,
};

fn variants(base: &Cell, here: &Here) -> Vec<Cell> {
    // Beside other load the processor does not idle anyway, and two things would differ.
    let free = base.conditions.load.is_none();
    let busy = Load { threads: 1, kind: LoadKind::Neighbour };
    let with = |cell: Cell| Cell { conditions: Conditions { load: Some(busy), ..cell.conditions.clone() }, ..cell };
    pin::pinned(base, here).filter(|_| free).map(with).into_iter().collect()
}
