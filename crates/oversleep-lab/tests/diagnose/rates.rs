//! How often single causes are found on random simulated kernels that have them, and stated on those that do not.
//!
//! Shared with `cargo xtask bench diagnose`, which includes this file.

use super::random::{self, Dice};
use oversleep_lab::analysis::patterns::{Cause, Finding, diagnose};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::PeriodicInterference;
use oversleep_recording::plan::Pattern;
use oversleep_sim::{Api, Kernel, KernelClock, Mechanism, Parameters, Rounding, TickSource};
use oversleep_sys::units::Nanos;

/// Counts of right findings among kernels with the cause, and of false ones among kernels without it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) right: usize,
    pub(crate) of: usize,
    pub(crate) false_alarms: usize,
    pub(crate) without: usize,
}

impl Rate {
    fn count(&mut self, has: bool, found: Option<bool>) {
        if has {
            self.of += 1;
            self.right += usize::from(found == Some(true));
        } else {
            self.without += 1;
            self.false_alarms += usize::from(found.is_some());
        }
    }
}

fn found(recording: &Recording, cause: Cause) -> Option<Finding> {
    diagnose(recording).all().find(|finding| finding.cause() == cause).cloned()
}

fn noise(recording: &mut Recording, noisy: bool, dice: &mut Dice) {
    if noisy {
        random::disturb(recording, dice);
    }
}

/// Returns the rate for slope and sign of the sawtooth: 400 sleeps to whole seconds on kernels with current tick rates.
pub(crate) fn sawtooth(kernels: usize, noisy: bool) -> Rate {
    let mut dice = Dice(if noisy { 501 } else { 500 });
    let mut rate = Rate::default();
    while rate.of < kernels {
        let (kernel, truth) = random::tick_kernel(&mut dice, random::MODERN, noisy);
        let seed = dice.next();
        if truth.hz.is_none_or(|hz| truth.drift_ppm.abs() * f64::from(hz) > 4e5) || truth.rounding == "early" {
            continue;
        }
        let mut recording = random::record(&kernel, &random::aligned("usleep", 400), seed);
        noise(&mut recording, noisy, &mut dice);
        let slope = found(&recording, Cause::Sawtooth).map(|finding| finding.size);
        let right = slope.map(|slope| (slope - truth.drift_ppm).abs() < 0.5 + 0.01 * truth.drift_ppm.abs());
        rate.count(true, right);
    }
    rate
}

/// Returns the rate for slack in proportion to the request: a sweep to 1 s on kernels whose timers fire between ticks.
pub(crate) fn proportional(kernels: usize, noisy: bool) -> Rate {
    let mut dice = Dice(if noisy { 511 } else { 510 });
    let mut rate = Rate::default();
    for _ in 0..kernels {
        let (kernel, truth) = random::timer_kernel(&mut dice, noisy);
        let plan = random::sweep("select", 20, Nanos::SECOND, Nanos::from_millis(4));
        let mut recording = random::record(&kernel, &plan, dice.next());
        noise(&mut recording, noisy, &mut dice);
        let share = found(&recording, Cause::ProportionalSlack).map(|finding| finding.size);
        let right = share.is_some() == (truth.ratio > 0.0);
        if !right {
            println!("{truth:?}: {share:?}");
        }
        rate.count(truth.ratio > 0.0, share.map(|share| (share / truth.ratio - 1.0).abs() < 0.05));
    }
    rate
}

/// Returns the rate for a clock that is refreshed every few ticks: kernels above 1 kHz that round up and compare cached
/// times, with 800 sleeps at a random phase.
pub(crate) fn cached(kernels: usize, noisy: bool) -> Rate {
    let mut dice = Dice(if noisy { 521 } else { 520 });
    let mut rate = Rate::default();
    for number in 0..kernels {
        let has = number % 2 == 0;
        let hz = dice.choose(&[2500, 4000, 5000, 10_000]);
        let parameters = Parameters {
            mechanism: Mechanism::Tick,
            hz,
            source: TickSource::Exact,
            round: if has { Rounding::Ceil } else { Rounding::LowPlus1 },
            kclock: if has { KernelClock::Cached } else { KernelClock::Precise },
            api: Api::Nanosleep,
            tc_tick: if has { (hz + 500) / 1000 } else { 1 },
            tc_true_hz: 1e9 * (1.0 + dice.between(-150e-6, 150e-6)),
            ..random::latencies(&mut dice, noisy)
        };
        let kernel = Kernel::new("cached", parameters).expect("accepted");
        let mut recording = random::record(&kernel, &random::random_phase(), dice.next());
        noise(&mut recording, noisy, &mut dice);
        let granularity = found(&recording, Cause::CachedClock).map(|finding| finding.size);
        let expected = f64::from((hz + 500) / 1000) / f64::from(hz) * 1e9;
        rate.count(has, granularity.map(|size| (size / expected - 1.0).abs() < 0.01));
    }
    rate
}

/// Returns the rate for a daemon that wakes periodically and delays other wake-ups: sleeps of one or two ticks for 700
/// s.
pub(crate) fn daemon(kernels: usize, noisy: bool) -> Rate {
    let mut dice = Dice(if noisy { 531 } else { 530 });
    let mut rate = Rate::default();
    for number in 0..kernels {
        let has = number % 4 != 3;
        let hz = dice.choose(&[100u32, 128, 250, 300]);
        let period_s = dice.between(2.0, 30.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 18 000
        let ticks = (period_s * f64::from(hz)).round() as u32;
        let parameters = Parameters {
            mechanism: Mechanism::Jiffies,
            hz,
            source: TickSource::Exact,
            round: Rounding::Ceil,
            kclock: KernelClock::Precise,
            api: Api::Select,
            tc_true_hz: 1e9 * (1.0 + dice.between(-150e-6, 150e-6)),
            daemon_ticks: if has { ticks } else { 0 },
            daemon_us: dice.between(25.0, 400.0),
            ..random::latencies(&mut dice, noisy)
        };
        let kernel = Kernel::new("daemon", parameters).expect("accepted");
        let tick = 1_000_000_000 / i64::from(hz);
        let pattern = Pattern::Random { from: Nanos::new(tick / 10), to: Nanos::new(tick * 19 / 10) };
        let sleeps = u64::from(hz) * 700 * 2 / 3;
        let plan = random::plan("nanosleep", &[(pattern, sleeps)], None);
        let mut recording = random::record(&kernel, &plan, dice.next());
        noise(&mut recording, noisy, &mut dice);
        let finding = found(&recording, Cause::PeriodicInterference);
        let period = finding.and_then(|finding| finding.evidence.get::<PeriodicInterference>().map(|of| of.period_s));
        let truth = f64::from(ticks) / f64::from(hz);
        rate.count(has, period.map(|period| (period / truth - 1.0).abs() < 0.01));
    }
    rate
}
