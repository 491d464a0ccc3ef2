//! The second witness: one thing is changed, and the change of lateness shows a cause.
//!
//! [`intervene`] needs nothing but the recording of a `diagnose` plan: the cells show what differs between them, the
//! plan's turns which sleeps belong together. Within a block every variant has one turn, in random order, so that
//! swapping two of them changes nothing unless the variant has an effect: that is the test ([`randomise`]). Resampled
//! blocks give the interval ([`bootstrap`]). An effect must survive Holm's correction for the number of tests
//! ([`oversleep_figures::holm`]). What effects show of causes is in [`cause`], in a file each.

mod awake;
pub mod blocks;
pub mod bootstrap;
pub mod cause;
mod compare;
mod contrast;
mod effect;
mod in_force;
mod paired_blocks;
pub mod randomise;
mod slack_variants;

pub use compare::Effort;
pub use oversleep_recording::document::{CauseSize, Effect, Interventions, Shift, SizeInterval};

use oversleep_recording::Recording;
use oversleep_recording::plan::Kind;
use oversleep_sys::units::Nanos;

/// Returns what a recording's interventions show; `None` if it has none, or too few blocks for any comparison.
pub fn intervene(recording: &Recording) -> Option<Interventions> {
    intervene_with(recording, Effort::default())
}

/// Returns the same as [`intervene`], with this many random draws.
pub fn intervene_with(recording: &Recording, effort: Effort) -> Option<Interventions> {
    if recording.meta.plan.kind != Kind::Diagnose {
        return None;
    }
    let recording = &*recording.untraced();
    let cells = &recording.meta.plan.cells;
    let blocked = blocks::gather(recording);
    let contrasts = contrast::all(cells);
    let mut effects: Vec<Effect> = contrasts
        .into_iter()
        .filter_map(|contrast| compare::effect(&blocked, contrast, effort, recording.meta.plan.seed))
        .collect();
    if effects.is_empty() {
        return None;
    }
    let tries = effect::correct(&mut effects);
    let base = blocked.cells.first()?;
    let mut found = Interventions {
        base: cells.first()?.id,
        blocks: base.blocks.iter().filter(|block| !block.is_empty()).count(),
        sleeps: base.blocks.iter().map(Vec::len).sum(),
        warm_ups: blocked.warm_ups,
        base_p50_ns: base.quantile(0.5),
        base_p99_ns: base.p99(),
        tries,
        effects,
        readings: Vec::new(),
        open: Vec::new(),
        round: round(recording),
    };
    found.readings = cause::read(&found, recording);
    found.open = cause::open(&found, recording);
    let awake = awake::slacks(&mut found, recording, &blocked, effort);
    found.readings.extend(slack_variants::slacks(recording, &blocked, effort, awake));
    found.readings = found.readings.into_iter().filter_map(cause::possible).collect();
    Some(found)
}

/// Returns the time that one sleep of every cell took, all together; zero without sleeps.
fn round(recording: &Recording) -> Nanos {
    let first = || recording.samples.iter().filter(|sample| sample.thread == 0);
    let base = recording.meta.plan.cells.first().map(|cell| cell.id);
    let rounds = first().filter(|sample| Some(sample.cell) == base).count();
    let slept: f64 = first().map(|sample| (sample.end - sample.start).as_f64()).sum();
    Nanos::from_f64(if rounds > 0 { slept / rounds as f64 } else { 0.0 })
}

#[cfg(test)]
mod tests;
