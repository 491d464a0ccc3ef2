//! Sleeps made up by a rule, in the order of a real plan.

use oversleep_recording::plan::{Cell, Conditions, Pattern, Plan, build};
use oversleep_recording::{Meta, Origin, Recording, Sample};
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns a baseline, and variants with slacks of 1 ns, 2 ns, and so on.
pub(crate) fn cells(variants: u32) -> Vec<Cell> {
    let cell = |id: u32| Cell {
        conditions: Conditions { timer_slack: (id > 0).then(|| Nanos::new(id.into())), ..Conditions::default() },
        ..Cell::new(id, "nanosleep", Pattern::fixed(Nanos::MILLISECOND))
    };
    (0..=variants).map(cell).collect()
}

/// Returns a recording of this plan without samples.
pub(crate) fn empty(plan: Plan) -> Recording {
    Recording::new(Meta::new("test", Origin::Live, plan))
}

/// Distribution of lateness, in µs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lateness {
    /// Constant part.
    pub(crate) base: f64,
    /// Mean of the exponential part of each sleep.
    pub(crate) each: f64,
    /// One in this many sleeps is later by Exp(1 ms); 0 for none.
    pub(crate) outlier: u32,
    /// Mean of the exponential part that all sleeps of a block share.
    pub(crate) common: f64,
}

/// Makes a recording of a plan; `shift` returns how much later a cell is, in µs.
pub(crate) fn record(
    cells: Vec<Cell>,
    seconds: i64,
    how: Lateness,
    shift: impl Fn(u32) -> f64,
    seed: u64,
) -> Recording {
    let plan = build::diagnose(cells, Nanos::from_secs(seconds), seed);
    let mut random = Pcg64Mcg::seed_from_u64(seed ^ 0x5eed);
    let mut recording = empty(plan);
    let mut next = vec![0; recording.meta.plan.cells.len()];
    let mut now = Nanos::ZERO;
    let mut common = 0.0;
    for (number, turn) in recording.meta.plan.turns.clone().into_iter().enumerate() {
        if number % next.len() == 0 {
            common = exponential(&mut random, how.common);
        }
        for _ in 0..turn.sleeps {
            let mut late = how.base + common + exponential(&mut random, how.each) + shift(turn.cell);
            if how.outlier > 0 && random.random_range(0..how.outlier) == 0 {
                late += exponential(&mut random, 1_000.0);
            }
            let end = now + Nanos::MILLISECOND + Nanos::from_f64(late * 1e3);
            let sequence = &mut next[turn.cell as usize];
            let requested = Nanos::MILLISECOND;
            recording.samples.push(Sample {
                cell: turn.cell,
                sequence: *sequence,
                requested,
                start: now,
                end,
                ..Sample::BLANK
            });
            *sequence += 1;
            now = end;
        }
    }
    recording
}

fn exponential(random: &mut Pcg64Mcg, mean: f64) -> f64 {
    let unit: f64 = random.random();
    -mean * (1.0 - unit).ln()
}
