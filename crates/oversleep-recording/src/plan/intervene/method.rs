//! The intervention that changes the method.

use super::{Intervention, LocalMachine, by};
use crate::catalog::MethodId;
use crate::plan::Cell;

pub(super) const ROW: Intervention = Intervention {
    name: "method",
    tells: "what the choice of the call is worth; a call whose timer has no slack is a second measure of the slack",
    variants,
};

/// Maximum number of other methods.
const MOST: usize = 3;

fn variants(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    MethodId::substitutes().filter_map(|method| by(base, method, here)).take(MOST).collect()
}
