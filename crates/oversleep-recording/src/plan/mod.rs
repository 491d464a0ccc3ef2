//! Plans: cells (method × request × condition) and the order in which they take turns.

pub mod build;
#[macro_use]
mod conditions;
pub mod intervene;
mod kind;
pub mod parse;
mod pattern;
mod policy;

pub use conditions::{
    CONDITIONS, Condition, Conditions, Load, LoadKind, Phase, PriorityClass, Qos, RequestedConditions, Scope, Typed,
    Value, ValueKind,
};
pub use kind::Kind;
pub use pattern::{Pattern, PatternKind};
pub use policy::{ParsePolicyError, Policy};

use crate::names;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// One method × request × condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// ID of the cell in the recording; samples refer to it.
    pub id: u32,
    /// Name of the method, as in the catalogue. A recording made elsewhere may name one that the catalogue lacks.
    pub method: String,
    /// Pattern of the requests.
    #[serde(flatten)]
    pub pattern: Pattern,
    /// Clock on which `start`, `end` and `deadline` of the samples were read.
    pub clock: ClockName,
    /// Conditions requested. The obtained ones are in the notes.
    pub conditions: Conditions,
}

impl Cell {
    /// Returns a cell on the monotonic clock without conditions.
    pub fn new(id: u32, method: impl Into<String>, pattern: Pattern) -> Self {
        Self { id, method: method.into(), pattern, clock: ClockName::Monotonic, conditions: Conditions::default() }
    }

    /// Returns the catalogue's row of this cell's method, if there is one.
    pub fn row(&self) -> Option<&'static crate::catalog::MethodRow> {
        crate::catalog::MethodId::from_name(&self.method).map(crate::catalog::MethodId::row)
    }

    /// Returns the period of a schedule; `None` for other sleeps.
    pub const fn period(&self) -> Option<Nanos> {
        match self.pattern {
            Pattern::Periodic { period } => Some(period),
            _ => None,
        }
    }

    /// Returns whether the sleeps have a deadline on a clock rather than a duration.
    pub fn absolute(&self) -> bool {
        self.period().is_some() || self.row().is_some_and(|row| row.mode == crate::catalog::Mode::Absolute)
    }
}

names! {
    /// A clock, by its name in files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum ClockName {
        /// Time since boot, steered only in rate.
        Monotonic = "monotonic",
        /// Time since boot, not steered.
        MonotonicRaw = "monotonic-raw",
        /// Wall-clock time.
        Realtime = "realtime",
        /// Time since boot, including time suspended.
        Boottime = "boottime",
        /// Wall-clock time without leap seconds.
        Tai = "tai",
        /// Processor's counter, scaled by its nominal rate.
        Counter = "counter",
        /// Exact time of a simulated kernel.
        True = "true",
    }
}

/// A turn: a number of sleeps of one cell (on each of its threads), before the next turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// ID of the cell.
    pub cell: u32,
    /// Sleeps in this turn, per thread.
    pub sleeps: u64,
}

/// Cells and the order in which they take turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// What the recording is of.
    pub kind: Kind,
    /// Every cell; `cells[i].id == i`.
    pub cells: Vec<Cell>,
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// Seed of everything random in the plan's execution (phases, requests), so that it can be repeated.
    pub seed: u64,
}

impl Plan {
    /// The seed of everything random where none is given.
    pub const DEFAULT_SEED: u64 = 1;

    /// Returns the number of periods planned for each thread of a cell; `None` if it is not a schedule.
    pub fn periods(&self, cell: &Cell) -> Option<u64> {
        let planned = self.sleeps(cell);
        (matches!(cell.pattern, Pattern::Periodic { .. }) && planned > 0).then_some(planned)
    }

    /// Returns how often a cell sleeps in all its turns.
    pub fn sleeps(&self, cell: &Cell) -> u64 {
        let of_cell = self.turns.iter().filter(|turn| turn.cell == cell.id);
        of_cell.map(|turn| turn.sleeps).fold(0, u64::saturating_add)
    }

    /// Returns pairs of an untraced cell and the traced cell whose sleeps take turns with it.
    pub fn traced_pairs(&self) -> Vec<(&Cell, &Cell)> {
        let is_traced = |cell: &&Cell| cell.conditions.traced == Some(true);
        self.cells
            .iter()
            .filter(is_traced)
            .filter_map(|traced| Some((self.find_twin(traced, Some(false))?, traced)))
            .collect()
    }

    /// Returns the traced cell that differs from this one only in tracing, preceded by its untraced cell.
    pub fn traced_twin(&self, cell: &Cell) -> Option<(&Cell, &Cell)> {
        self.traced_pairs().into_iter().find(|(_, traced)| is_twin(traced, cell))
    }

    /// Returns the plan without traced cells and without those that exist only for comparison with them.
    #[must_use]
    pub fn untraced(&self) -> Self {
        let mut plan = self.clone();
        plan.cells.retain(|cell| cell.conditions.traced.is_none());
        let ids: HashSet<u32> = plan.cells.iter().map(|cell| cell.id).collect();
        plan.turns.retain(|turn| ids.contains(&turn.cell));
        plan
    }

    /// Returns a cell that differs only in tracing: one with this value of `traced`, or else one with none.
    fn find_twin(&self, cell: &Cell, traced: Option<bool>) -> Option<&Cell> {
        let twin = |kind: Option<bool>| {
            self.cells.iter().find(|known| known.conditions.traced == kind && is_twin(known, cell))
        };
        twin(traced).or_else(|| twin(None))
    }
}

/// Returns whether two cells differ in nothing but tracing.
pub fn is_twin(a: &Cell, b: &Cell) -> bool {
    a.method == b.method
        && a.pattern == b.pattern
        && a.clock == b.clock
        && a.conditions.without_tracing() == b.conditions.without_tracing()
}
