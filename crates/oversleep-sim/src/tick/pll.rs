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
use super::detector::Detector;

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

#[cfg(test)]
mod tests {
    use super::super::super::clock::FrequencyChange;
    use super::super::super::kernel::Kernel;
    use super::super::super::scale::{Exact, Fixed};
    use super::super::micro_hertz;
    use super::*;

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
