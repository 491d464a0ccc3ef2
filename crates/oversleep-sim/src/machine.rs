//! A kernel ready to run: parameters turned into integers, and the state that time changes.

use super::clock::{Clock, FrequencyChange};
use super::params::Parameters;
use super::rng::Chance;
use super::round::TvToHz;
use super::scale::Scale;
use super::tick::Ticks;
use super::time::{LIMIT, PS_PER_S, Ps, ps_from_s, ps_from_us};
use super::vocabulary::{KernelClock, TimeCounter};
use std::sync::Arc;

/// How a sleep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wake {
    /// The timer fired, for the last time at `at`; the program is yet to run.
    Fired {
        /// True time.
        at: Ps,
        /// How often the kernel found the time not over and slept on.
        resleeps: u32,
    },
    /// The program runs again at `at`: the timer's latency is already in it, because the kernel looked at its clock then.
    Ran {
        /// True time.
        at: Ps,
        /// How often the kernel found the time not over and slept on.
        resleeps: u32,
    },
    /// Zero ticks, taken as for ever.
    Hangs,
    /// Later than the simulated machine lives.
    Beyond,
}

/// A kernel at work.
#[derive(Debug, Clone)]
pub(crate) struct Machine<S> {
    pub(crate) p: Arc<Parameters>,
    pub(crate) tv: TvToHz,
    pub(crate) chance: Chance,
    ticks: Ticks<S>,
    clock: Clock<S>,
    start_ns: i64,
    windup: i64,
    /// More ticks than the machine can live through.
    most_ticks: i64,
    irq: Ps,
    lat_base: Ps,
    lat_exp: f64,
    daemon_us: Ps,
    daemon_from: Ps,
    daemon_first: Option<i64>,
}

impl<S: Scale> Machine<S> {
    /// Returns the kernel of these (accepted) parameters at true time 0.
    pub(crate) fn new(p: &Arc<Parameters>, seed: u64, changes: &[FrequencyChange]) -> Self {
        let mut chance = Chance::new(seed);
        let (phase, start) = (chance.unit(), chance.unit());
        let phase = if p.tick_phase < 0.0 { phase } else { p.tick_phase };
        let start = if p.wall_start_s < 0.0 { start } else { p.wall_start_s };
        let start_ns = ps_from_s(start) / 1_000;
        let hz = i64::from(p.hz);
        Self {
            tv: TvToHz { hz, tick_us: 1_000_000 / hz, round: p.round, long32: p.long_bits == 32 },
            ticks: Ticks::new(p, phase),
            clock: Clock::new(p, start_ns, changes),
            start_ns,
            windup: windup(p),
            most_ticks: match p.tick_period_us {
                us if us > 0.0 => LIMIT / ps_from_us(us).max(1),
                _ => LIMIT / PS_PER_S * hz * 4,
            },
            irq: ps_from_us(p.irq_us),
            lat_base: ps_from_us(p.lat_base_us),
            lat_exp: p.lat_exp_us * 1e6,
            daemon_us: ps_from_us(p.daemon_us),
            daemon_from: ps_from_s(p.daemon_from_s),
            daemon_first: None,
            chance,
            p: Arc::clone(p),
        }
    }

    /// Returns the last tick at or before `t`.
    pub(crate) fn last(&mut self, t: Ps) -> i64 {
        self.ticks.last(t, &mut self.clock)
    }

    /// Returns the time of tick `k`.
    pub(crate) fn at(&mut self, k: i64) -> Ps {
        self.ticks.at(k, &mut self.clock)
    }

    /// Returns the first tick at or after `t`.
    pub(crate) fn first_from(&mut self, t: Ps) -> Ps {
        let k = self.last(t.saturating_sub(1));
        self.at(k + 1)
    }

