//! Interventions: what to change about a sleep, one thing at a time, to see what each is worth.
//!
//! An [`Intervention`] makes variants of a base cell that differ from it in one thing. A file each; to add one, write
//! its file and list its `ROW` in [`INTERVENTIONS`]. What differs between two cells is read off the cells themselves
//! ([`Change::between`]), so that a recording needs no further mark to be analysed.

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

/// One thing to change.
#[derive(Debug, Clone, Copy)]
pub struct Intervention {
    /// What it is called.
    pub name: &'static str,
    /// What its effect tells, in a sentence.
    pub tells: &'static str,
    /// The variants of a base cell, their numbers not yet given; none where it is so already.
    pub variants: fn(&Cell, &Here) -> Vec<Cell>,
}

/// Every intervention, in the order in which they are shown.
pub const INTERVENTIONS: &[Intervention] =
    &[slack::ROW, policy::ROW, pin::ROW, neighbour::ROW, hold::ROW, warm::ROW, absolute::ROW, method::ROW, length::ROW];

/// What of the machine decides which variants there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Here {
    /// The processor to stay on when pinned: one this process may use.
    pub cpu: Option<u32>,
    /// Methods that can be opened.
    pub methods: Vec<String>,
    /// The timer slack of threads to which none is given; `None` where there is no such thing.
    pub slack: Option<Nanos>,
}

impl Here {
    fn has(&self, method: &str) -> bool {
        self.methods.iter().any(|known| known == method)
    }
}

/// Returns the base cell, numbered 0, and every variant of it, numbered on.
pub fn cells(base: &Cell, here: &Here) -> Vec<Cell> {
    let variants = INTERVENTIONS.iter().flat_map(|intervention| (intervention.variants)(base, here));
    (0..).zip([base.clone()].into_iter().chain(variants)).map(|(id, cell)| Cell { id, ..cell }).collect()
}

/// The base with another method of the same request; `None` where it is that method already or cannot be had.
fn by(base: &Cell, method: MethodId, here: &Here) -> Option<Cell> {
    let row = method.row();
    (row.comparable() && base.method != row.name && here.has(row.name))
        .then(|| super::build::cell(base.id, row, base.pattern, &base.conditions))
}

/// What the base asks for each time.
fn request(base: &Cell) -> Option<Nanos> {
    match base.pattern {
        Pattern::Fixed { requested } => Some(requested),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
