//! Interventions: which condition of a sleep to change, one at a time, to measure the effect of each.
//!
//! An [`Intervention`] makes variants of a base cell that differ from it in one condition. Each has its own file; to
//! add one, write its file and list its `ROW` in [`INTERVENTIONS`]. The difference between two cells is derived from
//! the cells ([`Change::between`]), so that a recording can be analysed without further marks.

mod absolute;
mod change;
mod hold;
mod length;
mod method;
mod neighbour;
mod pin;
mod policy;
mod slack;
mod warm;

pub use change::Change;
pub use neighbour::{beside_neighbour, real_time};
pub use slack::{counterpart, like, raised, without};

use super::{Cell, Pattern};
use crate::catalog::MethodId;
use oversleep_sys::units::Nanos;

/// One intervention.
#[derive(Debug, Clone, Copy)]
pub struct Intervention {
    /// Name of the intervention.
    pub name: &'static str,
    /// What its effect shows, in a sentence.
    pub tells: &'static str,
    /// Returns the variants of a base cell, without IDs yet; none where the base already is as the variant would be.
    pub variants: fn(&Cell, &LocalMachine) -> Vec<Cell>,
}

/// Every intervention, in display order.
pub const INTERVENTIONS: &[Intervention] =
    &[slack::ROW, policy::ROW, pin::ROW, neighbour::ROW, hold::ROW, warm::ROW, absolute::ROW, method::ROW, length::ROW];

/// Facts about the machine that decide which variants are possible.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalMachine {
    /// Processor for pinned threads: one that this process may use.
    pub cpu: Option<u32>,
    /// Names of the methods that can be opened.
    pub methods: Vec<String>,
    /// Default timer slack of threads; `None` where the system has none.
    pub slack: Option<Nanos>,
}

impl LocalMachine {
    fn has(&self, method: &str) -> bool {
        self.methods.iter().any(|known| known == method)
    }
}

/// Returns the base cell with ID 0, and all its variants with the following IDs.
pub fn cells(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    let variants = INTERVENTIONS.iter().flat_map(|intervention| (intervention.variants)(base, here));
    (0..).zip([base.clone()].into_iter().chain(variants)).map(|(id, cell)| Cell { id, ..cell }).collect()
}

/// Returns the base with another method; `None` where it has that method already or the method cannot be opened.
fn by(base: &Cell, method: MethodId, here: &LocalMachine) -> Option<Cell> {
    let row = method.row();
    (row.comparable() && base.method != row.name && here.has(row.name))
        .then(|| super::build::cell(base.id, row, base.pattern, &base.conditions))
}

/// Returns the base's request, if it is the same for every sleep.
fn request(base: &Cell) -> Option<Nanos> {
    match base.pattern {
        Pattern::Fixed { requested } => Some(requested),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
