//! The steps of a sleep: coarse to the margin, fine to the deadline, with learning in between.

use super::Sleeper;
use super::ceiling::Ceiling;
use super::margin::{EXPLORED, Margin, MarginKind, WakeUp, longest};
use super::options::{Aim, SleeperOptions};
use super::patience::INTERRUPTED;
use super::stats::{Outcome, SleepStats};
use crate::machine::Machine;
use crate::{Lateness, Moment, Nanos};

/// The thread's processor time and wake-ups before a sleep, and the sleep's duration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Metered {
    duration: Nanos,
    before: Nanos,
    wake_ups: u64,
    /// Whether its margin depends on what sleeping costs.
    for_margin: bool,
}

/// The course of a sleep, for the statistics.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ended {
    duration: Nanos,
    woke: Moment,
    end: Moment,
    deadline: Moment,
    cut: Option<Ceiling>,
}

impl Ended {
    fn spun(self) -> Nanos {
        self.end.saturating_since(self.woke).max(Nanos::ZERO)
    }

    pub(super) fn count_into(self, stats: &mut SleepStats) {
        stats.count(Outcome {
            requested: self.duration,
            spun: self.spun(),
            in_time: self.woke <= self.deadline,
            lateness: Lateness::between(self.deadline, self.end),
            cut: self.cut,
        });
    }
}

/// The time shortly before a deadline, or after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Approach {
    now: Moment,
    due: Moment,
    overdue: bool,
    rehearsed: bool,
    over: bool,
}

impl Approach {
    /// Returns the time at which the approach ended.
    pub(crate) fn now(self) -> Moment {
        self.now
    }

    /// Returns whether the deadline had passed when the sleep was requested.
    pub(crate) fn was_overdue(self) -> bool {
        self.overdue
    }

    /// Returns whether the last step has been made.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }
}

/// Learning takes about 200 ns, some microseconds after a long sleep, when its memory is not in the caches; it is
/// postponed to the next call when the deadline is nearer than this.
const TIME_TO_LEARN: Nanos = Nanos::from_micros(5);
/// An eco sleeper that knows the class learns from one sleep in this many: after a long sleep its memory is not in the
/// caches, and learning then costs microseconds.
const ECO_LEARNS_ONE_IN: u32 = 4;
/// How long before the deadline the last step is executed once in advance: afterwards its code and data are in the
/// caches, from which the sleep had displaced them.
const REHEARSAL: Nanos = Nanos::from_micros(2);
/// The thread's policy is read once in this many sleeps, during the fine wait.
const ASK_POLICY: u64 = 32;
/// A thread with a budget of processor time (`SCHED_DEADLINE`) waits finely for one part in this many of it, because it
/// needs the rest for its work. A thread that used up its budget by waiting would be stopped until the next period,
/// would take that for the kernel's lateness, and would wake even earlier.
const BUDGET_PART: i64 = 4;
/// If more than this remains after a wake-up, the rest is a sleep of its own.
const SLEEP_AGAIN: Nanos = Nanos::from_micros(250);
/// Of the sleeps that may be late, one in this many may be so because of its second sleep.
const REST_PART: f64 = 4.0;
/// The margin of a second sleep of whose length nothing is known yet.
const LAST_PART: Nanos = Nanos::from_micros(100);
/// A wake-up later than this waited for another thread, or for its virtual machine's host. Timers and idle states take
/// less (on Linux with high-resolution timers).
const DELAYED: Nanos = Nanos::from_micros(200);
/// Fraction of the first sleep of a class that is used as a probe.
const PROBE_PART: i64 = 8;

/// The sleeping itself.
impl<M: Machine> Sleeper<M> {
    /// Sleeps for a duration from now. Zero or negative: returns at once with the lateness. Beyond 292 years: sleeps for
    /// ever.
    #[inline]
    pub fn sleep_for(&mut self, duration: impl Into<Nanos>) -> Lateness {
        let now = self.machine.now();
        self.sleep_from(now, now.saturating_add(duration))
    }

