//! How long before the deadline to wake, learned per class of duration.

use super::allowance::Allowance;
use super::ceiling::Ceiling;
use super::comparison::Comparison;
use super::controller::ShareController;
use super::cost::Cost;
use super::options::{Aim, SleeperOptions};
use super::window::Window;
use crate::Nanos;

/// Number of classes. Durations are classed by powers of two, because longer sleeps lead to deeper idle states: class 0
/// is below 2 µs, the last from 17 s on.
const CLASSES: u32 = 25;
const SHORTEST: u32 = 10;

/// A sleep must save one part in this many of its length to be slept at all; its measured cost does not include later
/// costs, such as cold caches.
const WORTH_PART: i64 = 8;

/// An eco sleeper may wait finely for one part in this many of the usual oversleep. A sleep costs at least a third of
/// its usual oversleep in processor time on the machines measured, so this is at most 2 % of that cost.
const ECO_PART: i64 = 160;

/// What a sleep on time is worth in processor time, where no share was requested: one part in this many of its length,
/// and at most [`MOST_WORTH`]. At 60 Hz a tenth of a percent more sleeps on time may cost 0.5 µs of fine waiting in
/// each: on an idle machine this buys 95 to 99 of 100, and where a busy neighbour makes a sleep in thirty late by
/// milliseconds, it stops before those. At 750 Hz it is 40 ns: who is awake more often is more often in the way when
/// the scheduler divides the processor, and waits more often for other threads after that.
const WORTH_OF_LENGTH: i64 = 32;
const MOST_WORTH: Nanos = Nanos::MILLISECOND;

/// The cost of a sleep is measured where the usual oversleep is more than one part in this many of the sleep.
const SHORT: i64 = 4;

/// The learned oversleeps of all classes.
#[derive(Debug, Clone, Default)]
pub(super) struct Margins {
    classes: Vec<Option<Box<Class>>>,
}

/// What has been learned of sleeps of about the same length.
#[derive(Debug, Clone)]
struct Class {
    controller: ShareController,
    allowance: Allowance,
    cost: Cost,
    /// Margin of an eco sleeper, once the window is full: after a long sleep the window is not in the caches, and
    /// reading through it costs microseconds.
    quiet: Option<Nanos>,
    /// Compares trying to keep the requested share with what the default gets.
    promise: Comparison,
    /// What limited the promise when it was found to get no more than the default.
    limit: Option<Ceiling>,
}

/// How long before its deadline to wake, and what limited it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Margin {
    /// Time before the deadline. If at least the sleep's length, sleeping is not worth it at all.
    pub(super) length: Nanos,
    /// Margin that the requested share needs.
    wanted: Nanos,
    /// Ceiling that cut the margin.
    pub(super) cut: Option<Ceiling>,
}

impl Margin {
    fn uncut(wanted: Nanos) -> Self {
        Self { length: wanted, wanted, cut: None }
    }

    /// Names what limited it otherwise, if anything.
    pub(super) fn limited_by(self, ceiling: Option<Ceiling>) -> Self {
        Self { cut: ceiling.or(self.cut), ..self }
    }

    /// Cuts the margin to a length if it is longer; records the ceiling if the result is less than needed.
    pub(super) fn cut_to(self, length: Nanos, ceiling: Ceiling) -> Self {
        if self.length <= length {
            return self;
        }
        Self { length, cut: if self.wanted > length { Some(ceiling) } else { self.cut }, ..self }
    }
}

/// A wake-up, from which the margins learn.
#[derive(Debug, Clone, Copy)]
pub(super) struct WakeUp {
    pub(super) duration: Nanos,
    /// How late the kernel woke the thread.
    pub(super) oversleep: Nanos,
    pub(super) kind: MarginKind,
}

/// What a wake-up says about the margin.
#[derive(Debug, Clone, Copy)]
pub(super) enum MarginKind {
    /// Nothing: the first sleep of this class.
    Probe,
    /// Whether the margin was sufficient.
    Asked,
    /// The margin is as long as the sleep, and the kernel was used nevertheless, to measure how late it wakes now. This
    /// sleep represents those that were not slept.
    Explored {
        /// Whether the thread woke after its deadline.
        late: bool,
        /// Number of sleeps for which it counts in learning.
        weight: u32,
    },
}

/// Weight of an explored sleep in learning: eight of them replace everything learned before.
pub(super) const EXPLORED: u32 = 16;

impl Margins {
    pub(super) fn knows(&self, duration: Nanos) -> bool {
        self.class(duration).is_some()
    }

