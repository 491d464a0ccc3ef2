//! A kernel ready to run: parameters converted to integers, and the state that changes with time.

use super::clock::{Clock, FrequencyChange};
use super::law::Grid;
use super::law::counted::{self, TvToHz};
use super::params::Parameters;
use super::rng::Chance;
use super::scale::Scale;
use super::tick::Ticks;
use super::time::{LIMIT, PS_PER_S, Ps, ps_from_s, ps_from_us};
use super::vocabulary::{KernelClock, TimeCounter};
use std::sync::Arc;

/// The end of a sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wake {
    /// The timer fired, for the last time at `at`; the program has not run yet.
    Fired {
        /// True time, in ps.
        at: Ps,
        /// Number of times that the kernel found the time not over and slept on.
        resleeps: u32,
    },
    /// The program runs again at `at`, which includes the timer's latency, because the kernel read its clock
    /// afterwards.
    Ran {
        /// True time, in ps.
        at: Ps,
        /// Number of times that the kernel found the time not over and slept on.
        resleeps: u32,
    },
    /// The sleep never ends: zero ticks were taken as for ever.
    Hangs,
    /// The sleep would end after the simulated machine's 100 days.
    Beyond,
}

/// A running kernel.
#[derive(Debug, Clone)]
pub(crate) struct Machine<S> {
    pub(crate) p: Arc<Parameters>,
    pub(crate) tv: TvToHz,
    pub(crate) chance: Chance,
    ticks: Ticks<S>,
    clock: Clock<S>,
    start_ns: i64,
    windup: i64,
    /// More ticks than the machine's 100 days contain.
    most_ticks: i64,
    irq: Ps,
    lat_base: Ps,
    lat_exp: f64,
    idle_exit: Ps,
    idle_after: Ps,
    daemon_us: Ps,
    daemon_from: Ps,
    daemon_first: Option<i64>,
}

impl<S: Scale> Machine<S> {
    /// Returns a machine with these (accepted) parameters at true time 0.
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
            idle_exit: ps_from_us(p.idle_exit_us),
            idle_after: ps_from_us(p.idle_after_us),
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

    /// Returns a fresh reading of the clock, in ns.
    pub(crate) fn read_ns(&mut self, t: Ps) -> i64 {
        if self.p.tc != TimeCounter::Ticks {
            return self.clock.read_ns(t);
        }
        let tick_ns = self.tv.tick_us * 1_000;
        let k = self.last(t);
        let since = (t - self.at(k)) / 1_000;
        self.start_ns + k * tick_ns + since.min(tick_ns - 1)
    }

    /// Returns the counter's time without steering, in ns.
    pub(crate) fn raw_ns(&mut self, t: Ps) -> i64 {
        if self.p.tc == TimeCounter::Ticks { self.read_ns(t) } else { self.clock.raw_ns(t) }
    }

    /// Returns the clock's reading cached by the last wind-up, in ns. The wind-up of a tick comes before its callouts,
    /// so a thread woken by a tick sees that tick's time.
    pub(crate) fn cached_ns(&mut self, t: Ps) -> i64 {
        let k = self.last(t - self.irq);
        let wound = self.at(k - k.rem_euclid(self.windup));
        self.read_ns(wound + self.irq)
    }

    /// Returns the clock that `nanosleep` compares, in ns.
    pub(crate) fn kernel_ns(&mut self, t: Ps) -> i64 {
        match self.p.kclock {
            KernelClock::Cached => self.cached_ns(t),
            KernelClock::Precise => self.read_ns(t),
        }
    }

    /// Returns the nominal time between wind-ups, in ns.
    pub(crate) fn windup_ns(&self) -> i64 {
        self.windup * self.tv.tick_us * 1_000
    }

    /// Returns a true time, not before `from`, at which the clock has reached `ns`.
    pub(crate) fn when(&mut self, ns: i64, from: Ps) -> Ps {
        if self.p.tc != TimeCounter::Ticks {
            return self.clock.when(ns, from);
        }
        let tick_ns = self.tv.tick_us * 1_000;
        let since = ns - self.start_ns;
        let tick = self.at(since.div_euclid(tick_ns));
        (tick + since.rem_euclid(tick_ns) * 1_000).max(from)
    }

    /// Returns the time from the timer's interrupt at `fired` until the program runs again.
    pub(crate) fn latency(&mut self, fired: Ps) -> Ps {
        #[allow(clippy::cast_possible_truncation)] // saturates
        let random = if self.lat_exp > 0.0 { self.chance.exponential(self.lat_exp) as Ps } else { 0 };
        self.lat_base + random + self.daemon(fired)
    }

    /// Returns the time that a processor needs to wake from the idle state of a sleep of this length.
    pub(crate) fn idle_exit(&self, slept: Ps) -> Ps {
        if slept >= self.idle_after {
            return self.idle_exit;
        }
        // Less than a second times less than ten: in nanoseconds it fits.
        (self.idle_exit / 1_000) * (slept.max(0) / 1_000) / (self.idle_after / 1_000).max(1) * 1_000
    }

    /// Returns how much of the daemon's work remains to be done at `fired`.
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

    /// Returns whether `t` is beyond the simulated machine's 100 days.
    pub(crate) fn beyond(t: Ps) -> bool {
        t > LIMIT
    }

    /// Returns the time `n` ticks after the one before `t`; `None` beyond the simulated machine's 100 days.
    pub(crate) fn after_ticks(&mut self, t: Ps, n: i64) -> Option<Ps> {
        // No tick is much shorter than nominal (calibration errs by at most a factor of 2), so this many would take
        // longer than 100 days; computing their time would overflow.
        if n > self.most_ticks {
            return None;
        }
        if let Ticks::Pll(_) = self.ticks {
            // Its ticks must be computed one by one: not beyond the end.
            let about = n.saturating_mul(PS_PER_S / i64::from(self.p.hz) / 2);
            if about > LIMIT - t {
                return None;
            }
        }
        let k = counted::tick(self, t, n);
        Some(self.at(k)).filter(|&at| !Self::beyond(at))
    }
}

impl<S: Scale> Grid for Machine<S> {
    type Time = Ps;

    fn last(&mut self, at: Ps) -> i64 {
        Self::last(self, at)
    }

    fn first_from(&mut self, at: Ps) -> i64 {
        Self::last(self, at.saturating_sub(1)) + 1
    }

    fn at(&mut self, tick: i64) -> Ps {
        Self::at(self, tick)
    }

    fn later(from: Ps, by: Ps) -> Ps {
        from.saturating_add(by)
    }
}

/// Returns FreeBSD's `tc_tick`: the number of ticks between wind-ups.
fn windup(p: &Parameters) -> i64 {
    match (p.tc_tick, p.hz) {
        (0, 1001..) => i64::from((p.hz + 500) / 1_000),
        (0, _) => 1,
        (ticks, _) => i64::from(ticks),
    }
}