    /// Sleeps until the monotonic clock ([`now`](crate::now)) reads `deadline`. If the deadline has passed, returns at
    /// once with the lateness.
    #[inline]
    pub fn sleep_until(&mut self, deadline: impl Into<Moment>) -> Lateness {
        let now = self.machine.now();
        self.sleep_from(now, deadline.into())
    }

    /// Short, so that it is inlined into the caller: for functions that were entered before a system call, the
    /// processor's return-address prediction is lost (Linux refills that memory at a context switch), and each such
    /// return after the deadline would cost about 7 ns.
    #[inline]
    fn sleep_from(&mut self, now: Moment, deadline: Moment) -> Lateness {
        let mut approach = self.approach_from(now, deadline);
        loop {
            let lateness = Lateness::between(deadline, self.step(&mut approach));
            if approach.is_over() {
                return lateness;
            }
        }
    }

    /// Does everything up to the last microseconds before `deadline`; [`step`](Self::step) does the rest. What the
    /// caller does in between does not delay the end as long as it is short.
    #[inline]
    pub(crate) fn approach_until(&mut self, deadline: Moment) -> Approach {
        let now = self.machine.now();
        self.approach_from(now, deadline)
    }

    #[inline]
    fn approach_from(&mut self, asked: Moment, deadline: Moment) -> Approach {
        let due = deadline.saturating_sub(self.options.early_window);
        let now = self.approach(asked, deadline, due);
        Approach { now, due, overdue: asked > deadline, rehearsed: false, over: false }
    }

    /// Waits for a part of the rest: until the deadline, or to rehearse that. Is repeated, with all that the caller
    /// does with the result, until it [is over](Approach::is_over). Returns when the part ended.
    #[inline]
    pub(crate) fn step(&mut self, approach: &mut Approach) -> Moment {
        approach.over = approach.rehearsed || approach.now >= approach.due;
        if approach.now < approach.due {
            let until = if approach.rehearsed { approach.due } else { approach.due.saturating_sub(REHEARSAL) };
            approach.now = self.wait_finely(until);
            approach.rehearsed = true;
        }
        approach.now
    }

    /// Does everything up to the last microseconds. Returns the time at which it ended.
    #[inline(never)]
    fn approach(&mut self, now: Moment, deadline: Moment, due: Moment) -> Moment {
        if now >= deadline {
            self.stats.count_overdue(Lateness::between(deadline, now));
            self.asking.learn_missed(true);
            return now;
        }
        let duration = deadline.saturating_since(now);
        if let Some(last) = self.uncounted {
            self.asking.learn_period(deadline.saturating_since(last.deadline));
        }
        self.learn_what_is_left();
        self.count_what_is_left();
        let (woke, cut) = self.sleep_coarsely(now, deadline, duration);
        let (woke, cut) = match self.options.aim {
            Aim::OnTime(share) => self.sleep_again((duration, woke, due), cut, share),
            Aim::Balanced => (woke, cut),
            // It asks for no share that something could limit.
            Aim::Eco => (woke, None),
        };
        // Everything but the end is recorded before the deadline.
        self.uncounted = Some(Ended { duration, woke, end: woke, deadline, cut });
        if woke >= due {
            return woke;
        }
        self.use_the_time(due.saturating_since(woke));
        woke
    }