    /// Returns whether fewer sleeps of this class were late so far than the requested share allows.
    pub(super) fn has_credit(&self, duration: Nanos) -> bool {
        self.class(duration).is_some_and(|class| class.controller.has_credit())
    }

    /// Returns whether the eco margin of this class is known.
    pub(super) fn is_quiet(&self, duration: Nanos) -> bool {
        self.class(duration).is_some_and(|class| class.quiet.is_some())
    }

    pub(super) fn learn(&mut self, wake_up: WakeUp, aim: Aim) {
        let class = class(wake_up.duration);
        if self.classes.len() <= class {
            self.classes.resize(class + 1, None);
        }
        self.classes[class].get_or_insert_with(|| Box::new(Class::new(aim))).learn(wake_up, aim);
    }

    /// Counts a fine wait of a whole sleep whose margin was as long as itself.
    pub(super) fn count_unslept(&mut self, duration: Nanos) {
        let class = self.class_mut(duration).filter(|class| class.controller.margin() >= longest(duration));
        if let Some(class) = class {
            class.controller.count(false);
        }
    }

    /// Counts the fine wait at the end of a sleep.
    pub(super) fn count_wait(&mut self, duration: Nanos, waited: Nanos, cpu_ceiling: f64) {
        if let Some(class) = self.class_mut(duration) {
            class.allowance.count(duration, cpu_ceiling, waited);
        }
    }

    /// Returns what limits the promise where trying to keep it gets no more sleeps on time than the default does.
    pub(super) fn limit(&self, duration: Nanos) -> Option<Ceiling> {
        self.class(duration).and_then(|class| class.limit)
    }

    /// Compares, for a requested share, how the sleeps end.
    pub(super) fn compare(&mut self, duration: Nanos, late: bool, cut: Option<Ceiling>) {
        if let Some(class) = self.class_mut(duration) {
            class.compare(late, cut);
        }
    }

    /// Returns whether the processor time of the next sleep should be measured: that of short ones, occasionally.
    pub(super) fn wants_cost(&mut self, duration: Nanos) -> bool {
        self.class_mut(duration).is_some_and(|class| {
            let usual = class.window().quantile(0.5).unwrap_or(Nanos::ZERO);
            usual.get() > duration.get() / SHORT && class.cost.is_due()
        })
    }

    pub(super) fn learn_cost(&mut self, duration: Nanos, spent: Nanos) {
        if let Some(class) = self.class_mut(duration) {
            class.cost.learn(spent);
        }
    }

    pub(super) fn forget(&mut self) {
        self.classes.clear();
    }

    fn class(&self, duration: Nanos) -> Option<&Class> {
        self.classes.get(class(duration)).and_then(Option::as_deref)
    }

    fn class_mut(&mut self, duration: Nanos) -> Option<&mut Class> {
        self.classes.get_mut(class(duration)).and_then(Option::as_deref_mut)
    }

    /// Returns how long before its deadline to wake from a sleep of `duration`. Zero without data. If it is at least
    /// `duration`, sleeping is not worth it at all.
    pub(super) fn margin(&self, duration: Nanos, options: &SleeperOptions) -> Margin {
        let Some(class) = self.class(duration) else { return Margin::uncut(Nanos::ZERO) };
        match options.aim {
            Aim::Balanced => class.balanced(duration, options.cpu_ceiling()),
            Aim::OnTime(_) => class.on_time(duration, options.cpu_ceiling()),
            Aim::Eco => class.economical(duration, options.cpu_ceiling),
        }
    }
}

impl Class {
    fn new(aim: Aim) -> Self {
        let share = if let Aim::OnTime(share) = aim { share } else { SleeperOptions::ON_TIME };
        Self {
            controller: ShareController::new(share),
            allowance: Allowance::default(),
            cost: Cost::default(),
            quiet: None,
            promise: Comparison::promise(share),
            limit: None,
        }
    }

    fn window(&self) -> &Window {
        self.controller.window()
    }

    fn learn(&mut self, wake_up: WakeUp, aim: Aim) {
        let WakeUp { oversleep, kind, .. } = wake_up;
        self.quiet = None;
        match aim {
            Aim::OnTime(_) => {}
            Aim::Balanced => return self.controller.remember(oversleep),
            Aim::Eco => {
                self.controller.remember(oversleep);
                self.quiet = self.window().is_full().then(|| eco(self.window()));
                return;
            }
        }
        match kind {
            MarginKind::Probe => self.controller.learn(oversleep),
            MarginKind::Asked => self.controller.observe(oversleep),
            MarginKind::Explored { late, weight } => {
                self.controller.count(late);
                (0..weight).for_each(|_| self.controller.learn(oversleep));
            }
        }
    }

