//! Interventions: which condition of a sleep to change, one at a time, to measure the effect of each.
//!
//! An [`Intervention`] makes variants of a base cell that differ from it in one condition. To add one, write its
//! row and function and list the row in [`INTERVENTIONS`]. The difference between two cells is derived from
//! the cells ([`Change::between`]), so that a recording can be analysed without further marks.

mod change;
mod neighbour;
mod policy;
mod slack;

pub use change::Change;
pub use neighbour::{beside_neighbour, real_time};
pub use slack::{counterpart, like, raised, without};

use super::{Cell, Conditions, Pattern, Phase};
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
pub const INTERVENTIONS: &[Intervention] = &[
    slack::ROW,
    policy::ROW,
    Intervention {
        name: "pin",
        tells: "what moving between processors costs, or gains: a pinned thread wakes where its caches are, and cannot \
            move to a free processor",
        variants: pin,
    },
    neighbour::ROW,
    Intervention {
        name: "hold",
        tells: "what deep idle states cost: with the wake-up latency held to 0 processors poll instead",
        variants: hold,
    },
    Intervention {
        name: "warm",
        tells: "what cold caches and long idle cost together: the thread wakes early, is busy for a moment, and sleeps \
            the last stretch",
        variants: warm,
    },
    Intervention {
        name: "absolute",
        tells: "what lies between reading the clock and the kernel's start of the sleep: a duration counts from the \
            latter, a deadline does not move",
        variants: absolute,
    },
    Intervention {
        name: "method",
        tells: "what the choice of the call is worth; a call whose timer has no slack is a second measure of the slack",
        variants: method,
    },
    Intervention {
        name: "length",
        tells: "what grows with the sleep: depth of idle, cooling caches, slack in proportion to the request",
        variants: length,
    },
];

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

/// Pins the thread to one processor.
fn pin(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    pinned(base, here).filter(|cell| cell.conditions != base.conditions).into_iter().collect()
}

/// Returns the base pinned to one processor: the first it is restricted to, if any.
fn pinned(base: &Cell, here: &LocalMachine) -> Option<Cell> {
    let cpu = match base.conditions.affinity.as_deref() {
        Some([own]) => *own,
        Some([first, ..]) => *first,
        _ => here.cpu?,
    };
    let conditions = Conditions { affinity: Some(vec![cpu]), ..base.conditions.clone() };
    Some(Cell { conditions, ..base.clone() })
}

/// Forbids idle states on the whole machine during the sleeps.
fn hold(base: &Cell, _: &LocalMachine) -> Vec<Cell> {
    let conditions = Conditions { latency_hold: Some(Nanos::ZERO), ..base.conditions.clone() };
    if base.conditions.latency_hold.is_some() { Vec::new() } else { vec![Cell { conditions, ..base.clone() }] }
}

/// Wakes the thread shortly before the deadline: caches are warm, and the processor idles briefly.
fn warm(base: &Cell, _: &LocalMachine) -> Vec<Cell> {
    let Some(requested) = request(base).filter(|requested| *requested >= Nanos::from_micros(400)) else {
        // With a shorter request the whole would be over before the first of the two sleeps had ended.
        return Vec::new();
    };
    let lead = Nanos::new(requested.get() / 2).min(Nanos::MILLISECOND);
    let conditions = Conditions { phase: Some(Phase::Warm { lead }), ..base.conditions.clone() };
    if base.conditions.phase.is_some() { Vec::new() } else { vec![Cell { conditions, ..base.clone() }] }
}

/// Replaces a duration by a deadline, or the reverse.
fn absolute(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    other_mode(&base.method).and_then(|other| by(base, other, here)).into_iter().collect()
}

/// Returns the method that differs from this one only in taking a deadline in place of a duration, or the reverse.
fn other_mode(method: &str) -> Option<MethodId> {
    MethodId::from_name(method)?.row().counterpart
}

/// Maximum number of other methods.
const MOST_METHODS: usize = 3;

/// Changes the method.
fn method(base: &Cell, here: &LocalMachine) -> Vec<Cell> {
    MethodId::substitutes().filter_map(|method| by(base, method, here)).take(MOST_METHODS).collect()
}

/// The requests are a quarter and four times the base's: a factor of 16 between them, at the cost of about four sleeps.
const LENGTH_FACTOR: i64 = 4;

