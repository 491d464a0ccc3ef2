//! Kernels that share no code and no model with `source::sim`: a second, deliberately different generator, whose
//! recordings reach the diagnosis as CSV text, as a stranger's would.
//!
//! Shared with `cargo xtask bench diagnose`, which includes this file.

pub(crate) mod design;
pub(crate) mod judge;
pub(crate) mod kernel;

use super::random::Dice;
use design::Design;
use judge::Score;
use kernel::Foreign;

/// How many recordings one run makes.
pub(crate) const RECORDINGS: usize = 240;

/// Makes and judges one run of recordings; `explain` prints what was not right.
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
