//! The phase-locked tick of `DragonFly` clock.c 1.10 (8 January to 30 January 2004).
//!
//! Called a PLL, it is a bang-bang phase detector: each tick's interrupt checks the wall clock's microseconds that
//! the previous tick cached, modulo the tick. In the first half the i8254 is reloaded with N (slightly short), in the
//! second half with N + 1 (slightly long). A reload takes effect one period later.

use super::super::clock::Clock;
use super::super::params::Parameters;
use super::super::scale::Scale;
use super::super::time::{Ps, ps_from_us};
use super::PS_TIMES_MICRO;

/// Number of past ticks remembered; `validate` keeps `tc_tick` within it.
const PAST: i64 = 128; // the length of `past`

/// The state at the newest tick.
#[derive(Debug, Clone)]
pub(crate) struct Pll<S> {
    start: Ps,
    count_time: S,
    count_rate: S,
    irq: Ps,
    /// N, in i8254 counts.
    reload: i64,
    newest: i64,
    /// Counts from the start to the newest tick.
    counts: i64,
    /// Reload in force until the next tick.
    current: i64,
    /// Reload after that.
    pending: i64,
    /// Detector, with the reading cached by the newest tick.
    detector: Detector,
    /// Counts from the start to each of the latest ticks.
    past: Box<[i64; 128]>,
}

impl<S: Scale> Pll<S> {
    pub(crate) fn new(p: &Parameters, crystal_micro_hz: u128, phase: f64) -> Self {
        let reload = i64::from(p.f_i8254_nom_hz / p.hz);
        Self {
            start: -ps_from_us(phase * 1e6 / f64::from(p.hz)),
            count_time: S::new(PS_TIMES_MICRO, crystal_micro_hz),
            count_rate: S::new(crystal_micro_hz, PS_TIMES_MICRO),
            irq: ps_from_us(p.irq_us),
            reload,
            newest: 0,
            counts: 0,
            current: reload,
            pending: reload,
            detector: Detector::new(
                i64::from(1_000_000 / p.hz),
                reload,
                PS_TIMES_MICRO as f64 / crystal_micro_hz as f64,
            ),
            past: Box::new([0; 128]),
        }
    }

    /// Returns the true time of tick `k`: one of the last 128, or a future one.
    pub(crate) fn at(&mut self, k: i64, clock: &mut Clock<S>) -> Ps {
        while self.newest < k {
            self.step(clock);
        }
        self.time(self.past[slot(k.max(self.newest - PAST + 1).max(0))])
    }

    /// Returns the last tick at or before `t`.
    pub(crate) fn last(&mut self, t: Ps, clock: &mut Clock<S>) -> i64 {
        let counts = self.counts_until(t);
        while self.counts <= counts {
            self.step(clock);
        }
        let mut k = self.newest - 1;
        while k > 0 && k > self.newest - PAST + 1 && self.past[slot(k)] > counts {
            k -= 1;
        }
        k
    }

    fn time(&self, counts: i64) -> Ps {
        self.start + self.count_time.floor(counts)
    }

    /// Returns the largest number of counts that end not after `t`.
    fn counts_until(&self, t: Ps) -> i64 {
        // The quotient is off by one where the product was rounded down.
        let mut counts = self.count_rate.floor(t.saturating_sub(self.start));
        while self.time(counts) > t {
            counts -= 1;
        }
        while self.time(counts + 1) <= t {
            counts += 1;
        }
        counts
    }

