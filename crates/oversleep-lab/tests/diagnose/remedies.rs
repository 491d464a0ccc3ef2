//! Predictions of what a remedy is worth, on made-up machines whose cost of waking depends on the length of the sleep,
//! the slack, the scheduling class and the run: how many intervals hold what is then measured.

use crate::random::Dice;
use oversleep_lab::analysis::patterns::{Cause, diagnose};
use oversleep_recording::document::{PredictedQuantile, Remedy};
use oversleep_recording::machine::IdleState;
use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern, Plan};
use oversleep_recording::{Flags, Meta, Note, Obtained, Origin, Recording, Sample};
use oversleep_sys::units::Nanos;
use std::fmt;

const SLEEPS: u64 = 1_000;

/// A made-up machine. Parts are logarithms of a factor of the cost.
struct Machine {
    /// Cost of waking from 1 ms, in ns.
    cost: f64,
    /// Exponent with which it grows with the length of the sleep.
    exponent: f64,
    /// What it loses with the slack, and under a real-time policy.
    without_slack: f64,
    real_time: f64,
    /// Share of sleeps with a further delay, and its mean in ns.
    delayed: f64,
    delay: f64,
}

impl Machine {
    /// Returns a machine like those that the constants of the prediction were measured on, and others around them.
    fn any(dice: &mut Dice) -> Self {
        Self {
            cost: dice.between(5e3, 60e3),
            exponent: 0.12 + 0.09 * normal(dice),
            without_slack: dice.between(0.0, 0.06),
            real_time: 0.05 + 0.05 * normal(dice),
            delayed: dice.between(0.0, 0.05),
            delay: dice.between(20e3, 100e3),
        }
    }

    /// Returns the latenesses of one run; `run`: the logarithm of the factor by which it costs more than another.
    fn lates(&self, dice: &mut Dice, requested: f64, slack: f64, real_time: bool, run: f64) -> Vec<i64> {
        let less = if slack > 1.0 { 0.0 } else { self.without_slack } + if real_time { self.real_time } else { 0.0 };
        let late = |dice: &mut Dice| {
            let cost = self.cost * (self.exponent * ((requested + slack) / 1e6).ln() + run - less).exp();
            let cost = cost * (0.15 * normal(dice)).exp();
            let delay = if dice.share() < self.delayed { dice.exponential(self.delay) } else { 0.0 };
            // A tick of 250 Hz ends some sleeps within their slack.
            let early = if dice.share() < slack * 250e-9 { dice.between(0.0, slack) } else { 0.0 };
            Nanos::from_f64(slack - early + cost + delay).get()
        };
        (0..SLEEPS).map(|_| late(dice)).collect()
    }
}

/// Returns a number whose mean is 0 and whose standard deviation is 1, nearly normal.
fn normal(dice: &mut Dice) -> f64 {
    (0..12).map(|_| dice.share()).sum::<f64>() - 6.0
}

/// Returns a recording with one cell per request, whose slack was read back.
fn recording(cells: &[(i64, Vec<i64>)], slack: f64) -> Recording {
    let conditions = Conditions { timer_slack: Some(Nanos::from_f64(slack)), ..Conditions::default() };
    let (mut samples, mut now) = (Vec::new(), 1_000_000_000);
    for sequence in 0..SLEEPS {
        for (cell, (requested, lates)) in (0..).zip(cells) {
            let start = now + 700 + i64::try_from(sequence % 7).unwrap() * 131;
            now = start + requested + lates[usize::try_from(sequence).unwrap()];
            samples.push(Sample {
                cell,
                thread: 0,
                sequence,
                requested: Nanos::new(*requested),
                deadline: None,
                start: Nanos::new(start),
                end: Nanos::new(now),
                cpu_start: 0,
                cpu_end: 0,
                flags: Flags::default(),
                ..Sample::BLANK
            });
        }
    }
    let cell = |(id, (requested, _)): (u32, &(i64, Vec<i64>))| Cell {
        conditions: conditions.clone(),
        ..Cell::new(id, "nanosleep", Pattern::Fixed { requested: Nanos::new(*requested) })
    };
    let plan = Plan { kind: Kind::Measure, cells: (0..).zip(cells).map(cell).collect(), turns: Vec::new(), seed: 0 };
    let obtained = |(cell, _)| Obtained { cell, thread: 0, conditions: conditions.clone() };
    let note = Note { obtained: (0..).zip(cells).map(obtained).collect(), ..Note::default() };
    let mut meta = Meta::new("test", Origin::Live, plan);
    meta.machine.system = "Linux".into();
    Recording { meta, samples, note }
}

/// Predictions of one quantile beside what was measured.
#[derive(Default)]
struct Tally {
    tried: usize,
    stated: usize,
    held: usize,
    off: Vec<f64>,
}

impl Tally {
    fn add(&mut self, predicted: Option<PredictedQuantile>, sorted: &[i64], share: f64) {
        self.tried += 1;
        let Some(PredictedQuantile { after_ns, low_ns, high_ns, .. }) = predicted else { return };
        let measured = sorted[oversleep_lab::figures::quantile::place(sorted.len(), share)];
        self.stated += 1;
        self.held += usize::from((low_ns..=high_ns).contains(&measured));
        self.off.push((after_ns as f64 / measured as f64 - 1.0).abs());
    }

    fn share_held(&self) -> f64 {
        self.held as f64 / self.stated as f64
    }

