//! A survey of clocks, for programs.

use super::drift;
use crate::analysis::clocks::Steps;
use crate::capture::clocks::{Across, Measured, Survey};
use oversleep_sys::clock::counter::Support;
use oversleep_sys::clock::{Backwards, Probe};
use oversleep_sys::units::Nanos;
use serde_json::{Value, json};

/// The survey: every clock in the catalogue's order, every pair's drift. What was not measured is `null`.
pub fn json(survey: &Survey) -> Value {
    let clocks: Vec<_> = survey.clocks.iter().map(clock).collect();
    let unavailable: Vec<_> = survey
        .unavailable
        .iter()
        .map(|(id, refusal)| json!({"what": id.name(), "kind": refusal.kind(), "why": refusal.reason()}))
        .collect();
    let drift: Vec<_> = drift::pairs(survey)
        .into_iter()
        .map(|(faster, slower, found)| {
            json!({
                "clock": faster.name(),
                "against": slower.name(),
                "drift_ppm": found.rate,
                "low_ppm": found.low,
                "high_ppm": found.high,
                "confidence": 0.95,
                "rounds": found.rounds,
                "left_out": found.left_out,
            })
        })
        .collect();
    json!({
        "format": 1,
        "tool": {"name": "oversleep", "version": env!("CARGO_PKG_VERSION")},
        "clocks": clocks,
        "drift": drift,
        "drift_window_ns": survey.drift,
        "too_coarse_for_drift": survey.too_coarse.iter().map(|id| id.name()).collect::<Vec<_>>(),
        "counter": survey.counter.as_ref().ok().map(counter),
        "stopped": survey.stopped,
        "unavailable": unavailable,
    })
}

fn counter(support: &Support) -> Value {
    json!({
        "invariant": support.invariant,
        "nominal_hz": support.nominal.map(oversleep_sys::units::Hertz::as_f64),
        "clocksource": support.clocksource,
        "trusted": support.trusted(),
    })
}

fn clock(measured: &Measured) -> Value {
    let probe = &measured.probe;
    let row = probe.id().row();
    let costs: Vec<_> = measured
        .costs
        .iter()
        .map(|cost| json!({"calls": cost.calls, "total_ns": cost.total, "per_call_ns": cost.per_call()}))
        .collect();
    json!({
        "clock": row.name,
        "call": row.call,
        "counts": row.counts.name(),
        "steered": row.steered.name(),
        "suspend": row.suspend.name(),
        "may_go_backwards": row.backwards != Backwards::Never,
        "backwards": row.backwards.name(),
        "source": row.source,
        "rate_hz": probe.rate().as_f64(),
        "costs": costs,
        "claimed_resolution_ns": probe.claimed(),
        "steps": measured.steps.map(|found| steps(probe, found)),
        "across_cpus": measured.across.as_ref().map(across),
    })
}

fn nanos(probe: &Probe, ticks: u64) -> Nanos {
    probe.nanos(i64::try_from(ticks).unwrap_or(i64::MAX))
}

fn steps(probe: &Probe, found: Steps) -> Value {
    let per_tick = 1e9 / probe.rate().as_f64();
    json!({
        "reads": found.reads,
        "smallest_ticks": found.smallest,
        "smallest_ns": found.smallest.map(|ticks| ticks as f64 * per_tick),
        "repeated_share": found.repeated_share(),
        "backwards": found.backwards,
        "worst_backwards_ns": nanos(probe, found.worst_backwards),
    })
}

fn across(found: &Across) -> Value {
    match found {
        Across::Not(why) => json!({"compared": false, "why": why}),
        Across::Compared(found) => json!({
            "compared": true,
            "pinned": found.pinned,
            "reads": found.reads,
            "earlier": found.earlier,
            "worst_ticks": found.worst_ticks,
            "worst_ns": found.worst,
        }),
    }
}
