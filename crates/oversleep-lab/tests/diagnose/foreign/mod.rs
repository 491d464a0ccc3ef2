//! Kernels that share no code and no model with `oversleep_sim`: a second generator, different on purpose, whose
//! recordings reach the diagnosis as CSV, as those of other programs would.
//!
//! Shared with `cargo xtask bench diagnose`, which includes this file.

pub(crate) mod design;
pub(crate) mod judge;
pub(crate) mod kernel;

use super::random::Dice;
use design::Design;
use judge::Score;
use kernel::Foreign;

/// Number of recordings in one run.
pub(crate) const RECORDINGS: usize = 240;

/// Makes and judges the recordings of one run; `explain` prints those that were not right.
pub(crate) fn run(seed: u64, noisy: bool, explain: bool) -> Score {
    let mut dice = Dice(seed);
    let mut score = Score::default();
    for number in 0..RECORDINGS {
        let kernel = Foreign::random(&mut dice, noisy);
        let design = Design::random(&mut dice, &kernel);
        let table = design.record(&kernel, &mut dice);
        let verdict = judge::judge(&kernel, &design, &table);
        if explain && (!verdict.wrong.is_empty() || !verdict.foreign.is_empty()) {
            println!(
                "{} {seed}/{number} {design:?} {kernel:?}\n    wrong {:?}, false {:?}",
                if noisy { "noisy" } else { "quiet" },
                verdict.wrong,
                verdict.foreign
            );
        }
        score.add(&verdict);
    }
    score
}