    fn share_within(&self, limit: f64) -> f64 {
        self.off.iter().filter(|off| **off <= limit).count() as f64 / self.stated as f64
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (held, tenth, fifth) = (self.share_held(), self.share_within(0.1), self.share_within(0.2));
        write!(
            f,
            "{} of {} stated, {held:.3} held, {tenth:.3} and {fifth:.3} within 10 and 20 %",
            self.stated, self.tried
        )
    }
}

/// Predicts for a cell, and measures on a further run.
fn pair(
    machine: &Machine,
    dice: &mut Dice,
    recording: &Recording,
    (cell, requested): (usize, i64),
    tallies: &mut [Tally; 2],
) {
    let found = diagnose(recording);
    let slack = found.cells[cell].findings.iter().find(|finding| finding.cause() == Cause::TimerSlack);
    let slack = slack.expect("the slack");
    for real_time in [false, true] {
        let of = |remedy: &&Remedy| remedy.makes_real_time() == real_time;
        let predicted = slack.remedy.iter().find(of).expect("a remedy of each kind").predicted;
        let run = 0.06 * normal(dice);
        let mut lates = machine.lates(dice, requested as f64, 1.0, real_time, run);
        lates.sort_unstable();
        tallies[0].add(predicted.and_then(|it| it.p50), &lates, 0.5);
        tallies[1].add(predicted.and_then(|it| it.p99), &lates, 0.99);
    }
}

const REQUESTS: [i64; 3] = [250_000, 1_000_000, 4_000_000];

#[test]
fn nine_intervals_of_ten_hold_what_is_measured() {
    let mut tallies = [Tally::default(), Tally::default()];
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let machine = Machine::any(&mut dice);
        for (requested, slack) in REQUESTS.into_iter().flat_map(|asked| [(asked, 50e3), (asked, 500e3)]) {
            let lates = machine.lates(&mut dice, requested as f64, slack, false, 0.0);
            let recording = recording(&[(requested, lates)], slack);
            pair(&machine, &mut dice, &recording, (0, requested), &mut tallies);
        }
    }
    let [p50, p99] = &tallies;
    let told = format!("{p50}; {p99}");
    assert_eq!(p50.stated, p50.tried, "{told}");
    assert!((0.9..0.995).contains(&p50.share_held()), "{told}");
    assert!(p50.share_within(0.1) > 0.7, "{told}");
    // The others have a tail from which 1000 sleeps do not give a 99th percentile.
    assert!(p99.stated * 2 >= p99.tried, "{told}");
    assert!((0.9..0.995).contains(&p99.share_held()), "{told}");
    assert!(p99.share_within(0.2) > 0.6, "{told}");
}

/// Checks that cells of other requests show how the cost grows, where it grows more than elsewhere.
#[test]
fn other_requests_show_how_the_cost_grows() {
    let mut tallies = [Tally::default(), Tally::default()];
    let mut alone = [Tally::default(), Tally::default()];
    for seed in 0..40 {
        let mut dice = Dice(1_000 + seed);
        let machine = Machine { exponent: dice.between(0.4, 0.7), ..Machine::any(&mut dice) };
        let cell = |dice: &mut Dice, asked: i64| (asked, machine.lates(dice, asked as f64, 500e3, false, 0.0));
        let cells = REQUESTS.map(|asked| cell(&mut dice, asked));
        pair(&machine, &mut dice, &recording(&cells, 500e3), (0, REQUESTS[0]), &mut tallies);
        pair(&machine, &mut dice, &recording(&cells[..1], 500e3), (0, REQUESTS[0]), &mut alone);
    }
    let told = format!("{}; {}; alone {}", tallies[0], tallies[1], alone[0]);
    assert!(tallies.iter().all(|tally| tally.share_held() >= 0.9), "{told}");
    assert!(alone[0].share_held() < 0.7, "{told}");
}

/// Checks that holding the latency is recommended only where it can save something: of a guest's idle state the exit latency
/// leaves out the host's part, so nothing bounds it there.
#[test]
fn a_latency_hold_is_recommended_where_it_can_save_something() {
    let remedy = |exit_us: i64, hypervisor: Option<&str>| {
        let machine =
            Machine { cost: 30e3, exponent: 0.1, without_slack: 0.0, real_time: 0.0, delayed: 0.0, delay: 1.0 };
        let lates = machine.lates(&mut Dice(4), 1e6, 0.0, false, 0.0);
        let mut recording = recording(&[(1_000_000, lates)], 1.0);
        let latency = Some(Nanos::from_micros(exit_us));
        recording.meta.machine.idle.states = vec![IdleState { name: "C1".into(), latency, ..IdleState::default() }];
        recording.meta.machine.virtualisation.hypervisor = hypervisor.map(str::to_owned);
        let found = diagnose(&recording);
        let cost = found.all().find(|finding| finding.cause() == Cause::ConstantCost).expect("the cost");
        let holds: Vec<&Remedy> =
            cost.remedy.iter().filter(|remedy| remedy.command.contains("cpu_dma_latency")).collect();
        holds.first().map(|remedy| remedy.note.clone())
    };
    assert_eq!(remedy(1, None), None);
    assert!(remedy(20, None).is_some_and(|note| note.starts_with("saves at most 20.0 µs")));
    assert!(remedy(1, Some("kvm")).is_some_and(|note| note.contains("the host's part")));
}