    /// Sleeps in the kernel. Returns when that ended, and the ceiling that cut its margin.
    fn sleep_coarsely(&mut self, mut now: Moment, deadline: Moment, duration: Nanos) -> (Moment, Option<Ceiling>) {
        if !self.margins.knows(duration) {
            now = self.probe(now, duration);
        }
        let Margin { mut length, cut, .. } = self.allowed_margin(duration);
        if length >= duration && duration > self.patience.longest().max(SLEEP_AGAIN) {
            // Others would interrupt a fine wait of the whole length.
            length = longest(duration);
        }
        let explores = length >= duration && self.explores();
        let earliest = now.saturating_add(Nanos::new(duration.get() / PROBE_PART));
        let target = if explores { earliest } else { deadline.saturating_sub(length) };
        if target <= now {
            self.margins.count_unslept(duration);
            self.metered = None;
            return (now, cut);
        }
        // Explored sleeps are rare, so they are always measured.
        let for_margin = matches!(self.options.aim, Aim::OnTime(_)) && (self.margins.wants_cost(duration) || explores);
        let metered = for_margin || self.stats.wants_cost();
        let before = if metered { self.machine.processor_time() } else { None };
        let wake_ups = self.stats.wake_ups();
        let woke = self.wait_coarsely(target);
        self.asking.learn(woke.saturating_since(target) > DELAYED);
        self.metered = before.map(|before| Metered { duration, before, wake_ups, for_margin });
        let kind =
            if explores { MarginKind::Explored { late: woke > deadline, weight: EXPLORED } } else { MarginKind::Asked };
        self.unlearned = Some(WakeUp { duration, oversleep: woke.saturating_since(target), kind });
        (woke, cut)
    }

    /// Sleeps in the kernel again if much remains of a sleep whose margin was meant for a rare late wake-up: short sleeps
    /// end more evenly than long ones, and a long fine wait costs more than a second wake-up. Only while more sleeps
    /// were on time than requested, because the second sleep may be late too; and where other threads would take the
    /// processor before the deadline.
    fn sleep_again(
        &mut self,
        (duration, woke, due): (Nanos, Moment, Moment),
        cut: Option<Ceiling>,
        share: f64,
    ) -> (Moment, Option<Ceiling>) {
        let rest = due.saturating_since(woke);
        let is_interrupted = rest > self.patience.longest();
        // Without a wake-up to learn from, the whole sleep is a fine wait.
        if self.unlearned.is_none() || rest <= SLEEP_AGAIN || !(is_interrupted || self.margins.has_credit(duration)) {
            return (woke, cut);
        }
        let known = self.rests.knows(rest);
        let margin = if known { self.rests.margin(rest, &self.options).length } else { LAST_PART };
        let wait = margin.min(self.patience.longest());
        if wait.get() >= rest.get() - rest.get() / PROBE_PART {
            return (woke, cut);
        }
        let target = due.saturating_sub(wait);
        let again = self.wait_coarsely(target);
        if let Some(WakeUp { kind, .. }) = &mut self.unlearned {
            *kind = MarginKind::Explored { late: again > due, weight: 1 };
        }
        let kind = if known { MarginKind::Asked } else { MarginKind::Probe };
        let wake_up = WakeUp { duration: rest, oversleep: again.saturating_since(target), kind };
        self.rests.learn(wake_up, Aim::OnTime(1.0 - (1.0 - share) / REST_PART));
        (again, if margin > wait { Some(Ceiling::Interruptions) } else { cut })
    }

    /// Probes a class of durations of which nothing is known yet.
    fn probe(&mut self, now: Moment, duration: Nanos) -> Moment {
        self.notice_policy();
        let target = now.saturating_add(Nanos::new(duration.get() / PROBE_PART));
        let woke = self.wait_coarsely(target);
        let oversleep = woke.saturating_since(target);
        self.margins.learn(WakeUp { duration, oversleep, kind: MarginKind::Probe }, self.options.aim);
        woke
    }

    /// Returns whether to use the kernel for a sleep that is too short for its margin. Otherwise nothing would ever be
    /// learned from such sleeps again. It is done once in many, rarely enough to keep the promised share.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 4 to 200
    fn explores(&mut self) -> bool {
        let Aim::OnTime(share) = self.options.aim else { return true };
        self.unslept += 1;
        let due = self.unslept >= (2.0 / (1.0 - share)) as u32;
        if due {
            self.unslept = 0;
        }
        due
    }

    fn wait_coarsely(&mut self, target: Moment) -> Moment {
        loop {
            self.stats.count_wake_up();
            if !self.options.takes_slack() {
                self.machine.sleep_until(target);
            } else if self.asking.is_due() && self.was_real_time != Some(true) {
                self.machine.sleep_until_among_busy(target);
            } else {
                self.machine.sleep_until_tight(target);
            }
            let now = self.machine.now();
            if now >= target {
                return now;
            }
        }
    }

