//! Compares a thousand random tick kernels with an independent model of them, in fractions.
//!
//! The model follows the kernels' own formulas one after the other and stores nothing: every tick is found from its
//! definition, every reading of the clock is computed anew. Events are timed in whole picoseconds, rounded down.

use crate::common::{cell, kernel, plan_of, record};
use num_rational::Ratio;
use oversleep_recording::plan::{Pattern, Plan};
use oversleep_sim::{Api, KernelClock, Parameters, Rounding, TickSource, TimeCounter, ZeroTicks};
use oversleep_sys::units::Nanos;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

const PS: i128 = 1_000_000_000_000;
const KERNELS: u64 = 1_000;
const SLEEPS: u64 = 25;

/// Returns the whole part of `count` times a fraction. Does not reduce the fraction, because there are millions of
/// calls.
fn floor(count: i128, fraction: Ratio<i128>) -> i128 {
    (count * fraction.numer()).div_euclid(*fraction.denom())
}

/// Returns a number with at most six decimal places in millionths.
fn micro(value: f64) -> i128 {
    whole(value * 1e6)
}

#[allow(clippy::cast_possible_truncation)] // far below 2⁵³
fn whole(value: f64) -> i128 {
    value.round() as i128
}

struct Model<'a> {
    p: &'a Parameters,
    /// Reading of the wall clock at time 0, in ns.
    start: i128,
    /// Counts of the clock per picosecond, and nanoseconds per count.
    clock: [Ratio<i128>; 2],
    /// Ticks are at multiples of this many picoseconds; `frac` and `pll`: of counts.
    period: Ratio<i128>,
    crystal: Ratio<i128>,
    /// `pll`: counts of the i8254 at each tick so far, its two next periods, and the reading that the last tick cached.
    counts: Vec<i128>,
    periods: [i128; 2],
    cached_us: Option<i128>,
}

impl<'a> Model<'a> {
    fn new(p: &'a Parameters) -> Self {
        let (hz, nominal) = (i128::from(p.hz), i128::from(p.f_i8254_nom_hz));
        let (crystal, timer) = (whole(p.f_i8254_true_hz), whole(p.lapic_true_hz));
        let (real, believed) = match p.tc {
            TimeCounter::I8254 => (crystal, nominal),
            TimeCounter::Tsc => (whole(p.tc_true_hz), i128::from(p.tc_assumed_hz)),
            TimeCounter::Acpi => (3_579_545, 3_579_545),
            TimeCounter::Ticks => unreachable!("not made"),
        };
        let multiple = if hz >= 1500 { 1 } else { 2 + 2 * i128::from(hz < 750) };
        let period = match p.source {
            TickSource::I8254 => Ratio::new((nominal + hz / 2) / hz * PS, crystal),
            TickSource::Frac | TickSource::Pll => Ratio::new(nominal, hz),
            TickSource::Lapic => Ratio::new(multiple * (timer / (hz * multiple)) * PS, timer),
            TickSource::Exact => Ratio::new(PS, hz),
        };
        Self {
            p,
            start: micro(p.wall_start_s) * 1_000,
            clock: [Ratio::new(real, PS), Ratio::new(1_000_000_000, believed) * Ratio::new(PS + micro(p.ntp_ppm), PS)],
            period,
            crystal: Ratio::new(PS, crystal),
            counts: vec![0],
            periods: [nominal / hz; 2],
            cached_us: None,
        }
    }

    /// Returns C(t): the counter's whole counts, converted as in the kernel.
    fn clock(&self, t: i128) -> i128 {
        let [counts, ns] = self.clock;
        self.start + floor(floor(t, counts), ns)
    }

    fn tick(&mut self, k: i128) -> i128 {
        match self.p.source {
            TickSource::I8254 | TickSource::Lapic | TickSource::Exact => floor(k, self.period),
            TickSource::Frac => floor(floor(k, self.period), self.crystal),
            TickSource::Pll => {
                while usize::try_from(k).is_ok_and(|k| self.counts.len() <= k) {
                    self.interrupt();
                }
                floor(self.counts[usize::try_from(k).unwrap()], self.crystal)
            }
        }
    }

