//! Experiments on kernels that share no code with the simulator.

use super::super::random::Dice;
use super::kernel::{COMMON, Foreign, Rule};
use std::fmt::Write as _;

/// Design of an experiment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Design {
    /// Random requests at a random phase.
    Random { sleeps: usize },
    /// Requests of 1, 2, 5, 10 … µs up to `most` ns, `each` times, at a random phase.
    Sweep { each: usize, most: f64 },
    /// One request of `ticks` nominal ticks, back to back.
    Fixed { ticks: f64, sleeps: usize },
    /// Sleeps to the next whole second, again and again.
    WallSecond { sleeps: usize },
    /// Several methods at 1, 3, 10, 25 and 70 ms; one of them is a socket timeout.
    Methods { each: usize },
    /// One round request of a few ms, with a random pause before each sleep.
    Paused { asked: f64, sleeps: usize },
}

impl Design {
    /// Returns a random design that suits the kernel.
    pub(crate) fn random(dice: &mut Dice, kernel: &Foreign) -> Self {
        // A single phase within the tick does not show the rate: there, rates are drawn as common as they are in
        // practice.
        let seldom = !COMMON.contains(&kernel.hz) && dice.share() < 0.8;
        let one_place = !seldom && kernel.hz < 2000.0;
        match dice.share() {
            s if s < 0.35 => Self::Random { sleeps: dice.choose(&[60, 100, 200, 400, 800]) },
            s if s < 0.6 => Self::Sweep { each: dice.choose(&[5, 10, 20]), most: dice.choose(&[1e8, 5e8, 1e9]) },
            s if s < 0.7 && one_place => {
                Self::Fixed { ticks: dice.choose(&[1.0, 2.0, 3.0, 5.0]), sleeps: dice.choose(&[60, 120, 300]) }
            }
            s if s < 0.85 && one_place => Self::WallSecond { sleeps: dice.choose(&[60, 120, 300]) },
            s if s < 0.93 => Self::Methods { each: dice.choose(&[4, 6, 10]) },
            _ => Self::Paused { asked: dice.choose(&[1e6, 2.5e6, 5e6, 1e7]), sleeps: dice.choose(&[60, 200]) },
        }
    }

    /// Runs the experiment on a kernel and returns its sleeps as CSV.
    pub(crate) fn record(&self, kernel: &Foreign, dice: &mut Dice) -> String {
        let real = dice.share() < 0.6;
        let mut pen = Pen::new(*kernel, real, dice.between(1e9, 4e11).round(), 1.7e18 + dice.between(0.0, 1e9).round());
        let tick = 1e9 / kernel.hz;
        match *self {
            Self::Random { sleeps } => {
                for _ in 0..sleeps {
                    let asked = dice.between(200e3, 60e6f64.max(3.0 * tick)).round();
                    pen.pause(dice.between(0.0, tick.max(4e6)));
                    pen.sleep("nanosleep", asked, kernel.rule, dice);
                }
            }
            Self::Sweep { each, most } => {
                let steps = (0..7).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 1e3 * 10f64.powi(power)));
                for asked in steps.filter(|asked| *asked <= most) {
                    for _ in 0..each {
                        pen.pause(dice.between(0.0, tick));
                        pen.sleep("nanosleep", asked, kernel.rule, dice);
                    }
                }
            }
            Self::Fixed { ticks, sleeps } => {
                for _ in 0..sleeps {
                    pen.sleep("nanosleep", (ticks * tick).round(), kernel.rule, dice);
                }
            }
            Self::WallSecond { sleeps } => {
                for _ in 0..sleeps {
                    let into = (pen.real() / 1e3).floor() * 1e3;
                    pen.sleep("usleep", 1e9 - into.rem_euclid(1e9), kernel.rule, dice);
                }
            }
            Self::Methods { each } => {
                for method in ["usleep", "nanosleep", "futex", "timerfd", "rcvtimeo", "cns_abs"] {
                    for asked in [1e6, 3e6, 10e6, 25e6, 70e6] {
                        for _ in 0..each {
                            pen.pause(dice.between(0.0, tick));
                            pen.sleep(method, asked, of_method(method, kernel.rule), dice);
                        }
                    }
                }
            }
            Self::Paused { asked, sleeps } => {
                for _ in 0..sleeps {
                    pen.pause(dice.between(0.0, 3.0 * tick));
                    pen.sleep("nanosleep", asked, kernel.rule, dice);
                }
            }
        }
        pen.text
    }
}

/// Returns the rule for a method: `timerfd` has no slack, and socket timeouts are on the timer wheel.
pub(crate) fn of_method(method: &str, rule: Rule) -> Rule {
    match (method, rule) {
        ("rcvtimeo", _) => Rule::Counted,
        ("timerfd", Rule::Timer { .. }) => Rule::Timer { slack: 0.0, share: 0.0, cap: f64::INFINITY },
        _ => rule,
    }
}

/// Writes rows of a table; time advances with each row.
struct Pen {
    kernel: Foreign,
    now: f64,
    /// Wall clock minus the other clock, in ns. Kept apart from `now`, because their sum has too many digits for an
    /// `f64`.
    ahead: i128,
    with_real: bool,
    text: String,
}

impl Pen {
    fn new(kernel: Foreign, with_real: bool, now: f64, real: f64) -> Self {
        let header = if with_real {
            "method,requested_ns,start_mono_ns,start_real_ns,end_mono_ns,end_real_ns\n"
        } else {
            "method,requested_ns,start_ns,end_ns\n"
        };
        #[allow(clippy::cast_possible_truncation)] // 1.7e18 fits
        let ahead = real as i128;
        Self { kernel, now, ahead, with_real, text: header.into() }
    }

    /// Advances the time by this many ns.
    fn pause(&mut self, ns: f64) {
        self.now += ns;
    }

    /// Returns a time with the wall clock's position in its second, which is all that designs need.
    fn real(&self) -> f64 {
        #[allow(clippy::cast_precision_loss)] // below a second
        let within = self.ahead.rem_euclid(1_000_000_000) as f64;
        self.now + within
    }

    #[allow(clippy::cast_possible_truncation)] // nanoseconds since boot
    fn read(&self, time: f64) -> i128 {
        ((time / self.kernel.resolution).floor() * self.kernel.resolution).round() as i128
    }

    fn sleep(&mut self, method: &str, asked: f64, rule: Rule, dice: &mut Dice) {
        let kernel = self.kernel;
        let start = self.now + kernel.read;
        // The start is two clock readings before the system call enters the kernel.
        let end = kernel.wake(start + 2.0 * kernel.read, asked, rule, dice).max(start + 3.0 * kernel.read);
        let (before, after) = (self.read(start), self.read(end));
        if self.with_real {
            let (real_before, real_after) =
                (self.read(self.now) + self.ahead, self.read(end + kernel.read) + self.ahead);
            let _ = writeln!(self.text, "{method},{asked},{before},{real_before},{after},{real_after}");
        } else {
            let _ = writeln!(self.text, "{method},{asked},{before},{after}");
        }
        self.now = end + 2.0 * kernel.read;
    }
}
