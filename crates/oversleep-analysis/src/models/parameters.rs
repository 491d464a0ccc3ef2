//! Converts findings to models.

use super::group::ModelledGroup;
use crate::patterns::{Cause, Diagnosis, Finding};
use oversleep_recording::catalog::{MethodId, Mode};
use oversleep_recording::document::Model;
use oversleep_recording::document::evidence::{
    ProportionalSlack, Quanta, Rounding, RunQueue, TickQuantised, TimerWheel,
};

/// What a diagnosis contains about one group's kernel.
pub(super) struct Found {
    /// The models that it allows: several where it leaves a rate or a rule open. Their phase is not fitted yet.
    pub(super) candidates: Vec<Model>,
    /// Whether the rounding rule is known.
    pub(super) rule_told: bool,
    /// The rates that it allows, in Hz, if several.
    pub(super) hz_open: Vec<f64>,
}

impl Found {
    fn one(model: Model) -> Self {
        Self { candidates: vec![model], rule_told: true, hz_open: Vec::new() }
    }
}

/// Returns the models of a group; the error says why there are none.
pub(super) fn found(group: &ModelledGroup, diagnosis: &Diagnosis) -> Result<Found, &'static str> {
    let yields = MethodId::from_name(&group.method).is_some_and(|id| id.row().mode == Mode::Yield);
    if yields {
        return Err("they asked for no time, or for one that is not known");
    }
    let cells: Vec<&[Finding]> = diagnosis
        .cells
        .iter()
        .filter(|cell| group.cells.contains(&cell.cell))
        .map(|cell| cell.findings.as_slice())
        .collect();
    let first = |cause| cells.iter().find_map(|found| found.iter().find(|finding| finding.cause() == cause));
    let cost = cost(&cells);
    if let Some(queue) = first(Cause::RunQueue) {
        let quanta = queue.evidence.get::<RunQueue>().and_then(|queue| queue.quanta.as_ref());
        let Quanta { quantum_ns, threads, .. } = quanta.ok_or("they waited for threads whose quanta do not show")?;
        let threads = u16::try_from((*threads).clamp(1, 1_000)).unwrap_or(1_000);
        return Ok(Found::one(Model { queue: Some((*quantum_ns, threads)), ..Model::default() }));
    }
    let wheel = first(Cause::TimerWheel).and_then(|finding| finding.evidence.get()).map(of_wheel);
    let tick = || first(Cause::TickQuantised).and_then(|finding| finding.evidence.get()).map(of_tick);
    if let Some(tick) = wheel.or_else(tick) {
        return ticks(tick, drift(diagnosis), cost.unwrap_or(0.0));
    }
    let (slack, share) = (first(Cause::TimerSlack), first(Cause::ProportionalSlack));
    if slack.is_none() && share.is_none() && cost.is_none() {
        return Err("nothing was found that a kernel could be made of");
    }
    let model = Model {
        cost: cost.unwrap_or(0.0),
        slack: slack.map_or(0.0, |finding| finding.size.max(0.0)),
        share: share.map_or(0.0, |finding| finding.size.max(0.0)),
        cap: share.and_then(|finding| finding.evidence.get::<ProportionalSlack>()?.cap_ns),
        ..Model::default()
    };
    Ok(Found::one(model))
}

/// The ticks that the evidence leaves possible; rates in Hz.
struct Ticks {
    rates: Vec<f64>,
    /// The tick's length, in ns.
    length: Option<f64>,
    told: Option<Rounding>,
    open: Vec<Rounding>,
    wheel: bool,
}

fn of_wheel(evidence: &TimerWheel) -> Ticks {
    Ticks {
        rates: evidence.hz.iter().copied().collect(),
        length: evidence.tick_ns,
        told: *evidence.rounding,
        open: Vec::new(),
        wheel: true,
    }
}

fn of_tick(evidence: &TickQuantised) -> Ticks {
    let candidates = || evidence.hz_candidates.clone().unwrap_or_default();
    Ticks {
        rates: evidence.hz.map_or_else(candidates, |hz| vec![hz]),
        length: evidence.tick_ns(),
        told: *evidence.rounding,
        open: evidence.rounding_consistent.clone().unwrap_or_default(),
        wheel: false,
    }
}

/// Returns one model for each rate and rule that the finding leaves possible.
fn ticks(tick: Ticks, ppm: f64, cost: f64) -> Result<Found, &'static str> {
    let Ticks { rates, length: seen, told, open, wheel } = tick;
    let rules = match (told, open.is_empty()) {
        (Some(rule), _) => vec![rule],
        (None, false) => open,
        (None, true) => vec![Rounding::Up, Rounding::UpPlusOne],
    };
    let single = rates.len() == 1;
    let length = |hz: f64| seen.filter(|_| single).unwrap_or(1e9 / hz * (1.0 + ppm * 1e-6));
    let model = |hz: f64, rule: Rounding| Model {
        hz: Some(hz),
        tick: Some(length(hz)),
        rule: (!wheel).then_some(rule),
        wheel,
        cost,
        ..Model::default()
    };
    let candidates: Vec<Model> = rates
        .iter()
        .filter(|hz| **hz > 0.0)
        .flat_map(|&hz| rules.iter().map(move |&rule| (hz, rule)))
        .map(|(hz, rule)| model(hz, rule))
        .collect();
    if candidates.is_empty() {
        return Err("the tick's rate is open");
    }
    let hz_open = if single { Vec::new() } else { rates };
    Ok(Found { candidates, rule_told: told.is_some() || wheel, hz_open })
}

/// Returns the drift found, in ppm; 0 without one.
fn drift(diagnosis: &Diagnosis) -> f64 {
    let drift = diagnosis.machine.iter().find(|finding| finding.cause() == Cause::ClockDrift);
    drift.map_or(0.0, |finding| finding.size)
}

/// Returns the median of the wake-up costs found in the cells, in ns.
fn cost(cells: &[&[Finding]]) -> Option<f64> {
    let of_cell =
        |found: &&[Finding]| found.iter().find(|finding| finding.cause() == Cause::ConstantCost).map(|f| f.size);
    let mut costs: Vec<f64> = cells.iter().filter_map(of_cell).collect();
    costs.sort_by(f64::total_cmp);
    costs.get(costs.len().checked_sub(1)? / 2).copied()
}