    /// Runs the phase detector: the reading that the previous tick cached decides the period after the next.
    fn interrupt(&mut self) {
        let hz = i128::from(self.p.hz);
        let (reload, phase) = (i128::from(self.p.f_i8254_nom_hz) / hz, 1_000_000 / hz);
        let [now, next] = self.periods;
        let counts = self.counts[self.counts.len() - 1] + now;
        self.counts.push(counts);
        let late = self.cached_us.is_some_and(|us| us % phase >= phase / 2);
        self.periods = [next, reload + i128::from(late)];
        let at = floor(counts, self.crystal);
        let reading = self.clock(at + micro(self.p.irq_us));
        self.cached_us = Some(reading.div_euclid(1_000) % 1_000_000);
    }

    /// Returns the last tick at or before `t`; `from` must not be after it.
    fn last(&mut self, t: i128, from: i128) -> i128 {
        let mut step = 1;
        while self.tick(from + step) <= t {
            step *= 2;
        }
        let (mut low, mut high) = (from + step / 2, from + step);
        while high - low > 1 {
            let middle = i128::midpoint(low, high);
            if self.tick(middle) <= t { low = middle } else { high = middle }
        }
        low
    }

    /// Returns what the kernel compares: the clock itself, or the reading of its last wind-up.
    fn compared(&mut self, t: i128, from: i128) -> i128 {
        if self.p.kclock == KernelClock::Precise {
            return self.clock(t);
        }
        let irq = micro(self.p.irq_us);
        let every = match self.p.tc_tick {
            0 if self.p.hz > 1000 => (i128::from(self.p.hz) + 500) / 1000,
            0 => 1,
            ticks => i128::from(ticks),
        };
        let before = from - 2.min(from);
        let windup = self.last(t - irq, before) / every * every;
        let at = self.tick(windup);
        self.clock(at + irq)
    }

    fn ticks_of(&self, us: i128) -> i128 {
        let hz = i128::from(self.p.hz);
        let (tick, low) = (1_000_000 / hz, us / 1_000_000 * hz + us % 1_000_000 / (1_000_000 / hz));
        match self.p.round {
            Rounding::CeilPlus1 => (us + tick - 1) / tick + 1,
            Rounding::Ceil => (us + tick - 1) / tick,
            Rounding::LowPlus1 => low + 1,
            Rounding::Low => low,
            Rounding::Rint => {
                let exact = Ratio::new(us * hz, 1_000_000);
                let (below, half) = (exact.floor().to_integer(), Ratio::new(1, 2));
                let rest = exact - below;
                below + i128::from(rest > half || rest == half && below % 2 == 1)
            }
            Rounding::Hzto44 => us / 1_000 / (tick / 1_000),
        }
    }

    /// Makes one sleep entered at `t`, when `k` was the last known tick; returns when the program runs again, and that
    /// tick.
    fn sleep(&mut self, t: i128, us: i128, k: i128) -> (i128, i128) {
        let latency = micro(self.p.lat_base_us);
        let mut k = self.last(t, k);
        let target = self.compared(t, k) + us * 1_000;
        let (mut t, mut left) = (t, us);
        loop {
            k = self.last(t, k) + self.ticks_of(left).max(1);
            t = self.tick(k) + latency;
            let after = self.last(t, k);
            let now = self.compared(t, after);
            if self.p.api == Api::Select || now >= target {
                return (t, after);
            }
            left = (target - now) / 1_000;
        }
    }

    /// Makes the sleeps: returns start and end of each as the program reads them, in whole microseconds of the clock.
    fn program(&mut self, pattern: Pattern) -> Vec<(i128, i128)> {
        let (mut now, mut k, mut sleeps) = (0, 0, Vec::new());
        for _ in 0..SLEEPS {
            let start = self.clock(now).div_euclid(1_000);
            let us = match pattern {
                Pattern::Fixed { requested } => i128::from(requested.get()) / 1_000,
                Pattern::Aligned { to } => {
                    let to = i128::from(to.get()) / 1_000;
                    to - start.rem_euclid(to)
                }
                _ => unreachable!("not made"),
            };
            let entered = now + micro(self.p.call_us) + micro(self.p.syscall_us);
            (now, k) = self.sleep(entered, us, k);
            sleeps.push((start, self.clock(now).div_euclid(1_000)));
            now += micro(self.p.loop_us);
        }
        sleeps
    }
}