    /// Learns how a sleep ended, and what cut its margin. Each way begins with nothing saved or owed.
    fn compare(&mut self, late: bool, cut: Option<Ceiling>) {
        let was_other = self.promise.is_other();
        self.promise.learn(late);
        if self.promise.is_other() != was_other {
            self.limit = (!was_other).then(|| cut.unwrap_or(Ceiling::Interruptions));
            self.allowance = Allowance::default();
            self.controller.restart();
        }
    }

    /// Returns a margin that costs almost nothing, or less, where a ceiling was set.
    fn economical(&self, duration: Nanos, cpu_ceiling: Option<f64>) -> Margin {
        let margin = Margin::uncut(self.quiet.unwrap_or_else(|| eco(self.window())));
        match cpu_ceiling {
            Some(ceiling) => {
                margin.cut_to(self.window().margin_for(self.allowance.next(duration, ceiling)), Ceiling::Processor)
            }
            None => margin,
        }
    }

    fn balanced(&self, duration: Nanos, cpu_ceiling: f64) -> Margin {
        let (length, leaves_some) = self.window().worthwhile(worth(duration));
        let cut = leaves_some.then_some(Ceiling::Worth);
        let affordable = self.window().margin_for(self.allowance.next(duration, cpu_ceiling));
        Margin { length, wanted: length, cut }
            .cut_to(affordable, Ceiling::Processor)
            .cut_to(longest(duration), Ceiling::ShortSleep)
    }

    fn on_time(&self, duration: Nanos, cpu_ceiling: f64) -> Margin {
        let margin = Margin::uncut(self.controller.margin());
        let budget = self.allowance.next(duration, cpu_ceiling);
        // A sleep that would be almost entirely a fine wait becomes one, if the allowance permits.
        let hardly_slept = margin.wanted >= longest(duration);
        if hardly_slept && budget >= duration {
            return Margin { length: margin.wanted.max(duration), ..margin };
        }
        let affordable = self.window().margin_for(budget);
        let cut = margin.cut_to(affordable, Ceiling::Processor).cut_to(longest(duration), Ceiling::ShortSleep);
        let cut = self.no_longer_than_useful(cut);
        if self.saves_nothing(duration, cut.length) { Margin { length: duration, cut: None, ..margin } } else { cut }
    }

    /// Shortens a margin that was cut into a gap between the usual oversleeps and the late ones to just above the gap's
    /// lower end, which is as good; the time saved pays for sleeps that are fine waits altogether.
    fn no_longer_than_useful(&self, margin: Margin) -> Margin {
        match (margin.cut, self.window().largest_within(margin.length)) {
            (Some(_), Some(within)) => {
                let length = margin.length.min(within.saturating_add(Nanos::new(within.get() / 4)));
                Margin { length, ..margin }
            }
            _ => margin,
        }
    }

    /// Returns whether a sleep with this margin uses about as much of the processor as a fine wait of its length.
    fn saves_nothing(&self, duration: Nanos, margin: Nanos) -> bool {
        self.cost.known().is_some_and(|cost| {
            let spent = cost.saturating_add(self.window().mean_wait(margin));
            spent.get() >= duration.get() - duration.get() / WORTH_PART
        })
    }
}

/// Returns the longest margin with which there is still something to sleep.
pub(super) fn longest(duration: Nanos) -> Nanos {
    Nanos::new(duration.get() - duration.get() / 8)
}

/// Returns a margin that costs almost nothing: for half the sleeps there is no fine wait at all.
fn eco(window: &Window) -> Nanos {
    let median = window.quantile(0.5).unwrap_or(Nanos::ZERO);
    window.margin_for(Nanos::new(median.get() / ECO_PART))
}

/// Returns what being on time is worth to a sleep of this length.
fn worth(duration: Nanos) -> Nanos {
    Nanos::new(duration.get() / WORTH_OF_LENGTH).min(MOST_WORTH)
}

