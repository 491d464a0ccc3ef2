//! Sleeping on time: coarsely to a learned margin before the deadline, finely from there.

mod achieved;
mod asked;
mod cost;
mod margin;
mod window;
mod wish;

pub use achieved::Achieved;

use crate::machine::{Here, Machine};
use crate::{Lateness, Nanos};
use margin::Margins;
use wish::{Aim, Wish};

/// Learns how late this thread's sleeps end, and makes up for it.
///
/// A sleep has two parts. The coarse one is the kernel's, to the deadline less a margin; the fine one pauses on the
/// processor until the deadline is there. The margin is learned from the latest 128 oversleeps of the same class of
/// duration: the time that a wanted share of them stayed within ([`on_time`](Self::on_time)), cut to what the
/// [`cpu_ceiling`](Self::cpu_ceiling) affords. Nothing is tuned to a machine. The first sleep of a class probes with
/// an eighth of it; later ones follow the machine as its load, policy or idle states change.
///
/// The fine wait never yields to the kernel: with busy threads beside it, each yield would cost a time slice. A
/// thread under a real-time policy keeps others off its processor meanwhile, so it has a ceiling of its own
/// ([`real_time_ceiling`](Self::real_time_ceiling)).
///
/// One sleeper per thread: what it learns is that thread's.
///
/// ```
/// use oversleep::{Nanos, Sleeper};
///
/// let mut sleeper = Sleeper::new().on_time(0.99);
/// let deadline = oversleep::now() + Nanos::from_micros(500);
/// let lateness = sleeper.sleep_until(deadline);
/// assert!(lateness.nanos() >= Nanos::ZERO); // never early
/// assert_eq!(sleeper.achieved().sleeps(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct Sleeper<M = Here> {
    machine: M,
    wish: Wish,
    margins: Margins,
    achieved: Achieved,
    /// The sleep just ended, not counted yet: what follows a deadline should be short.
    uncounted: Option<Ended>,
    /// A wake-up not learned from yet: there is time for that in the fine wait, or before the next sleep.
    unlearned: Option<Woken>,
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

/// How late the kernel woke from a sleep of a duration, and how many sleeps this one stands for.
#[derive(Debug, Clone, Copy)]
struct Woken {
    duration: Nanos,
    oversleep: Nanos,
    weight: u32,
}

/// The thread's processor time before a sleep of a duration.
#[derive(Debug, Clone, Copy)]
struct Metered {
    duration: Nanos,
    before: Nanos,
}

/// How a sleep went, for the account.
#[derive(Debug, Clone, Copy)]
struct Ended {
    duration: Nanos,
    woke: Nanos,
    end: Nanos,
    deadline: Nanos,
}

impl Ended {
    fn count_into(self, achieved: &mut Achieved) {
        let spun = self.end.saturating_sub(self.woke).max(Nanos::ZERO);
        let lateness = Lateness::between(self.deadline, self.end);
        achieved.count(self.duration, spun, self.woke <= self.deadline, lateness);
    }
}

/// Where sleeps are too short to be slept, one that is slept all the same stands for those that were not: so eight
/// of them forget what was learned before.
const EXPLORED: u32 = 16;
/// Learning takes some 200 ns; it is left for the next call when the deadline is nearer than this.
const TIME_TO_LEARN: Nanos = Nanos::from_micros(2);
/// A quiet sleeper that knows its class learns from one sleep of so many: after a long sleep the memory of it is cold,
/// and learning costs microseconds then.
const ECO_HEARS: u32 = 4;
/// So long before the deadline the last step is gone through for the first time.
const REHEARSAL: Nanos = Nanos::from_micros(2);
/// The policy of the thread is asked once in so many sleeps, within the fine wait.
const ASK_POLICY: u64 = 32;
/// The part of a long period that may be spent on being surely awake at its end.
const LEISURE_PART: i64 = 1_000;
/// A thread that is given a budget of processor time (`SCHED_DEADLINE`) waits finely for this part of it, one in so many: it
/// has work to do with the rest. One that waits it all away is stopped until the next period, would take that for the
/// kernel's lateness, and would wake earlier still.
const BUDGET_PART: i64 = 4;
/// The part of a first sleep that is spent on finding out.
const PROBE_PART: i64 = 8;

impl Sleeper<Here> {
    /// A sleeper for the calling thread: 99 % of sleeps on time, at most half of the time slept in fine waiting.
    pub fn new() -> Self {
        Self::on(Here)
    }
}

