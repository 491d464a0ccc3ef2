//! Sleeping on time: coarsely to a learned margin before the deadline, finely from there.

mod achieved;
mod allowance;
mod builder;
mod ceiling;
mod controller;
mod cost;
mod margin;
mod options;
mod sleeping;
mod window;

pub use achieved::Achieved;
pub use builder::SleeperBuilder;
pub use ceiling::{Ceiling, Limit};

use crate::machine::{Here, Machine};
use crate::{Lateness, Moment, Nanos};
use margin::{Margins, WakeUp};
use options::{Aim, Options};
use sleeping::{Ended, Metered};

/// The part of a long period that may be spent on being surely awake at its end.
const LEISURE_PART: i64 = 1_000;

/// Learns how late this thread's sleeps end, and makes up for it.
///
/// A sleep has two parts. The coarse one is the kernel's, to the deadline less a margin; the fine one pauses on the
/// processor until the deadline is there. The margin is learned for each class of durations, and steered by what was
/// achieved: in the long run the share of sleeps that [`on_time`](SleeperBuilder::on_time) asks for is awake before its deadline,
/// whatever the oversleeps do, and a sudden load is followed within 50 sleeps. The price is processor time: the heavier
/// the tail of the oversleeps, the longer the fine waits ([`Achieved::spun_per_sleep`]). Where the
/// [`cpu_ceiling`](SleeperBuilder::cpu_ceiling) or another ceiling does not allow them, it goes before the share, and
/// [`Achieved::limited_by`] names it. Nothing is tuned to a machine. The first sleep of a class probes with an eighth of
/// it; later ones follow the machine as its load, policy or idle states change.
///
/// The fine wait never yields to the kernel: with busy threads beside it, each yield would cost a time slice. A
/// thread under a real-time policy keeps others off its processor meanwhile, so it has a ceiling of its own
/// ([`real_time_ceiling`](SleeperBuilder::real_time_ceiling)).
///
/// One sleeper per thread: what it learns is that thread's.
///
/// ```
/// use oversleep::{Nanos, Sleeper};
///
/// let mut sleeper = Sleeper::builder().on_time(0.97).build();
/// let deadline = oversleep::now().saturating_add(Nanos::from_micros(500));
/// let lateness = sleeper.sleep_until(deadline);
/// assert!(lateness.nanos() >= Nanos::ZERO); // never early
/// assert_eq!(sleeper.achieved().sleeps(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct Sleeper<M = Here> {
    machine: M,
    options: Options,
    margins: Margins,
    achieved: Achieved,
    /// The sleep just ended, not counted yet: what follows a deadline should be short.
    uncounted: Option<Ended>,
    /// A wake-up not learned from yet: there is time for that in the fine wait, or before the next sleep.
    unlearned: Option<WakeUp>,
    /// What the thread had cost when the sleep just ended began, where that is to be known.
    metered: Option<Metered>,
    was_real_time: Option<bool>,
    /// The longest fine wait that the thread's policy affords.
    affordable: Option<Nanos>,
    /// How much of the ceilings is spent on a pause after this sleep.
    follows: Nanos,
    /// Sleeps since the last look at what a short margin does (see [`Sleeper::explores`]).
    unslept: u32,
    /// Sleeps that could have been learned from.
    heard: u32,
}

impl Sleeper<Here> {
    /// Returns a sleeper for the calling thread: 99 % of sleeps on time, at most half of the time slept in fine waiting.
    pub fn new() -> Self {
        Self::on(Here)
    }

    /// Returns a builder, to ask for something else.
    pub fn builder() -> SleeperBuilder {
        SleeperBuilder::default()
    }
}

impl Default for Sleeper<Here> {
    fn default() -> Self {
        Self::new()
    }
}

/// Beginning, and what it did.
impl<M: Machine> Sleeper<M> {
    /// Returns a sleeper on any machine, with what [`new`](Sleeper::new) asks for.
    pub fn on(machine: M) -> Self {
        Self::with_options(machine, Options::default())
    }

    fn with_options(machine: M, options: Options) -> Self {
        Self {
            machine,
            options,
            margins: Margins::default(),
            achieved: Achieved::new(options.asked()),
            uncounted: None,
            unlearned: None,
            metered: None,
            was_real_time: None,
            affordable: None,
            follows: Nanos::ZERO,
            unslept: 0,
            heard: 0,
        }
    }

    /// Returns what was achieved so far.
    pub fn achieved(&self) -> Achieved {
        let mut achieved = self.achieved.clone();
        if let Some(ended) = self.uncounted {
            ended.count_into(&mut achieved);
        }
        achieved
    }

    /// Returns the same and begins counting anew. What was learned stays.
    pub fn take_achieved(&mut self) -> Achieved {
        self.count_what_is_left();
        std::mem::replace(&mut self.achieved, Achieved::new(self.options.asked()))
    }

    /// Returns how long before the deadline it would now wake from a sleep of this length.
    pub fn margin(&self, duration: impl Into<Nanos>) -> Nanos {
        self.allowed_margin(duration.into()).length
    }

    /// Returns the extra margin for a tick with this period: where that costs a thousandth of the
    /// time at most, even the kernel's rare very late wake-ups should be in time. Nothing where quiet is wanted. The
    /// ceilings are the caller's to keep ([`Sleeper::longest_pause`]).
    pub(crate) fn leisure(&self, period: Nanos) -> Nanos {
        match self.options.aim {
            Aim::OnTime(_) => Nanos::new(period.get() / LEISURE_PART),
            Aim::Eco => Nanos::ZERO,
        }
    }

    /// Returns the longest wait on the processor that is allowed under any policy.
    pub(crate) fn longest_pause(&self) -> Nanos {
        self.options.spin_ceiling.min(self.options.real_time_ceiling)
    }

    /// Sleeps as [`sleep_until`](Self::sleep_until), where a pause follows that counts against the ceilings too.
    pub(crate) fn sleep_until_before(&mut self, deadline: Moment, pause: Nanos) -> Lateness {
        self.follows = pause;
        let lateness = self.sleep_until(deadline);
        self.follows = Nanos::ZERO;
        lateness
    }

    /// Counts a wait on the processor that somebody else makes for it.
    pub(crate) fn count_pause(&mut self, pause: Nanos) {
        self.achieved.count_pause(pause.max(Nanos::ZERO));
    }

    /// Forgets everything learned. Worth calling when the thread is given another policy or processor; without it,
    /// the change is learned within 128 sleeps.
    pub fn forget(&mut self) {
        self.margins.forget();
        (self.unlearned, self.metered) = (None, None);
    }

    /// Returns the machine it sleeps on.
    pub fn machine(&self) -> &M {
        &self.machine
    }
}