    /// Waits finely. Not inlined, so that the second of two waits finds the code of the first in the caches.
    #[inline(never)]
    fn wait_finely(&mut self, until: Moment) -> Moment {
        let end = self.machine.spin_until(until);
        if let Some(ended) = &mut self.uncounted {
            ended.end = end;
        }
        end
    }

    /// Learns, if there is time before the fine wait.
    fn use_the_time(&mut self, rest: Nanos) {
        if rest > TIME_TO_LEARN {
            self.learn_the_cost();
            self.learn_what_is_left();
            if self.stats.sleeps() % ASK_POLICY == 0 {
                self.notice_policy();
            }
        }
    }

    fn learn_the_cost(&mut self) {
        let Some(Metered { duration, before, wake_ups, for_margin }) = self.metered.take() else { return };
        if let Some(after) = self.machine.processor_time() {
            let spent = after.saturating_sub(before);
            self.stats.learn_cost(spent, self.stats.wake_ups() - wake_ups);
            if for_margin {
                self.margins.learn_cost(duration, spent);
            }
        }
    }

    fn learn_what_is_left(&mut self) {
        if let Some(wake_up) = self.unlearned.take() {
            self.wake_ups = self.wake_ups.wrapping_add(1);
            let is_quiet = self.options.aim == Aim::Eco && self.margins.is_quiet(wake_up.duration);
            if !is_quiet || self.wake_ups % ECO_LEARNS_ONE_IN == 0 {
                self.margins.learn(wake_up, self.options_for(wake_up.duration).aim);
            }
        }
    }

    pub(super) fn count_what_is_left(&mut self) {
        if let Some(ended) = self.uncounted.take() {
            ended.count_into(&mut self.stats);
            self.margins.count_wait(ended.duration, ended.spun(), self.options_for(ended.duration).cpu_ceiling());
            let late = ended.end.saturating_since(ended.deadline);
            let awake = ended.deadline.saturating_since(ended.woke);
            self.patience.learn(awake, late);
            if matches!(self.options.aim, Aim::OnTime(_)) {
                self.margins.compare(ended.duration, late > INTERRUPTED, ended.cut);
            }
        }
    }

    /// Forgets the learned margins if the policy has changed, because they do not apply to another policy.
    fn notice_policy(&mut self) {
        let is_real_time = self.machine.is_real_time();
        if self.was_real_time.replace(is_real_time).is_some_and(|was| was != is_real_time) {
            self.margins.forget();
            self.rests.forget();
        }
        let budget = if is_real_time { self.machine.budget() } else { None };
        self.affordable = budget.map(|budget| Nanos::new(budget.get() / BUDGET_PART));
    }

    /// Returns the options in force for sleeps of this length: the default's where trying to keep the requested share
    /// gets no more sleeps on time.
    fn options_for(&self, duration: Nanos) -> SleeperOptions {
        if self.margins.limit(duration).is_some() { self.options.as_default() } else { self.options }
    }

    /// Returns the margin under the ceilings. The policy is read only where it would matter.
    pub(super) fn allowed_margin(&self, duration: Nanos) -> Margin {
        let options = self.options_for(duration);
        let below = |ceiling: Nanos| ceiling.saturating_sub(self.follows).max(Nanos::ZERO);
        let ceiling = options.spin_ceiling();
        // With a requested share, the margin stays and a second sleep shortens the wait.
        let longest = if options.aim == Aim::Balanced { ceiling.min(self.patience.longest()) } else { ceiling };
        let margin = self
            .margins
            .margin(duration, &options)
            .cut_to(below(longest), Ceiling::FineWait)
            .cut_to(self.affordable.unwrap_or(Nanos::MAX), Ceiling::PolicyBudget);
        let real_time = below(options.real_time_ceiling);
        let margin = if margin.length > real_time && self.machine.is_real_time() {
            margin.cut_to(real_time, Ceiling::RealTime)
        } else {
            margin
        };
        margin.limited_by(self.margins.limit(duration))
    }
}