fn class(duration: Nanos) -> usize {
    let bits = i64::BITS - duration.get().max(0).leading_zeros();
    bits.saturating_sub(SHORTEST + 1).min(CLASSES - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const ON_TIME: Aim = Aim::OnTime(SleeperOptions::ON_TIME);

    fn on_time() -> SleeperOptions {
        SleeperOptions { aim: ON_TIME, ..SleeperOptions::default() }
    }

    fn us(n: i64) -> Nanos {
        Nanos::from_micros(n)
    }

    fn learn(margins: &mut Margins, duration: Nanos, oversleep: Nanos, aim: Aim) {
        margins.learn(WakeUp { duration, oversleep, kind: MarginKind::Asked }, aim);
    }

    fn learned(duration: Nanos, oversleeps_us: impl IntoIterator<Item = i64>) -> Margins {
        let mut margins = Margins::default();
        for n in oversleeps_us {
            learn(&mut margins, duration, us(n), ON_TIME);
        }
        margins
    }

    #[test]
    fn every_duration_has_a_class() {
        assert_eq!(class(Nanos::MIN), 0);
        assert_eq!(class(Nanos::ZERO), 0);
        assert_eq!(class(Nanos::new(2_047)), 0);
        assert_eq!(class(Nanos::new(2_048)), 1);
        assert_eq!(class(Nanos::from_secs(17)), 23);
        assert_eq!(class(Nanos::MAX), 24);
    }

    #[test]
    fn nothing_known_is_no_margin() {
        assert_eq!(Margins::default().margin(us(1_000), &SleeperOptions::default()).length, Nanos::ZERO);
    }

    #[test]
    fn a_first_oversleep_is_doubled() {
        let margins = learned(us(1_000), [40]);
        assert_eq!(margins.margin(us(1_000), &on_time()), Margin::uncut(us(80)));
    }

    #[test]
    fn the_cpu_ceiling_holds_in_the_mean() {
        let duration = us(100);
        let margins = learned(duration, (0..128).map(|i| 20 + i % 40));
        let options = SleeperOptions { aim: ON_TIME, cpu_ceiling: Some(0.1), ..SleeperOptions::default() };
        let Margin { length: margin, cut, .. } = margins.margin(duration, &options);
        assert_eq!(cut, Some(Ceiling::Processor));
        let mean = (0..128).map(|i| (margin.get() - us(20 + i % 40).get()).max(0)).sum::<i64>() / 128;
        assert!(mean <= 10_000, "{mean}");
        assert!(margin > us(40), "{margin}");
    }

    #[test]
    fn a_sleep_shorter_than_its_margin_is_left_out_only_if_that_may_be_paid() {
        let margins = learned(us(40), [60; 128]);
        let all = SleeperOptions { aim: ON_TIME, cpu_ceiling: Some(1.0), ..SleeperOptions::default() };
        let unslept = margins.margin(us(40), &all);
        assert!(unslept.length >= us(40) && unslept.cut.is_none());
        assert_eq!(margins.margin(us(40), &on_time()).cut, Some(Ceiling::ShortSleep));
        assert!(margins.margin(us(40), &on_time()).length < us(40));
    }

    #[test]
    fn a_cut_is_blamed_only_where_it_costs_something() {
        let margin = Margin { length: us(50), wanted: us(30), cut: None };
        assert_eq!(margin.cut_to(us(60), Ceiling::FineWait), margin);
        assert_eq!(margin.cut_to(us(40), Ceiling::FineWait), Margin { length: us(40), ..margin });
        let cut = margin.cut_to(us(20), Ceiling::FineWait).cut_to(us(10), Ceiling::RealTime);
        assert_eq!((cut.length, cut.cut), (us(10), Some(Ceiling::RealTime)));
    }

    #[test]
    fn a_quiet_margin_is_the_same_whether_kept_or_looked_for() {
        let options = SleeperOptions { aim: Aim::Eco, ..SleeperOptions::default() };
        let mut margins = Margins::default();
        for n in 0..300 {
            learn(&mut margins, us(1_000), us(30 + n * 7 % 30), Aim::Eco);
            assert_eq!(margins.is_quiet(us(1_000)), n >= 127);
            let class = margins.class(us(1_000)).unwrap();
            assert_eq!(margins.margin(us(1_000), &options), Margin::uncut(eco(class.window())));
        }
        // Learning with another aim leaves no outdated eco margin.
        learn(&mut margins, us(1_000), us(500), ON_TIME);
        assert!(!margins.is_quiet(us(1_000)));
    }

    #[test]
    fn eco_waits_for_almost_nobody() {
        let duration = us(1_000);
        let margins = learned(duration, (0..128).map(|i| 30 + i % 30));
        let options = SleeperOptions { aim: Aim::Eco, ..SleeperOptions::default() };
        let margin = margins.margin(duration, &options).length;
        let waits = (0..128).filter(|i| us(30 + i % 30) < margin).count();
        assert!(margin > us(30) && margin <= us(35) && waits <= 128 / 6, "{margin}: {waits}");
    }
}
