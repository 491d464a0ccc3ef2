//! Sleeping on time: a coarse sleep until a learned margin before the deadline, and a fine wait from there.

mod allowance;
mod builder;
mod ceiling;
mod comparison;
mod controller;
mod cost;
mod margin;
mod options;
mod patience;
mod sleeping;
mod stats;
mod window;

pub use builder::SleeperBuilder;
pub use ceiling::{Ceiling, Limit};
pub use stats::SleepStats;

use crate::machine::{Machine, ThisMachine};
use crate::{Lateness, Moment, Nanos};
use margin::{Margins, WakeUp};
use options::SleeperOptions;
use patience::{Asking, Patience};
use sleeping::{Ended, Metered};

/// Learns how late this thread's sleeps end, and compensates for it.
///
/// A sleep has two parts. The coarse one is a sleep in the kernel, to the deadline minus a margin; the fine one pauses
/// on the processor until the deadline. The margin is learned for each class of durations. The first sleep of a class
/// uses an eighth of itself as a probe; later ones follow the machine as its load, policy or idle states change.
///
/// **Unless a share of sleeps on time is requested**, the margin grows as long as what it gains is worth its cost: a
/// sleep more on time for at most a thirty-second of its length, or 1 ms, of fine waiting in all. Fine waits take at most 2 % of the
/// time slept, and 0.2 ms each. So a sleep is never much dearer than the kernel's, and never later: where busy threads
/// make some wake-ups late by milliseconds, those are left as they are, because waiting for them awake would use up the
/// thread's share of the processor. [`SleepStats::limited_by`] tells.
///
/// **With [`on_time`](SleeperBuilder::on_time)** the margin is adjusted by feedback: in the long run the requested
/// share is awake before its deadline, whatever the oversleeps are, and a sudden load is followed within 50 sleeps.
/// This costs processor time: the heavier the tail of the oversleeps, the longer the fine waits
/// ([`SleepStats::spun_per_sleep`]). Where the [`cpu_ceiling`](SleeperBuilder::cpu_ceiling) or another ceiling does not
/// allow them, it has precedence over the share, and [`SleepStats::limited_by`] names it.
///
/// Where other threads delay wake-ups, the kernel is asked to run the thread sooner (Linux 6.12 and later: the shortest
/// time slice, for the length of the coarse sleep) unless periods are missed meanwhile, and where they take the
/// processor in the middle of long fine waits, the rest of the time is slept in the kernel.
///
/// The fine wait never yields to the kernel: with busy threads beside it, each yield would cost a time slice. A
/// thread under a real-time policy keeps others off its processor during the wait, so it has a ceiling of its own
/// ([`real_time_ceiling`](SleeperBuilder::real_time_ceiling)).
///
/// Use one sleeper per thread, because what it learns applies to that thread.
///
/// ```
/// use oversleep::{Nanos, Sleeper};
///
/// let mut sleeper = Sleeper::builder().on_time(0.97).build();
/// let deadline = oversleep::now().saturating_add(Nanos::from_micros(500));
/// let lateness = sleeper.sleep_until(deadline);
/// assert!(lateness.nanos() >= Nanos::ZERO); // never early
/// assert_eq!(sleeper.stats().sleeps(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct Sleeper<M = ThisMachine> {
    machine: M,
    options: SleeperOptions,
    margins: Margins,
    /// The same for the second sleeps of sleeps in two parts.
    rests: Margins,
    stats: SleepStats,
    /// The last sleep, not counted yet: the work directly after a deadline should be short.
    uncounted: Option<Ended>,
    /// A wake-up not learned from yet: there is time for that in the fine wait, or before the next sleep.
    unlearned: Option<WakeUp>,
    /// Processor time of the thread when the last sleep began, if it is to be measured.
    metered: Option<Metered>,
    was_real_time: Option<bool>,
    /// Longest fine wait that the thread's policy allows.
    affordable: Option<Nanos>,
    /// Length of a pause after this sleep that also counts against the ceilings.
    follows: Nanos,
    /// Fine waits of whole sleeps since the last measurement of a real one (see [`Sleeper::explores`]).
    unslept: u32,
    patience: Patience,
    asking: Asking,
    /// Number of wake-ups from which the sleeper could have learned.
    wake_ups: u32,
}

impl Sleeper<ThisMachine> {
    /// Returns a sleeper for the calling thread: on time as often as is worth the processor time, at most 2 % of it.
    pub fn new() -> Self {
        Self::on(ThisMachine)
    }

    /// Returns a builder, to set other options.
    pub fn builder() -> SleeperBuilder {
        SleeperBuilder::default()
    }
}

impl Default for Sleeper<ThisMachine> {
    fn default() -> Self {
        Self::new()
    }
}

/// Construction and statistics.
impl<M: Machine> Sleeper<M> {
    /// Returns a sleeper on any machine, with the options of [`new`](Sleeper::new).
    pub fn on(machine: M) -> Self {
        Self::with_options(machine, SleeperOptions::default())
    }

    fn with_options(machine: M, options: SleeperOptions) -> Self {
        Self {
            machine,
            options,
            margins: Margins::default(),
            stats: SleepStats::new(options.asked()),
            uncounted: None,
            unlearned: None,
            rests: Margins::default(),
            metered: None,
            was_real_time: None,
            affordable: None,
            follows: Nanos::ZERO,
            unslept: 0,
            patience: Patience::default(),
            asking: Asking::default(),
            wake_ups: 0,
        }
    }

    /// Returns the statistics so far.
    pub fn stats(&self) -> SleepStats {
        let mut stats = self.stats.clone();
        if let Some(ended) = self.uncounted {
            ended.count_into(&mut stats);
        }
        stats
    }

    /// Returns the statistics and restarts them. What was learned remains.
    pub fn take_stats(&mut self) -> SleepStats {
        self.count_what_is_left();
        std::mem::replace(&mut self.stats, SleepStats::new(self.options.asked()))
    }

    /// Returns how long before the deadline the sleeper would now wake from a sleep of this length.
    pub fn margin(&self, duration: impl Into<Nanos>) -> Nanos {
        self.allowed_margin(duration.into()).length
    }

    /// Returns the longest wait on the processor that is allowed under any policy.
    pub(crate) fn longest_pause(&self) -> Nanos {
        self.options.spin_ceiling().min(self.options.real_time_ceiling)
    }

    /// Sleeps like [`sleep_until`](Self::sleep_until), before a pause that also counts against the ceilings.
    pub(crate) fn sleep_until_before(&mut self, deadline: Moment, pause: Nanos) -> Lateness {
        self.follows = pause;
        let lateness = self.sleep_until(deadline);
        self.follows = Nanos::ZERO;
        lateness
    }

    /// Counts a wait on the processor that the caller makes.
    pub(crate) fn count_pause(&mut self, pause: Nanos) {
        self.stats.count_pause(pause.max(Nanos::ZERO));
    }

    /// Forgets everything learned. Useful when the thread gets another policy or processor; otherwise
    /// the change is learned within 128 sleeps.
    pub fn forget(&mut self) {
        self.margins.forget();
        self.rests.forget();
        (self.unlearned, self.metered) = (None, None);
        (self.patience, self.asking) = (Patience::default(), Asking::default());
    }

    /// Returns the machine on which it sleeps.
    pub fn machine(&self) -> &M {
        &self.machine
    }
}
