//! The second witness: one thing is changed, and the change of lateness shows a cause.
//!
//! [`intervene`] needs nothing but the recording of a `diagnose` plan: the cells show what differs between them, the
//! plan's turns which sleeps belong together. Within a block every variant has one turn, in random order, so that
//! swapping two of them changes nothing unless the variant has an effect: that is the test ([`randomise`]). Resampled
//! blocks give the interval (`compare`). An effect must survive Holm's correction for the number of tests
//! ([`oversleep_figures::holm`]). What effects show of causes is in [`cause`].

pub mod blocks;
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
    let awake = slack_variants::slacks_awake(&mut found, recording, &blocked, effort);
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
mod tests {
    use super::blocks::{AllBlocked, Blocked, gather};
    use super::paired_blocks::PairedBlocks;
    use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern, Plan, Turn};
    use oversleep_recording::{Flags, Meta, Origin, Recording, Sample};
    use oversleep_sys::units::Nanos;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn cell(id: u32) -> Cell {
        Cell {
            conditions: Conditions {
                timer_slack: (id > 0).then(|| Nanos::new(i64::from(id))),
                ..Conditions::default()
            },
            ..Cell::new(id, "nanosleep", Pattern::fixed(Nanos::MILLISECOND))
        }
    }

    fn recording(turns: &[(u32, u64)]) -> Recording {
        let turns = turns.iter().map(|&(cell, sleeps)| Turn { cell, sleeps }).collect();
        let plan = Plan { kind: Kind::Diagnose, cells: vec![cell(0), cell(1)], turns, seed: 3 };
        Recording::new(Meta::new("test", Origin::Live, plan))
    }

    fn late(cell: u32, sequence: u64, late: i64) -> Sample {
        let end = Nanos::MILLISECOND + Nanos::new(late);
        Sample { cell, sequence, requested: Nanos::MILLISECOND, end, ..Sample::BLANK }
    }

    #[test]
    fn sleeps_go_to_the_block_of_their_turn_and_first_ones_are_counted() {
        let mut recording = recording(&[(0, 3), (1, 3), (1, 3), (0, 3)]);
        recording.samples = (0..6).map(|number| late(0, number, number.cast_signed())).collect();
        // The other cell ended early, and one of its calls failed.
        recording.samples.extend((0..5).map(|number| late(1, number, 10 + number.cast_signed())));
        recording.samples[8].flags = Flags::FAILED;
        let AllBlocked { cells, warm_ups } = gather(&recording);
        assert_eq!(cells[0].blocks, [vec![1, 2], vec![4, 5]]);
        assert_eq!(cells[1].blocks, [vec![11], vec![14]]);
        assert_eq!(warm_ups, 4);
    }

    #[test]
    fn turns_of_one_sleep_keep_it() {
        let mut recording = recording(&[(0, 1), (1, 1), (0, 1), (1, 1)]);
        recording.samples = (0..2).map(|number| late(0, number, number.cast_signed())).collect();
        let blocked = gather(&recording);
        assert_eq!(blocked.cells[0].blocks, [vec![0], vec![1]]);
        assert_eq!(blocked.warm_ups, 0);
    }

    /// Quantiles from a single pass over sorted sleeps equal those from sorting each choice anew.
    #[test]
    fn quantiles_of_chosen_and_swapped_blocks_are_those_of_sorting() {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        for _ in 0..200 {
            let blocks = random.random_range(1..9);
            let mut blocked = || Blocked {
                cell: 0,
                blocks: (0..blocks)
                    .map(|_| (0..random.random_range(1..6)).map(|_| random.random_range(0..50)).collect())
                    .collect(),
            };
            let (a, b) = (blocked(), blocked());
            let pair = PairedBlocks::pair(&a, &b);
            let weights: Vec<usize> = (0..blocks).map(|_| random.random_range(0..3)).collect();
            let swaps: Vec<bool> = (0..blocks).map(|_| random.random()).collect();
            if weights.iter().all(|&weight| weight == 0) {
                continue;
            }
            let sorted = |variant: bool| {
                let mut all = Vec::new();
                for block in 0..blocks {
                    let from = if variant == swaps[block] { &a } else { &b };
                    (0..weights[block]).for_each(|_| all.extend_from_slice(&from.blocks[block]));
                }
                all.sort_unstable();
                all
            };
            let (reference, variant) = (sorted(false), sorted(true));
            let at = |all: &[i64], share| all[oversleep_figures::quantile::place(all.len(), share)];
            let expected = [0.1, 0.5, 0.99].map(|share| at(&variant, share) - at(&reference, share));
            assert_eq!(pair.shifts([0.1, 0.5, 0.99], |block| weights[block], |block| swaps[block]), expected);
        }
    }

    #[test]
    fn few_blocks_and_other_experiments_say_nothing() {
        let turns: Vec<(u32, u64)> = (0..11).flat_map(|_| [(0, 1), (1, 1)]).collect();
        let mut recording = recording(&turns);
        recording.samples = (0..11).flat_map(|number| [late(0, number, 50), late(1, number, 0)]).collect();
        assert_eq!(super::intervene(&recording), None);
        assert_eq!(gather(&recording).with_too_few_blocks(), [0, 1]);
        let turns: Vec<(u32, u64)> = (0..12).flat_map(|_| [(0, 1), (1, 1)]).collect();
        recording.meta.plan.turns = turns.iter().map(|&(cell, sleeps)| Turn { cell, sleeps }).collect();
        recording.samples.extend([late(0, 11, 50), late(1, 11, 0)]);
        assert!(gather(&recording).with_too_few_blocks().is_empty());
        let found = super::intervene(&recording).unwrap();
        // All twelve blocks differ in the same direction: by chance once in 2048, counting both directions.
        let effect = &found.effects[0];
        assert!(effect.p50.seen && effect.p50.p < 0.001 && effect.p99.is_none(), "{effect:?}");
        assert!((effect.p50.size + 50.0).abs() < 1e-9);
        recording.meta.plan.kind = Kind::Measure;
        assert_eq!(super::intervene(&recording), None);
    }
}