struct Dice(Pcg64Mcg);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
    }

    fn tenths(&mut self, from: u64, to: u64) -> f64 {
        (from + self.below(to - from)) as f64 / 10.0
    }
}

fn parameters(dice: &mut Dice) -> Parameters {
    let hz = match dice.below(3) {
        0 => dice.one_of(&[20, 50, 100, 250, 1000, 1024, 2000, 2500, 4000, 5000, 10_000]),
        _ => 20 + u32::try_from(dice.below(6_000)).unwrap(),
    };
    let nominal = 1_193_182;
    let mistaken = |dice: &mut Dice, hz: u64| hz - hz / 200 + dice.below(hz / 100);
    let tsc = 1_000_000_000 + dice.below(2_000_000_000);
    Parameters {
        hz,
        source: dice.one_of(&[
            TickSource::I8254,
            TickSource::Frac,
            TickSource::Pll,
            TickSource::Lapic,
            TickSource::Exact,
        ]),
        f_i8254_nom_hz: nominal,
        f_i8254_true_hz: mistaken(dice, u64::from(nominal)) as f64,
        lapic_true_hz: (50_000_000 + dice.below(100_000_000)) as f64,
        tc: dice.one_of(&[TimeCounter::I8254, TimeCounter::Tsc, TimeCounter::Acpi]),
        tc_true_hz: tsc as f64,
        tc_assumed_hz: mistaken(dice, tsc),
        ntp_ppm: dice.one_of(&[0.0, 0.0, -15.0, 500.0, -4_000.0, 20_000.0]),
        tc_tick: dice.one_of(&[1, 1, 0, 2, 5]),
        round: dice.one_of(&[Rounding::CeilPlus1, Rounding::Ceil, Rounding::LowPlus1, Rounding::Low, Rounding::Rint]),
        kclock: dice.one_of(&[KernelClock::Cached, KernelClock::Precise]),
        api: dice.one_of(&[Api::Nanosleep, Api::Select]),
        zero_ticks: ZeroTicks::One,
        tick_phase: 0.0,
        wall_start_s: dice.below(1_000_000) as f64 / 1e6,
        irq_us: dice.tenths(0, 40),
        lat_base_us: dice.tenths(10, 800),
        lat_exp_us: 0.0,
        syscall_us: dice.tenths(40, 90),
        call_us: dice.tenths(0, 9),
        loop_us: dice.tenths(0, 90_000),
        ..Parameters::default()
    }
}

#[test]
fn a_thousand_kernels_do_what_their_formulas_say() {
    for seed in 0..KERNELS {
        let dice = &mut Dice(Pcg64Mcg::seed_from_u64(seed));
        let p = parameters(dice);
        let pattern = match dice.below(3) {
            0 => Pattern::Aligned { to: Nanos::SECOND },
            1 => Pattern::fixed(Nanos::from_micros(i64::try_from(1 + dice.below(3_000)).unwrap())),
            _ => Pattern::fixed(Nanos::from_micros(i64::try_from(1 + dice.below(300_000)).unwrap())),
        };
        let plan: Plan = plan_of(cell(0, "nanosleep", pattern), SLEEPS);
        let simulated = record(&kernel(p.clone()), &plan, seed).samples;
        let exact = Model::new(&p).program(pattern);
        assert_eq!(simulated.len(), exact.len(), "seed {seed}: {p:?}");
        let origin = i128::from(simulated[0].start.get()) / 1_000 - exact[0].0;
        for (number, (sample, exact)) in simulated.iter().zip(&exact).enumerate() {
            let us = |ns: Nanos| i128::from(ns.get()) / 1_000 - origin;
            let seen = (us(sample.start), us(sample.end));
            assert_eq!(seen, *exact, "seed {seed}, sleep {number} of {pattern:?} on {p:?}");
        }
    }
}