    fn step(&mut self, clock: &mut Clock<S>) {
        self.newest += 1;
        self.counts += self.current;
        self.past[slot(self.newest)] = self.counts;
        let long = self.current != self.reload;
        self.current = self.pending;
        self.pending = self.reload + i64::from(self.detector.late);
        if !self.detector.follow(long) {
            let at = self.time(self.counts) + self.irq;
            self.detector.read_clock(at, clock);
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // tick numbers are not negative here
fn slot(k: i64) -> usize {
    k as usize % PAST as usize
}

/// The clock's microseconds within its second, modulo the nominal tick, at the newest tick.
///
/// Only that one bit matters, and it changes rarely, so most ticks need not read the clock: from tick to tick the
/// reading grows by one of two amounts. When the sum comes close to a border, and once per second, the clock is
/// read and the sum is reset. So the bit is always the one that a reading at every tick would give.
#[derive(Debug, Clone)]
pub(super) struct Detector {
    /// Whether they were in the second half: the next reload but one is then the longer.
    pub(super) late: bool,
    /// Nominal tick in µs, truncated.
    tick_us: i64,
    /// The two lengths of a tick, in true ps.
    lengths: [f64; 2],
    /// Reading of the clock, in units of 2⁻³² µs, without the kernel's truncation to microseconds.
    reading: i64,
    /// Rate of the clock for which the following fields were computed.
    rate: f64,
    /// Growth of the reading in a short and in a long tick, minus a nominal one.
    growth: [i64; 2],
    /// Distance from a border within which the sum is not used: two counts of the clock and a few nanoseconds.
    margin: i64,
    /// Number of ticks for which it may be used elsewhere.
    pub(super) trusted: i64,
}

const MICROSECOND: i64 = 1 << 32;

impl Detector {
    /// Returns a detector for a nominal tick of `tick_us` microseconds; the shorter of its two ticks is `reload` counts
    /// long, of `count_ps` each. It has not read the clock yet: the first half.
    pub(super) fn new(tick_us: i64, reload: i64, count_ps: f64) -> Self {
        let lengths = [reload, reload + 1].map(|counts| counts as f64 * count_ps);
        Self { late: false, tick_us, lengths, reading: 0, rate: 0.0, growth: [0; 2], margin: i64::MAX, trusted: 0 }
    }

    /// Advances by a tick. Returns `false` if the clock must be read.
    #[inline]
    pub(super) fn follow(&mut self, long: bool) -> bool {
        let (whole, half) = (self.tick_us * MICROSECOND, self.tick_us / 2 * MICROSECOND);
        self.trusted -= 1;
        self.reading += self.growth[usize::from(long)];
        let clear = |border: i64| (self.reading - border).unsigned_abs() > self.margin.unsigned_abs();
        if self.trusted <= 0 || !clear(0) || !clear(half) || !clear(whole) {
            return false;
        }
        if self.reading >= whole {
            self.reading -= whole;
        } else if self.reading < 0 {
            self.reading += whole;
        }
        self.late = self.reading >= half;
        true
    }

    /// Reads the clock at true time `at`, as the kernel does at every tick.
    #[cold]
    pub(super) fn read_clock<S: Scale>(&mut self, at: Ps, clock: &mut Clock<S>) {
        let ns = clock.read_ns(at);
        let within_second = (ns / 1_000).rem_euclid(1_000_000);
        let us = within_second % self.tick_us;
        self.late = us >= self.tick_us / 2;
        self.reading = us * MICROSECOND + ns.rem_euclid(1_000) * MICROSECOND / 1_000;
        let rate = clock.rate();
        if rate.to_bits() != self.rate.to_bits() {
            self.steer(rate, clock.count_ns());
        }
        // Neither into the clock's next second, where `tv_usec` starts again, nor into a changed frequency.
        #[allow(clippy::cast_possible_truncation)] // saturates
        let steady = (clock.steady_for(at) as f64 / self.lengths[1]) as i64;
        // The tick's length in clock time: a clock that is fast by several per cent reaches its next second sooner.
        let longest = self.tick_us + self.growth[0].max(self.growth[1]).max(0) / MICROSECOND + 2;
        self.trusted = ((1_000_000 - within_second) / longest).min(steady) - 1;
    }

    /// Computes the fields that depend on the clock's rate: ns per true ps, and ns between two counts.
    fn steer(&mut self, rate: f64, count_ns: f64) {
        #[allow(clippy::cast_possible_truncation)] // some 10⁴ µs
        let units = |ns: f64| (ns * (MICROSECOND as f64 / 1e3)).round() as i64;
        self.rate = rate;
        self.growth = self.lengths.map(|length| units(length * rate) - self.tick_us * MICROSECOND);
        self.margin = units(2.0 * count_ns + 4.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::micro_hertz;
    use super::*;
    use crate::clock::FrequencyChange;
    use crate::kernel::Kernel;
    use crate::scale::{Exact, Fixed};

    /// Checks that reading the clock at every tick, as the kernel does, gives the same ticks.
    fn agrees<S: Scale>(settings: &[(&str, &str)], changes: &[FrequencyChange], ticks: i64) {
        let mut kernel = Kernel::preset("dragonfly-pll").unwrap();
        for (name, value) in settings {
            kernel = kernel.set(name, value).unwrap();
        }
        let p = kernel.parameters();
        let mut clock = Clock::<S>::new(p, 123_456_789, changes);
        let mut pll = Pll::<S>::new(p, micro_hertz(p.f_i8254_true_hz), 0.3);
        let mut plain = pll.clone();
        let mut looks = 0;
        for tick in 1..=ticks {
            plain.detector.trusted = 0;
            plain.step(&mut clock);
            let before = pll.detector.trusted;
            pll.step(&mut clock);
            looks += i64::from(pll.detector.trusted != before - 1);
            assert_eq!(
                (pll.counts, pll.current, pll.pending),
                (plain.counts, plain.current, plain.pending),
                "tick {tick} with {settings:?}"
            );
        }
        assert!(looks < ticks / 4, "{looks} of {ticks} ticks read the clock with {settings:?}");
    }

    #[test]
    fn the_detector_sees_what_reading_at_every_tick_would() {
        let change = |at_s, ntp_ppm| FrequencyChange { at_s, ntp_ppm };
        for hz in ["20", "100", "128", "1000", "7001"] {
            for ppm in ["-400", "0", "37.5", "-9000", "2800", "9000", "60000"] {
                let settings = [("hz", hz), ("ntp_ppm", ppm)];
                agrees::<Exact>(&settings, &[], 20_000);
                agrees::<Fixed>(&settings, &[change(3.0, -500.0), change(7.5, 500.0)], 100_000);
            }
        }
    }
}