/// Changes the length of the request.
fn length(base: &Cell, _: &LocalMachine) -> Vec<Cell> {
    let Some(requested) = request(base) else { return Vec::new() };
    let lengths =
        [Nanos::new(requested.get() / LENGTH_FACTOR), requested.checked_mul(LENGTH_FACTOR).unwrap_or(requested)];
    let with = |requested| Cell { pattern: Pattern::fixed(requested), ..base.clone() };
    lengths.into_iter().filter(|&other| other > Nanos::ZERO && other != requested).map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Conditions, Phase, Policy};
    use oversleep_sys::units::Nanos;

    fn here() -> LocalMachine {
        let methods =
            ["nanosleep", "clock-nanosleep", "clock-nanosleep-abs", "timerfd", "timerfd-abs", "select", "poll"];
        LocalMachine { cpu: Some(3), methods: methods.map(str::to_owned).to_vec(), slack: Some(Nanos::from_micros(50)) }
    }

    fn base(method: &str, conditions: &Conditions) -> Cell {
        let row = MethodId::from_name(method).unwrap().row();
        super::super::build::cell(7, row, Pattern::fixed(Nanos::MILLISECOND), conditions)
    }

    fn neighbour(cells: &[Cell]) -> &Cell {
        cells.iter().find(|cell| beside_neighbour(&cells[0], cell)).unwrap()
    }

    fn changes(base: &Cell) -> Vec<Change> {
        let cells = cells(base, &here());
        assert!(cells.iter().zip(0..).all(|(cell, id)| cell.id == id));
        cells[1..]
            .iter()
            .map(|cell| match &Change::between(&cells[0], cell)[..] {
                [one] => one.clone(),
                // A cell with a neighbour is compared with the pinned thread.
                [Change::Affinity { .. }, neighbour @ Change::Neighbour { .. }] => neighbour.clone(),
                // A counterpart without slack beside a neighbour is compared with the cell beside that neighbour.
                all if all.contains(&Change::Neighbour { threads: 1 }) => {
                    Change::between(neighbour(&cells), cell)[0].clone()
                }
                other => panic!("not one thing: {other:?}"),
            })
            .collect()
    }

    #[test]
    fn each_variant_differs_in_one_thing_and_no_two_are_alike() {
        for method in ["nanosleep", "clock-nanosleep-abs", "timerfd", "select"] {
            let base = base(method, &Conditions::default());
            let changes = changes(&base);
            assert!(changes.len() >= 15, "{method}: {changes:?}");
            assert!(!changes.contains(&Change::Other));
            let cells = cells(&base, &here());
            for (index, cell) in cells.iter().enumerate() {
                let again = |other: &Cell| Cell { id: cell.id, ..other.clone() } == *cell;
                assert!(!cells[..index].iter().any(again), "{method}: {cell:?} twice");
            }
        }
    }

    #[test]
    fn a_base_that_has_it_already_is_not_varied_in_it() {
        let conditions = Conditions {
            timer_slack: Some(Nanos::new(1)),
            policy: Some(Policy::Fifo { priority: 50 }),
            affinity: Some(vec![1]),
            ..Conditions::default()
        };
        let changes = changes(&base("nanosleep", &conditions));
        let slacks: Vec<_> = changes.iter().filter(|change| matches!(change, Change::Slack { .. })).collect();
        assert_eq!(slacks.len(), 2);
        let fifo = |change: &Change| matches!(change, Change::Policy { policy: Some(Policy::Fifo { .. }) });
        assert!(!changes.iter().any(fifo));
        assert!(!changes.iter().any(|change| matches!(change, Change::Affinity { .. })));
        assert!(changes.contains(&Change::Neighbour { threads: 1 }));
    }

    #[test]
    fn a_counterpart_of_each_slack_lasts_as_long_without_it() {
        let counterparts = |slack| {
            let base = base("nanosleep", &Conditions { timer_slack: slack, ..Conditions::default() });
            let cells = cells(&base, &here());
            let least = |change: &Change| matches!(change, Change::SlackAsLong { slack_ns: Some(slack), .. } if slack.get() == 1);
            let longer =
                cells.into_iter().filter(|cell| matches!(&Change::between(&base, cell)[..], [one] if least(one)));
            longer.filter_map(|cell| Some(cell.pattern.requested()?.get() - 1_000_000)).collect::<Vec<_>>()
        };
        assert_eq!(counterparts(None), [50_000, 1_000_000]);
        assert_eq!(counterparts(Some(Nanos::from_micros(70))), [50_000, 70_000, 1_000_000]);
    }

    #[test]
    fn a_deadline_stands_against_the_duration_of_the_same_timer() {
        let change_of = |method: &str| {
            changes(&base(method, &Conditions::default()))
                .into_iter()
                .find(|change| matches!(change, Change::Absolute { .. } | Change::Relative { .. }))
        };
        assert_eq!(change_of("nanosleep"), Some(Change::Absolute { method: "clock-nanosleep-abs".into() }));
        assert_eq!(change_of("clock-nanosleep-abs"), Some(Change::Relative { method: "clock-nanosleep".into() }));
        assert_eq!(change_of("timerfd-abs"), Some(Change::Relative { method: "timerfd".into() }));
        assert_eq!(change_of("select"), None);
    }

    #[test]
    fn warm_sleeps_wake_within_themselves() {
        let phase_of = |requested| {
            let base = Cell { pattern: Pattern::fixed(requested), ..base("nanosleep", &Conditions::default()) };
            cells(&base, &here()).into_iter().find_map(|cell| match cell.conditions.phase {
                Some(Phase::Warm { lead }) => Some(lead),
                _ => None,
            })
        };
        assert_eq!(phase_of(Nanos::from_micros(100)), None);
        assert_eq!(phase_of(Nanos::MILLISECOND), Some(Nanos::from_micros(500)));
        assert_eq!(phase_of(Nanos::SECOND), Some(Nanos::MILLISECOND));
    }
}
