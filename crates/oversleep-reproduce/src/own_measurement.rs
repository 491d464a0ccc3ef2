//! Measurements of this machine for the publications: the plan for each, and the lookup of its results.

use super::PublicationId;
use oversleep_figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_recording::Recording;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::build::{self, Grid};
use oversleep_recording::plan::{Conditions, Load, LoadKind, Pattern, Plan};
use oversleep_recording::{Flags, Sample};
use oversleep_sys::units::Nanos;

/// Largest number of busy threads in O'Neill's program.
pub(super) const BESIDE: u16 = 5;

/// Returns the plan of a measurement on this machine for a publication, which takes about ten seconds; `None` if no
/// sleep on a current system can be compared, or if clocks are surveyed instead.
pub fn plan(source: PublicationId) -> Option<Plan> {
    let fixed = |ms: i64| Pattern::fixed(Nanos::from_millis(ms));
    match source {
        PublicationId::Herman => Some(build::wall_second(MethodId::Usleep.row(), 5, &Conditions::default(), 1)),
        PublicationId::Rizzo => {
            let none = [Conditions::default()];
            let short = Grid { rows: &[MethodId::Usleep.row()], requests: &[fixed(1)], conditions: &none };
            let long = Grid {
                rows: &[MethodId::Usleep.row(), MethodId::Select.row()],
                requests: &[fixed(1_000)],
                conditions: &none,
            };
            Some(joined([build::measure(&short, 200, 1), build::measure(&long, 5, 1)]))
        }
        PublicationId::Oneill => {
            let beside: Vec<Conditions> = (0..=BESIDE).map(conditions).collect();
            let sleeps = Grid { rows: &[MethodId::Nanosleep.row()], requests: &[fixed(1)], conditions: &beside };
            let yields = Grid { rows: &[MethodId::SchedYield.row()], requests: &[fixed(0)], conditions: &beside };
            Some(joined([build::measure(&sleeps, 100, 1), build::measure(&yields, 50, 1)]))
        }
        PublicationId::Clocks | PublicationId::Dragonfly | PublicationId::Field => None,
    }
}

fn conditions(busy: u16) -> Conditions {
    let load = (busy > 0).then_some(Load { threads: busy, kind: LoadKind::Spin });
    Conditions { load, ..Conditions::default() }
}

/// Joins two plans, to run one after the other.
fn joined([mut first, second]: [Plan; 2]) -> Plan {
    let shift = u32::try_from(first.cells.len()).unwrap_or(u32::MAX);
    first.cells.extend(second.cells.into_iter().map(|mut cell| {
        cell.id += shift;
        cell
    }));
    first.turns.extend(second.turns.into_iter().map(|mut turn| {
        turn.cell += shift;
        turn
    }));
    first
}

/// The measurement of this machine, if one was made.
pub(super) struct OwnMeasurement<'a>(pub(super) Option<&'a Recording>);

impl OwnMeasurement<'_> {
    /// Returns the oversleeps of the first cell, in order.
    pub(super) fn first_cell(&self) -> Vec<f64> {
        self.latenesses(|cell| cell == 0)
    }

    fn latenesses(&self, wanted: impl Fn(u32) -> bool) -> Vec<f64> {
        let sound = |sample: &&Sample| wanted(sample.cell) && !sample.flags.has(Flags::FAILED);
        let samples = self.0.iter().flat_map(|recording| &recording.samples);
        samples.filter(sound).map(|sample| sample.oversleep().as_f64()).collect()
    }

    /// Returns the median oversleep, in ns, of a method, request and number of busy threads; `None` if there are too
    /// few sleeps.
    pub(super) fn median(&self, method: MethodId, asked: Nanos, busy: u16) -> Option<f64> {
        let wanted = Pattern::fixed(asked);
        let cell = self.0?.meta.plan.cells.iter().find(|cell| {
            let threads = cell.conditions.load.map_or(0, |load| load.threads);
            cell.method == method.name() && cell.pattern == wanted && threads == busy
        })?;
        let mut late = self.latenesses(|id| id == cell.id);
        late.sort_by(f64::total_cmp);
        supports_quantile(late.len() as u64, Fraction::P50).then(|| of_sorted(&late, Fraction::P50)).flatten()
    }

    /// Returns the cost of a call of each clock in its longest loop, in nanoseconds.
    pub(super) fn clock_costs(&self) -> Vec<(String, f64)> {
        let survey = self.0.and_then(|recording| recording.note.clocks.as_ref());
        let clocks = survey.into_iter().flat_map(|survey| &survey.clocks);
        clocks
            .filter_map(|clock| {
                let longest = clock.costs.iter().max_by_key(|cost| cost.calls)?;
                let each = longest.total.as_f64() / longest.calls as f64;
                Some((format!("{}, {} calls", clock.clock, longest.calls), each))
            })
            .collect()
    }
}
