//! How often statements with a given confidence are true.

use super::super::foreign::design::Design;
use super::super::foreign::kernel::{Foreign, Noise, Rule};
use super::super::random::Dice;
use super::mixtures::MIXTURES;
use super::verdict::{GroundTruth, Truth};
use super::{Case, KERNELS, MISLEADING, ODD, TABLES};
use oversleep_lab::analysis::patterns::{Cause, diagnose};
use oversleep_lab::import::csv;
use oversleep_recording::document::evidence::Rounding;
use std::collections::BTreeMap;

/// A statement: its cause, its confidence, and whether it is true.
pub(crate) type Statement = (Cause, f64, bool);

/// Returns the truth about a foreign kernel in a design.
pub(crate) fn truth_of(kernel: &Foreign, design: &Design) -> Truth {
    let spread = kernel.cost + 12.0 * kernel.scatter + 10.0 * kernel.read;
    let mut truth = match kernel.rule {
        Rule::Timer { slack, share, .. } => {
            let mut causes = Vec::new();
            causes.extend((slack > 0.0).then_some(Cause::TimerSlack));
            causes.extend((share > 0.0).then_some(Cause::ProportionalSlack));
            causes.push(Cause::ConstantCost);
            Truth { slack, share, ..Truth::cost(spread) }.mainly(&causes)
        }
        Rule::Up => Truth::tick(kernel.hz, &[Rounding::Up]),
        Rule::Counted | Rule::TickMore => Truth::tick(kernel.hz, &[Rounding::UpPlusOne]),
        Rule::Early => {
            // At one phase within the tick, the first tick at or after the time is the same.
            let one = matches!(design, Design::WallSecond { .. } | Design::Fixed { .. } | Design::Paused { .. });
            let rules: &[Rounding] = if one { &[Rounding::Early, Rounding::Up] } else { &[Rounding::Early] };
            Truth::tick(kernel.hz, rules)
        }
    };
    if kernel.ticks() {
        truth = truth.drifting(kernel.drift);
    }
    let early = kernel.rule == Rule::Early || kernel.drift < -5.0 || kernel.resolution > 900.0;
    truth.also.extend(early.then_some(Cause::EarlyWake));
    truth.also.extend(matches!(kernel.noise, Noise::Bursts { .. }).then_some(Cause::PeriodicInterference));
    truth.also.extend(matches!(design, Design::Methods { .. }).then_some(Cause::TimerWheel));
    // On any kernel, timeouts on the wheel end at ticks and therefore drift; rounding up to a slower tick looks like a
    // share.
    truth.hz = Some(kernel.hz);
    truth
}

/// Returns a case of a foreign kernel.
pub(crate) fn strange(dice: &mut Dice) -> Case {
    let noisy = dice.share() < 0.5;
    let kernel = Foreign::random(dice, noisy);
    let design = Design::random(dice, &kernel);
    let table = design.record(&kernel, dice);
    let recording = csv::read(table.as_bytes(), "foreign.csv").expect("the generator writes tables that can be read");
    Case { class: "strange kernels", recording, truth: truth_of(&kernel, &design) }
}

/// Returns the statements about `strange_ones` foreign kernels, and about `each` recordings of every class. A statement
/// about several cells of a recording counts once.
pub(crate) fn statements(seed: u64, strange_ones: usize, each: usize) -> Vec<Statement> {
    let mut dice = Dice(seed);
    let mut all = Vec::new();
    for _ in 0..strange_ones {
        all.extend(case_statements(&strange(&mut dice)));
    }
    for make in TABLES.iter().chain(KERNELS).chain(MISLEADING).chain(ODD) {
        for _ in 0..each {
            all.extend(case_statements(&make(&mut dice)));
        }
    }
    for make in MIXTURES {
        for _ in 0..each {
            all.extend(case_statements(&make(&mut dice)));
        }
    }
    all
}

/// Returns the statements about one recording, and prints the false ones.
fn case_statements<T: GroundTruth>(case: &Case<T>) -> Vec<Statement> {
    let mut own: BTreeMap<Cause, (f64, bool)> = BTreeMap::new();
    for (finding, wrong) in case.truth.check(&diagnose(&case.recording)) {
        let known = own.entry(finding.cause()).or_insert((finding.confidence, true));
        known.0 = known.0.max(finding.confidence);
        if let Some(wrong) = wrong.as_ref().filter(|_| known.1) {
            println!("    {} x {}: {wrong}", case.class, case.recording.samples.len());
        }
        known.1 &= wrong.is_none();
    }
    own.into_iter().map(|(cause, (sure, so))| (cause, sure, so)).collect()
}

/// Counts for one cause: statements, the sum of their confidence, and true statements.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Reliability {
    pub(crate) stated: usize,
    pub(crate) sure: f64,
    pub(crate) so: usize,
}

/// Groups statements by cause and by confidence in steps of a twentieth.
pub(crate) fn by_cause(statements: &[Statement]) -> BTreeMap<(Cause, u32), Reliability> {
    let mut counts: BTreeMap<(Cause, u32), Reliability> = BTreeMap::new();
    for &(cause, sure, so) in statements {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 20
        let count = counts.entry((cause, (sure * 20.0) as u32)).or_default();
        count.stated += 1;
        count.sure += sure;
        count.so += usize::from(so);
    }
    counts
}

/// Returns the mean distance between confidence and share of true statements, over all causes and steps.
pub(crate) fn calibration_error(statements: &[Statement]) -> f64 {
    let counts = by_cause(statements);
    let off: f64 = counts.values().map(|count| (count.sure - count.so as f64).abs()).sum();
    off / statements.len().max(1) as f64
}

/// Returns the counts as a Markdown table.
pub(crate) fn table(statements: &[Statement]) -> String {
    let mut text = String::from(
        "| cause | mean confidence | statements | true | share true |\n| --- | ---: | ---: | ---: | ---: |\n",
    );
    for ((cause, _), count) in by_cause(statements) {
        let n = count.stated as f64;
        let share = count.so as f64 / n;
        text += &format!("| `{cause}` | {:.3} | {} | {} | {share:.3} |\n", count.sure / n, count.stated, count.so);
    }
    text + &format!("\nExpected calibration error {:.3}.\n", calibration_error(statements))
}