    /// Returns the clock, read, in nanoseconds.
    pub(crate) fn read_ns(&mut self, t: Ps) -> i64 {
        if self.p.tc != TimeCounter::Ticks {
            return self.clock.read_ns(t);
        }
        let tick_ns = self.tv.tick_us * 1_000;
        let k = self.last(t);
        let since = (t - self.at(k)) / 1_000;
        self.start_ns + k * tick_ns + since.min(tick_ns - 1)
    }

    /// Returns the counter's time without steering.
    pub(crate) fn raw_ns(&mut self, t: Ps) -> i64 {
        if self.p.tc == TimeCounter::Ticks { self.read_ns(t) } else { self.clock.raw_ns(t) }
    }

    /// Returns the clock as the last wind-up cached it. The wind-up of a tick comes before its callouts, so a thread
    /// woken by a tick sees that tick's time.
    pub(crate) fn cached_ns(&mut self, t: Ps) -> i64 {
        let k = self.last(t - self.irq);
        let wound = self.at(k - k.rem_euclid(self.windup));
        self.read_ns(wound + self.irq)
    }

    /// Returns the clock `nanosleep` compares.
    pub(crate) fn kernel_ns(&mut self, t: Ps) -> i64 {
        match self.p.kclock {
            KernelClock::Cached => self.cached_ns(t),
            KernelClock::Precise => self.read_ns(t),
        }
    }

    /// Returns the nanoseconds between wind-ups, nominally.
    pub(crate) fn windup_ns(&self) -> i64 {
        self.windup * self.tv.tick_us * 1_000
    }

    /// Returns a true time, from `from` on, at which the clock has reached `ns`.
    pub(crate) fn when(&mut self, ns: i64, from: Ps) -> Ps {
        if self.p.tc != TimeCounter::Ticks {
            return self.clock.when(ns, from);
        }
        let tick_ns = self.tv.tick_us * 1_000;
        let since = ns - self.start_ns;
        let tick = self.at(since.div_euclid(tick_ns));
        (tick + since.rem_euclid(tick_ns) * 1_000).max(from)
    }

    /// Returns the time from the timer's interrupt at `fired` to the program running again.
    pub(crate) fn latency(&mut self, fired: Ps) -> Ps {
        #[allow(clippy::cast_possible_truncation)] // saturates
        let random = if self.lat_exp > 0.0 { self.chance.exponential(self.lat_exp) as Ps } else { 0 };
        self.lat_base + random + self.daemon(fired)
    }

    /// How much of the daemon's work is still to be done at `fired`.
    fn daemon(&mut self, fired: Ps) -> Ps {
        if self.p.daemon_ticks == 0 || fired < self.daemon_from {
            return 0;
        }
        let k = self.last(fired);
        let first = *self.daemon_first.get_or_insert(k);
        if (k - first) % i64::from(self.p.daemon_ticks) != 0 {
            return 0;
        }
        (self.at(k) + self.daemon_us - fired).max(0)
    }

    /// Returns whether `t` is beyond the machine's life.
    pub(crate) fn beyond(t: Ps) -> bool {
        t > LIMIT
    }

    /// Returns the time `n` ticks after the one before `t`; `None` beyond the machine's life.
    pub(crate) fn after_ticks(&mut self, t: Ps, n: i64) -> Option<Ps> {
        // No tick is much shorter than believed (calibration errs by at most a factor of 2), so this many would take
        // longer than there is; asking the tick source would overflow.
        if n > self.most_ticks {
            return None;
        }
        if let Ticks::Pll(_) = self.ticks {
            // Its ticks must be stepped through one by one: not beyond the end.
            let about = n.saturating_mul(PS_PER_S / i64::from(self.p.hz) / 2);
            if about > LIMIT - t {
                return None;
            }
        }
        let k = self.last(t);
        Some(self.at(k + n)).filter(|&at| !Self::beyond(at))
    }
}

/// FreeBSD's `tc_tick`.
fn windup(p: &Parameters) -> i64 {
    match (p.tc_tick, p.hz) {
        (0, 1001..) => i64::from((p.hz + 500) / 1_000),
        (0, _) => 1,
        (ticks, _) => i64::from(ticks),
    }
}
