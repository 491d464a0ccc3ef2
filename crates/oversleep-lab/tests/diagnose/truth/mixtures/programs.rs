//! What programs ask for, and when.

use super::super::super::random::Dice;
use super::super::tables::normal;
use super::log::Log;

/// A sleep that begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sleep {
    pub(super) method: &'static str,
    /// Request, in ns.
    pub(super) asked: f64,
    pub(super) start: f64,
    /// Number of sleeps before.
    pub(super) number: usize,
}

impl Sleep {
    pub(super) fn due(&self) -> f64 {
        self.start + self.asked
    }
}

/// Kinds of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One request again and again.
    Repeat,
    /// One millisecond again and again.
    Millisecond,
    /// One of a few requests, in random order.
    Choose,
    /// Requests of random length.
    Random,
    /// One request, with a random pause before it.
    Paused,
    /// The rest of a frame after some work.
    Frames,
}

/// Every kind, as often as it is drawn.
const KINDS: &[Kind] = &[Kind::Repeat, Kind::Random, Kind::Choose, Kind::Millisecond, Kind::Frames, Kind::Paused];
/// Requests of programs, in ns.
const REQUESTS: &[f64] = &[1e5, 2e5, 5e5, 1e6, 2e6, 3e6, 5e6, 7e6, 1e7, 1.3e7, 2e7, 5e7];
/// Numbers of sleeps.
const SLEEPS: &[usize] = &[12, 20, 30, 50, 80, 120, 200, 300, 400, 600, 1_000];
/// Least time that a program sleeps for in a frame, in ns.
const LEAST: f64 = 20e3;
/// Least time that a sleep takes, in ns.
const CALL: f64 = 200.0;

/// A kind of program with its parameters, in ns.
#[derive(Debug, Clone)]
enum Design {
    Repeat { asked: f64, work: f64 },
    Choose { requests: Vec<f64> },
    Random { low: f64, high: f64 },
    Paused { asked: f64, window: f64 },
    Frames { period: f64, work: f64, scatter: f64, on_schedule: bool },
}

/// A program that sleeps.
#[derive(Debug, Clone)]
pub(super) struct Program {
    design: Design,
    pub(super) sleeps: usize,
    methods: Vec<&'static str>,
}

/// Returns a random number of sleeps.
pub(super) fn sleeps(dice: &mut Dice) -> usize {
    dice.choose(SLEEPS)
}

/// Returns `number` of the values, each at most once.
pub(super) fn some<T: Copy>(dice: &mut Dice, values: &[T], number: usize) -> Vec<T> {
    let mut left = values.to_vec();
    let pick = |_| left.swap_remove(usize::try_from(dice.next() % left.len() as u64).unwrap_or(0));
    (0..number.min(values.len())).map(pick).collect()
}

impl Program {
    /// Returns a random program.
    pub(super) fn any(dice: &mut Dice) -> Self {
        Self::any_of(dice, KINDS)
    }

    /// Returns a random program of one of these kinds.
    pub(super) fn any_of(dice: &mut Dice, kinds: &[Kind]) -> Self {
        let design = match dice.choose(kinds) {
            Kind::Repeat => Design::Repeat { asked: dice.choose(REQUESTS), work: work(dice) },
            Kind::Millisecond => Design::Repeat { asked: 1e6, work: work(dice) },
            Kind::Choose => {
                let number = dice.choose(&[2, 3, 4, 5, 6]);
                Design::Choose { requests: some(dice, REQUESTS, number) }
            }
            Kind::Random => Design::Random { low: dice.choose(&[1e5, 2e5, 1e6]), high: dice.choose(&[5e6, 2e7, 6e7]) },
            Kind::Paused => Design::Paused { asked: dice.choose(REQUESTS), window: dice.choose(&[2e6, 1e7, 2e7]) },
            Kind::Frames => {
                let period = dice.choose(&[1e9 / 60.0, 1e9 / 144.0, 1e9 / 30.0, 1e7, 1e9 / 50.0, 5e6, 4e6]);
                let (work, scatter) = (dice.between(0.1, 0.6) * period, dice.choose(&[0.02, 0.1, 0.3]));
                Design::Frames { period, work, scatter, on_schedule: dice.share() < 0.5 }
            }
        };
        Self { design, sleeps: sleeps(dice), methods: vec!["nanosleep"] }
    }

    /// Replaces the requests by some of these.
    pub(super) fn asking(mut self, dice: &mut Dice, of: &[f64]) -> Self {
        match &mut self.design {
            Design::Repeat { asked, .. } | Design::Paused { asked, .. } => *asked = dice.choose(of),
            Design::Choose { requests } => *requests = of.to_vec(),
            Design::Random { .. } | Design::Frames { .. } => {}
        }
        self
    }

    /// Makes the program take turns between methods.
    pub(super) fn with(mut self, methods: &[&'static str]) -> Self {
        self.methods = methods.to_vec();
        self
    }

    /// Makes the program sleep this often.
    pub(super) fn times(mut self, sleeps: usize) -> Self {
        self.sleeps = sleeps;
        self
    }

    /// Runs the program; `wake` returns when a sleep ends.
    pub(super) fn run(&self, log: &mut Log, dice: &mut Dice, mut wake: impl FnMut(&mut Dice, &Sleep) -> f64) {
        log.note(self);
        let begin = log.now;
        let (mut frame, mut deadline) = (log.now, 0.0f64);
        for (number, method) in self.methods.iter().cycle().copied().take(self.sleeps).enumerate() {
            let asked = match &self.design {
                Design::Repeat { asked, work } => {
                    log.now += work * dice.between(0.8, 1.5);
                    *asked
                }
                Design::Choose { requests } => {
                    log.now += dice.choose(&[300.0, 2e3]) * dice.between(0.8, 1.3);
                    dice.choose(requests)
                }
                Design::Random { low, high } => {
                    log.now += dice.between(200.0, 3e3);
                    dice.between(low.ln(), high.ln()).exp()
                }
                Design::Paused { asked, window } => {
                    log.now += dice.between(0.0, *window);
                    *asked
                }
                Design::Frames { period, work, scatter, on_schedule } => {
                    log.now += (work * normal(dice, 1.0, *scatter)).max(1e3);
                    deadline = (deadline + 1.0).max(((log.now - begin) / period).ceil());
                    let due = if *on_schedule { begin + deadline * period } else { frame + period };
                    (due - log.now).max(LEAST)
                }
            };
            let sleep = Sleep { method, asked: asked.round(), start: log.now, number };
            let end = wake(dice, &sleep).max(sleep.start + CALL);
            log.sleep(method, sleep.asked, end);
            frame = end;
        }
    }
}

/// Returns the work between two sleeps, in ns.
fn work(dice: &mut Dice) -> f64 {
    dice.choose(&[200.0, 1e3, 5e3, 100e3])
}