impl Default for Sleeper<Here> {
    fn default() -> Self {
        Self::new()
    }
}

/// Beginning, and what it did.
impl<M: Machine> Sleeper<M> {
    /// A sleeper on any machine.
    pub fn on(machine: M) -> Self {
        Self {
            machine,
            wish: Wish::default(),
            margins: Margins::default(),
            achieved: Achieved::new(),
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

    /// What was achieved so far.
    pub fn achieved(&self) -> Achieved {
        let mut achieved = self.achieved.clone();
        if let Some(ended) = self.uncounted {
            ended.count_into(&mut achieved);
        }
        achieved
    }

    /// The same, and begins counting anew. What was learned stays.
    pub fn take_achieved(&mut self) -> Achieved {
        self.count_what_is_left();
        std::mem::replace(&mut self.achieved, Achieved::new())
    }

    /// How long before the deadline it would now wake from a sleep of this length.
    pub fn margin(&self, duration: impl Into<Nanos>) -> Nanos {
        self.allowed(self.margins.margin(duration.into(), &self.wish))
    }

    /// How much earlier than it would it may wake for what comes once in `period`: where that costs a thousandth of the
    /// time at most, even the kernel's rare very late wake-ups should be in time. Nothing where quiet is wanted. The
    /// ceilings are the caller's to keep ([`Sleeper::longest_pause`]).
    pub(crate) fn leisure(&self, period: Nanos) -> Nanos {
        match self.wish.aim {
            Aim::OnTime(_) => Nanos::new(period.get() / LEISURE_PART),
            Aim::Eco => Nanos::ZERO,
        }
    }

    /// The longest wait on the processor that is allowed under any policy.
    pub(crate) fn longest_pause(&self) -> Nanos {
        self.wish.spin_ceiling.min(self.wish.real_time_ceiling)
    }

    /// The same as [`sleep_until`](Self::sleep_until), where a pause follows that counts against the ceilings too.
    pub(crate) fn sleep_until_before(&mut self, deadline: Nanos, pause: Nanos) -> Lateness {
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

    /// The machine it sleeps on.
    pub fn machine(&self) -> &M {
        &self.machine
    }
}

/// Sleeping.
impl<M: Machine> Sleeper<M> {
    /// Sleeps for a duration from now. Zero or negative: returns at once. Beyond 292 years: sleeps for ever.
    #[inline]
    pub fn sleep_for(&mut self, duration: impl Into<Nanos>) -> Lateness {
        let now = self.machine.now();
        let duration = duration.into().max(Nanos::ZERO);
        self.sleep_from(now, now.saturating_add(duration))
    }

    /// Sleeps until the monotonic clock ([`now`](crate::now)) reads `deadline`. A deadline that is over returns at
    /// once and says by how much.
    #[inline]
    pub fn sleep_until(&mut self, deadline: Nanos) -> Lateness {
        let now = self.machine.now();
        self.sleep_from(now, deadline)
    }

    /// Short, so that it becomes part of the caller: of functions that were entered before a system call the processor
    /// no longer knows where they return to (Linux refills that memory at a context switch), and each such return after
    /// the deadline would cost some 7 ns.
    #[inline]
    fn sleep_from(&mut self, now: Nanos, deadline: Nanos) -> Lateness {
        let due = deadline.saturating_sub(self.wish.early_window);
        let near = self.approach(now, deadline, due);
        let end = if near >= due { near } else { self.wait_finely(due) };
        Lateness::between(deadline, end)
    }

    /// Everything up to the last microseconds. Answers the time at which it ended.
    #[inline(never)]
    fn approach(&mut self, now: Nanos, deadline: Nanos, due: Nanos) -> Nanos {
        if now >= deadline {
            self.achieved.count_overdue();
            return now;
        }
        let duration = deadline.saturating_sub(now);
        self.learn_what_is_left();
        self.count_what_is_left();
        let woke = self.sleep_coarsely(now, deadline, duration);
        // Everything but the end is noted before the deadline.
        self.uncounted = Some(Ended { duration, woke, end: woke, deadline });
        if woke >= due {
            return woke;
        }
        self.use_the_time(due.saturating_sub(woke));
        // The wait to the deadline is gone through once before: then its code and data are at hand, where the sleep had
        // left them cold.
        self.wait_finely(due.saturating_sub(REHEARSAL))
    }

    /// The kernel's part. Answers the time at which it ended.
    fn sleep_coarsely(&mut self, mut now: Nanos, deadline: Nanos, duration: Nanos) -> Nanos {
        if !self.margins.knows(duration) {
            now = self.probe(now, duration);
        }
        let margin = self.margin(duration);
        let (target, weight) = if margin >= duration && self.explores() {
            (now.saturating_add(Nanos::new(duration.get() / PROBE_PART)), EXPLORED)
        } else {
            (deadline.saturating_sub(margin), 1)
        };
        if target <= now {
            return now;
        }
        // Seldom slept sleeps are measured whenever they are.
        let metered = self.wish.aim != Aim::Eco && (self.margins.wants_cost(duration) || weight == EXPLORED);
        let before = if metered { self.machine.processor_time() } else { None };
        let woke = self.coarse(target);
        self.metered = before.map(|before| Metered { duration, before });
        self.unlearned = Some(Woken { duration, oversleep: woke.saturating_sub(target), weight });
        woke
    }

    /// Learns something of a class of durations nothing is known of yet.
    fn probe(&mut self, now: Nanos, duration: Nanos) -> Nanos {
        self.notice_policy();
        let target = now.saturating_add(Nanos::new(duration.get() / PROBE_PART));
        let woke = self.coarse(target);
        self.margins.learn(duration, woke.saturating_sub(target), self.wish.aim);
        woke
    }

    /// A sleep too short to be slept would never be learned from again: one in a few is slept all the same, seldom
    /// enough to keep the promised share.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 4 to 200
    fn explores(&mut self) -> bool {
        let Aim::OnTime(share) = self.wish.aim else { return true };
        self.unslept += 1;
        let due = self.unslept >= (2.0 / (1.0 - share)) as u32;
        if due {
            self.unslept = 0;
        }
        due
    }

    fn coarse(&self, target: Nanos) -> Nanos {
        loop {
            if self.wish.takes_slack() {
                self.machine.sleep_until_tight(target);
            } else {
                self.machine.sleep_until(target);
            }
            let now = self.machine.now();
            if now >= target {
                return now;
            }
        }
    }

    /// Our own part. Not inlined: the second of two waits is to find the code of the first.
    #[inline(never)]
    fn wait_finely(&mut self, until: Nanos) -> Nanos {
        let end = self.machine.spin_until(until);
        if let Some(ended) = &mut self.uncounted {
            ended.end = end;
        }
        end
    }

    /// There is time to learn before a fine wait that is not all too short.
    fn use_the_time(&mut self, rest: Nanos) {
        if rest > TIME_TO_LEARN {
            self.learn_the_cost();
            self.learn_what_is_left();
            if self.achieved.sleeps().is_multiple_of(ASK_POLICY) {
                self.notice_policy();
            }
        }
    }

    fn learn_the_cost(&mut self) {
        if let Some(Metered { duration, before }) = self.metered.take()
            && let Some(after) = self.machine.processor_time()
        {
            self.margins.learn_cost(duration, after.saturating_sub(before));
        }
    }

    fn learn_what_is_left(&mut self) {
        if let Some(Woken { duration, oversleep, weight }) = self.unlearned.take() {
            self.heard = self.heard.wrapping_add(1);
            if self.wish.aim == Aim::Eco && !self.heard.is_multiple_of(ECO_HEARS) && self.margins.is_quiet(duration) {
                return;
            }
            for _ in 0..weight {
                self.margins.learn(duration, oversleep, self.wish.aim);
            }
        }
    }

    fn count_what_is_left(&mut self) {
        if let Some(ended) = self.uncounted.take() {
            ended.count_into(&mut self.achieved);
        }
    }

    /// What was learned under one policy says nothing about another.
    fn notice_policy(&mut self) {
        let is_real_time = self.machine.is_real_time();
        if self.was_real_time.replace(is_real_time).is_some_and(|was| was != is_real_time) {
            self.margins.forget();
        }
        let budget = if is_real_time { self.machine.budget() } else { None };
        self.affordable = budget.map(|budget| Nanos::new(budget.get() / BUDGET_PART));
    }

    /// The margin under the ceilings. The policy is asked only where it would matter.
    fn allowed(&self, margin: Nanos) -> Nanos {
        let below = |ceiling: Nanos| ceiling.saturating_sub(self.follows).max(Nanos::ZERO);
        let margin = margin.min(below(self.wish.spin_ceiling)).min(self.affordable.unwrap_or(Nanos::MAX));
        let real_time = below(self.wish.real_time_ceiling);
        if margin > real_time && self.machine.is_real_time() { real_time } else { margin }
    }
}
