//! The phase detector of the phase-locked tick: in which half of the nominal tick the cached microseconds lie.
//!
//! Only that one bit matters, and it seldom changes, so most ticks need not read the clock: from tick to tick the
//! reading grows by one of two amounts. Wherever the sum comes near to a border, and once each second, the clock is
//! read and the sum begins anew. So the bit is always the one that reading at every tick would give.

use super::super::clock::Clock;
use super::super::scale::Scale;
use super::super::time::Ps;

/// The clock's microseconds within its second, modulo the nominal tick, at the newest tick.
#[derive(Debug, Clone)]
pub(super) struct Detector {
    /// Whether they were in the second half: the next reload but one is then the longer.
    pub(super) late: bool,
    /// A nominal tick in microseconds, truncated.
    tick_us: i64,
    /// The two lengths of a tick, true picoseconds.
    lengths: [f64; 2],
    /// The reading, in units of 2⁻³² µs, without the kernel's truncation to microseconds.
    reading: i64,
    /// The clock's rate that what follows was made for.
    rate: f64,
    /// How much it grows with a short and with a long tick, less a nominal one.
    growth: [i64; 2],
    /// Nearer than this to a border the sum is not trusted: twice a count of the clock and a few nanoseconds.
    margin: i64,
    /// The number of ticks for which it may be trusted elsewhere.
    pub(super) trusted: i64,
}

const MICROSECOND: i64 = 1 << 32;

impl Detector {
    /// Returns a detector with `tick_us` microseconds to the nominal tick, the shorter of two ticks `reload` counts
    /// long, of `count_ps` each. It has seen nothing: the first half.
    pub(super) fn new(tick_us: i64, reload: i64, count_ps: f64) -> Self {
        let lengths = [reload, reload + 1].map(|counts| counts as f64 * count_ps);
        Self { late: false, tick_us, lengths, reading: 0, rate: 0.0, growth: [0; 2], margin: i64::MAX, trusted: 0 }
    }

    /// Goes on by a tick. `false` if the clock must be looked at.
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
    pub(super) fn look<S: Scale>(&mut self, at: Ps, clock: &mut Clock<S>) {
        let ns = clock.read_ns(at);
        let within_second = (ns / 1_000).rem_euclid(1_000_000);
        let us = within_second % self.tick_us;
        self.late = us >= self.tick_us / 2;
        self.reading = us * MICROSECOND + ns.rem_euclid(1_000) * MICROSECOND / 1_000;
        let rate = clock.rate();
        if rate.to_bits() != self.rate.to_bits() {
            self.steer(rate, clock.count_ns());
        }
        // Neither into the clock's next second, where `tv_usec` starts again, nor into another frequency.
        #[allow(clippy::cast_possible_truncation)] // saturates
        let steady = (clock.steady_for(at) as f64 / self.lengths[1]) as i64;
        // A tick is as long as the clock makes it: a clock that is fast by per cents reaches its second sooner.
        let longest = self.tick_us + self.growth[0].max(self.growth[1]).max(0) / MICROSECOND + 2;
        self.trusted = ((1_000_000 - within_second) / longest).min(steady) - 1;
    }

    /// What follows from the clock's rate: nanoseconds per true picosecond, and between two counts.
    fn steer(&mut self, rate: f64, count_ns: f64) {
        #[allow(clippy::cast_possible_truncation)] // some 10⁴ µs
        let units = |ns: f64| (ns * (MICROSECOND as f64 / 1e3)).round() as i64;
        self.rate = rate;
        self.growth = self.lengths.map(|length| units(length * rate) - self.tick_us * MICROSECOND);
        self.margin = units(2.0 * count_ns + 4.0);
    }
}
