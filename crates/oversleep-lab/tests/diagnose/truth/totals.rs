//! One table over all recordings with a known truth: numbers of right, open and false diagnoses, and their confidence.

use super::super::random::{self, Dice};
use super::mixtures::MIXTURES;
use super::reliability::{self, Statement};
use super::verdict::{GroundTruth, HEAD, Tally, Truth, Verdict, judge};
use super::{Case, KERNELS, MISLEADING, Make, ODD, TABLES, presets};
use oversleep_lab::analysis::patterns::{Cause, diagnose};
use oversleep_recording::document::evidence::Rounding;

/// Numbers of recordings of each kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    /// Random simulated kernels, per noise level.
    pub(crate) own: usize,
    /// Foreign kernels.
    pub(crate) strange: usize,
    /// Recordings of each class of tables.
    pub(crate) each: usize,
    /// Recordings of each awkward design.
    pub(crate) awkward: usize,
    /// Number of experiments on each preset.
    pub(crate) designs: usize,
    /// Step through the presets: 1 for every one, 2 for every second, and so on.
    pub(crate) step: usize,
}

/// Returns a case of a random simulated kernel.
fn own(dice: &mut Dice, number: usize, noisy: bool) -> Case {
    let (kernel, so) = if number % 5 < 4 {
        random::tick_kernel(dice, random::RATES, noisy)
    } else {
        random::timer_kernel(dice, noisy)
    };
    let mut recording = random::record(&kernel, &random::random_phase(), dice.next());
    if noisy {
        random::disturb(&mut recording, dice);
    }
    let rule = match so.rounding {
        "early" => Rounding::Early,
        "up-plus-one" => Rounding::UpPlusOne,
        _ => Rounding::Up,
    };
    let truth = if let Some(hz) = so.hz {
        Truth::tick(f64::from(hz), &[rule]).drifting(so.drift_ppm).and(&[Cause::EarlyWake, Cause::CachedClock])
    } else {
        let mut causes = Vec::new();
        causes.extend((so.slack_ns > 0.0).then_some(Cause::TimerSlack));
        causes.extend((so.ratio > 0.0).then_some(Cause::ProportionalSlack));
        causes.push(Cause::ConstantCost);
        Truth { slack: so.slack_ns, share: so.ratio, ..Truth::cost(250e3) }.mainly(&causes)
    };
    Case { class: "own kernels", recording, truth }
}

/// The counts for one kind of recordings.
#[derive(Default)]
struct KindTotals {
    tally: Tally,
    statements: Vec<Statement>,
}

impl KindTotals {
    fn add<T: GroundTruth>(&mut self, name: &str, case: &Case<T>) {
        let found = diagnose(&case.recording);
        let verdict = judge(&found, &case.truth);
        self.tally.count(&verdict);
        if let Verdict::False(wrong) = &verdict {
            println!("    {name}: {} (so is: {})", wrong.join("; "), case.truth.about());
        }
        for (finding, wrong) in case.truth.check(&found) {
            self.statements.push((finding.cause(), finding.confidence, wrong.is_none()));
        }
    }

    /// Returns the counts for `each` recordings of every class.
    fn count<T: GroundTruth>(makes: &[Make<T>], each: usize, dice: &mut Dice) -> Self {
        let mut row = Self::default();
        for make in makes {
            for _ in 0..each {
                let case = make(dice);
                row.add(case.class, &case);
            }
        }
        row
    }
}

/// Makes and judges all recordings; returns the table in Markdown, the counts of all, and the calibration error.
pub(crate) fn run(seed: u64, counts: Counts) -> (String, Tally, f64) {
    let mut dice = Dice(seed);
    let mut rows: Vec<(String, KindTotals)> = Vec::new();
    for noisy in [false, true] {
        let mut row = KindTotals::default();
        for number in 0..counts.own {
            row.add("own kernels", &own(&mut dice, number, noisy));
        }
        rows.push((format!("own kernels, {}", if noisy { "noisy" } else { "quiet" }), row));
    }
    let mut row = KindTotals::default();
    for _ in 0..counts.strange {
        row.add("strange kernels", &reliability::strange(&mut dice));
    }
    rows.push(("strange kernels".to_owned(), row));
    for (name, makes, each) in [
        ("tables made by hand", TABLES, counts.each),
        ("misleading tables", MISLEADING, counts.each),
        ("awkward designs", KERNELS, counts.awkward),
        ("presets with odd parameters", ODD, 10 * counts.awkward),
    ] {
        rows.push((name.to_owned(), KindTotals::count(makes, each, &mut dice)));
    }
    let mut row = KindTotals::default();
    for preset in presets::names().into_iter().step_by(counts.step) {
        // Its own draws, so that a new preset changes none of the others'.
        let mut dice = Dice(preset.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())));
        let at = usize::try_from(dice.next() % presets::DESIGNS.len() as u64).unwrap_or(0);
        for &design in presets::DESIGNS.iter().cycle().skip(at).take(counts.designs) {
            row.add(&format!("{preset}, {}", design.0), &presets::case(&preset, design, dice.next()));
        }
    }
    rows.push(("presets x experiments x phases".to_owned(), row));
    rows.push(("mixtures".to_owned(), KindTotals::count(MIXTURES, counts.each, &mut Dice(seed.wrapping_add(1)))));
    table(&rows)
}

fn table(rows: &[(String, KindTotals)]) -> (String, Tally, f64) {
    let (mut text, mut all) = (format!("{HEAD}\n"), KindTotals::default());
    for (name, row) in rows {
        text += &format!("{}\n", row.tally.row(name));
        all.tally.add(&row.tally);
        all.statements.extend(&row.statements);
    }
    text += &format!("{}\n", all.tally.row("all"));
    let error = reliability::calibration_error(&all.statements);
    text += &format!(
        "\nFalse: {:.2} %. Expected calibration error of {} statements: {error:.3}.\n",
        100.0 * all.tally.wrong as f64 / all.tally.all().max(1) as f64,
        all.statements.len()
    );
    (text, all.tally, error)
}
