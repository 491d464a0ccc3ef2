//! What to sleep: cells (method × request × condition) and the order in which they take turns.

pub mod build;
mod condition;
pub mod intervene;
pub mod parse;
mod pattern;
mod systems;

pub use condition::{Conditions, Load, LoadKind, Phase, Policy};
pub use pattern::{Pattern, PatternKind};
pub use systems::{PriorityClass, Qos};

use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Returns an experiment's name on the command line; files have older ones.
pub fn experiment_name(in_file: &str) -> &str {
    match in_file {
        "herman" => "wall-second",
        "rizzo" => "sweep",
        "oneill" => "load",
        "checkup" => "check-up",
        other => other,
    }
}

/// One method × request × condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Its number in the recording; samples refer to it.
    pub id: u32,
    /// The method's name, as in the catalogue. A recording made elsewhere may name one the catalogue lacks.
    pub method: String,
    /// What is asked of it.
    #[serde(flatten)]
    pub pattern: Pattern,
    /// The clock that `start`, `end` and `deadline` of its samples were read on.
    pub clock: ClockName,
    /// The conditions asked for. What was obtained is noted by the source.
    pub conditions: Conditions,
}

impl Cell {
    /// Returns the catalogue's row for this cell's method, if it has one.
    pub fn row(&self) -> Option<&'static crate::catalog::Row> {
        crate::catalog::MethodId::from_name(&self.method).map(crate::catalog::MethodId::row)
    }

    /// Returns whether its sleeps are given as a time on a clock rather than a duration.
    pub fn absolute(&self) -> bool {
        matches!(self.pattern, Pattern::Periodic { .. })
            || self.row().is_some_and(|row| row.mode == crate::catalog::Mode::Absolute)
    }
}

/// A clock, by the name files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClockName {
    /// Time since boot, steered in rate only.
    Monotonic,
    /// The same without steering.
    MonotonicRaw,
    /// Wall-clock time.
    Realtime,
    /// Time since boot, with suspend.
    Boottime,
    /// Wall-clock time without leap seconds.
    Tai,
    /// The processor's counter, scaled by its nominal rate.
    Counter,
    /// A simulated kernel's exact time.
    True,
}

impl ClockName {
    /// Returns the name as files write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Monotonic => "monotonic",
            Self::MonotonicRaw => "monotonic-raw",
            Self::Realtime => "realtime",
            Self::Boottime => "boottime",
            Self::Tai => "tai",
            Self::Counter => "counter",
            Self::True => "true",
        }
    }
}

/// A turn: this many sleeps of one cell (on each of its threads), then the next turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The cell.
    pub cell: u32,
    /// Sleeps in this turn, per thread.
    pub sleeps: u64,
}

/// Cells and the order in which they take turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The experiment's name: `checkup`, `herman`, `rizzo`, `oneill`, `periodic`, `measure`, `trace`, `diagnose`,
    /// `stalls`, `clocks`, `runtimes`.
    pub experiment: String,
    /// Every cell; `cells[i].id == i`.
    pub cells: Vec<Cell>,
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// Seeds everything random in the plan's execution (phases, requests), so that it can be repeated.
    pub seed: u64,
}

impl Plan {
    /// The experiment whose samples are stalls of processors: nothing sleeps.
    pub const STALLS: &str = "stalls";
    /// The experiment that reads clocks: it has no samples.
    pub const CLOCKS: &str = "clocks";

    /// The experiment that measures the timers of language runtimes.
    pub const RUNTIMES: &str = "runtimes";

    /// Returns whether it measures the timers of language runtimes.
    pub fn is_runtimes(&self) -> bool {
        self.experiment == Self::RUNTIMES
    }

    /// Returns whether its samples are stalls of processors.
    pub fn is_stalls(&self) -> bool {
        self.experiment == Self::STALLS
    }

    /// Returns whether it is a survey of clocks.
    pub fn is_clocks(&self) -> bool {
        self.experiment == Self::CLOCKS
    }

    /// Returns the cells that are traced, each behind the untraced one whose sleeps take turns with its own.
    pub fn traced_pairs(&self) -> Vec<(&Cell, &Cell)> {
        let is_traced = |cell: &&Cell| cell.conditions.traced == Some(true);
        self.cells
            .iter()
            .filter(is_traced)
            .filter_map(|traced| Some((self.beside(traced, Some(false))?, traced)))
            .collect()
    }

    /// Returns the traced cell that differs from this one in nothing but tracing, and the untraced one beside it.
    pub fn traced_twin(&self, cell: &Cell) -> Option<(&Cell, &Cell)> {
        self.traced_pairs().into_iter().find(|(_, traced)| is_twin(traced, cell))
    }

    /// Returns the plan without cells that are traced, or slept only beside traced ones.
    #[must_use]
    pub fn untraced(&self) -> Self {
        let mut plan = self.clone();
        plan.cells.retain(|cell| cell.conditions.traced.is_none());
        let kept: HashSet<u32> = plan.cells.iter().map(|cell| cell.id).collect();
        plan.turns.retain(|turn| kept.contains(&turn.cell));
        plan
    }

    /// The cell that differs in tracing alone: of that kind, or else one that does not speak of it.
    fn beside(&self, cell: &Cell, traced: Option<bool>) -> Option<&Cell> {
        let twin = |kind: Option<bool>| {
            self.cells.iter().find(|known| known.conditions.traced == kind && is_twin(known, cell))
        };
        twin(traced).or_else(|| twin(None))
    }
}

fn is_twin(a: &Cell, b: &Cell) -> bool {
    a.method == b.method
        && a.pattern == b.pattern
        && a.clock == b.clock
        && a.conditions.without_tracing() == b.conditions.without_tracing()
}
