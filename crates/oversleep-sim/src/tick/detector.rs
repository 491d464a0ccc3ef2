//! The phase detector of the phase-locked tick: in which half of the nominal tick the cached microseconds are.
//!
//! Only that one bit matters, and it changes rarely, so most ticks need not read the clock: from tick to tick the
//! reading grows by one of two amounts. When the sum comes close to a border, and once per second, the clock is
//! read and the sum is reset. So the bit is always the one that a reading at every tick would give.

use super::super::clock::Clock;
use super::super::scale::Scale;
use super::super::time::Ps;

/// The clock's microseconds within its second, modulo the nominal tick, at the newest tick.
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
