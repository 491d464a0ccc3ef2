//! How long before the deadline to wake: learned per class of duration.

use super::cost::Cost;
use super::window::Window;
use super::wish::{Aim, Wish};
use crate::Nanos;

/// Durations are classed by powers of two, as deeper idle states follow longer sleeps: class 0 is below 2 µs, the
/// last from 17 s on.
const CLASSES: u32 = 25;
const SHORTEST: u32 = 10;

/// A tail is followed only so far: to the upper quartile times 1 + log₁₀(1/(1 − share)) over this. That is what a tail
/// that falls exponentially needs if it begins at three of its half-lives; what lies further out is a scheduler's
/// doing (milliseconds, under load), and waking earlier by so much would cost more processor time than sleeping saves.
const DECADES_OF_TAIL: f64 = 2.0;

const FEW: usize = 8;

/// A sleep has to save one part of its length in so many to be slept at all; its measured cost leaves out what it costs
/// afterwards, in caches that it left cold.
const WORTH_PART: i64 = 8;

/// A quiet sleeper may wait finely for this part of the usual oversleep, one part in so many. A sleep costs a third of its
/// usual oversleep and more in processor time on the machines measured, so this is at most 2 % of it.
const ECO_PART: i64 = 160;

/// What a sleep costs is of interest where the usual oversleep is more than this part of it, one in so many.
const SHORT: i64 = 4;

/// The learned oversleeps of all classes.
#[derive(Debug, Clone, Default)]
pub(super) struct Margins {
    classes: Vec<Option<Box<Class>>>,
}

/// What is known of sleeps of about the same length.
#[derive(Debug, Clone)]
struct Class {
    window: Window,
    cost: Cost,
    /// The quiet sleeper's margin, once the window is full: after a long sleep the window is out of the caches, and
    /// looking through it costs microseconds.
    quiet: Option<Nanos>,
}

impl Margins {
    pub(super) fn knows(&self, duration: Nanos) -> bool {
        self.class(duration).is_some()
    }

    /// Whether the quiet sleeper has its margin of sleeps of that class.
    pub(super) fn is_quiet(&self, duration: Nanos) -> bool {
        self.class(duration).is_some_and(|class| class.quiet.is_some())
    }

    pub(super) fn learn(&mut self, duration: Nanos, oversleep: Nanos, aim: Aim) {
        let class = class(duration);
        if self.classes.len() <= class {
            self.classes.resize(class + 1, None);
        }
        let new = || Box::new(Class { window: Window::new(), cost: Cost::default(), quiet: None });
        let class = self.classes[class].get_or_insert_with(new);
        class.window.insert(oversleep);
        class.quiet = (aim == Aim::Eco && class.window.is_full()).then(|| eco(&class.window));
    }

    /// Whether the processor time of the next sleep should be measured: of short ones, now and then.
    pub(super) fn wants_cost(&mut self, duration: Nanos) -> bool {
        self.class_mut(duration).is_some_and(|class| {
            let usual = class.window.quantile(0.5).unwrap_or(Nanos::ZERO);
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

    /// How long before its deadline to wake from a sleep of `duration`, at most the wish's spin ceiling. Zero where
    /// nothing is known. At or above `duration`: not worth sleeping at all.
    pub(super) fn margin(&self, duration: Nanos, wish: &Wish) -> Nanos {
        let Some(class) = self.class(duration) else { return Nanos::ZERO };
        let margin = match wish.aim {
            Aim::OnTime(share) => class.on_time(share, duration, wish.cpu_ceiling),
            Aim::Eco => class.quiet.unwrap_or_else(|| eco(&class.window)),
        };
        margin.min(wish.spin_ceiling)
    }
}

impl Class {
    fn on_time(&self, share: f64, duration: Nanos, cpu_ceiling: f64) -> Nanos {
        let window = &self.window;
        let known = i64::try_from(window.len()).unwrap_or(i64::MAX);
        let wanted = window.quantile(share).unwrap_or(Nanos::ZERO);
        // Few are a bad guide to the largest to come: one is doubled, ten get a tenth on top.
        let careful = wanted.saturating_add(Nanos::new(wanted.get() / known.max(1)));
        let followed = careful.min(tail(window, share));
        let budget = Nanos::from_f64(duration.as_f64() * cpu_ceiling);
        // Without a sleep the whole duration is waited finely.
        if followed >= duration && budget >= duration {
            return followed;
        }
        let affordable = window.margin_for(budget);
        let margin = followed.min(affordable).min(Nanos::new(duration.get() - duration.get() / 8));
        if self.saves_nothing(duration, margin) { duration } else { margin }
    }

    /// Whether a sleep with this margin takes about as much of the processor as waiting finely all the time.
    fn saves_nothing(&self, duration: Nanos, margin: Nanos) -> bool {
        self.cost.known().is_some_and(|cost| {
            let spent = cost.saturating_add(self.window.mean_wait(margin));
            spent.get() >= duration.get() - duration.get() / WORTH_PART
        })
    }
}

/// 1.8 times the upper quartile at 0.97, twice at 0.99. Where the latest sleeps were all longer than the quartile, the
/// shortest of them counts instead: the machine has changed, and three in a row are no tail.
fn tail(window: &Window, share: f64) -> Nanos {
    // A quartile of few says little: the doubling of a first oversleep stands until there are some.
    let bulk = window.quantile(0.75).max(window.least_of_latest(3)).unwrap_or(Nanos::ZERO).as_f64();
    let followed = 1.0 - (1.0 - share).log10() / DECADES_OF_TAIL;
    Nanos::from_f64(bulk * if window.len() < FEW { 2.0 } else { followed })
}

/// A margin that costs next to nothing: for half the sleeps no fine wait at all.
fn eco(window: &Window) -> Nanos {
    let median = window.quantile(0.5).unwrap_or(Nanos::ZERO);
    window.margin_for(Nanos::new(median.get() / ECO_PART))
}

fn class(duration: Nanos) -> usize {
    let bits = i64::BITS - duration.get().max(0).leading_zeros();
    bits.saturating_sub(SHORTEST + 1).min(CLASSES - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(n: i64) -> Nanos {
        Nanos::from_micros(n)
    }

    fn learned(duration: Nanos, oversleeps_us: impl IntoIterator<Item = i64>) -> Margins {
        let mut margins = Margins::default();
        for n in oversleeps_us {
            margins.learn(duration, us(n), Aim::OnTime(Wish::ON_TIME));
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
        assert_eq!(Margins::default().margin(us(1_000), &Wish::default()), Nanos::ZERO);
    }

    #[test]
    fn a_first_oversleep_is_doubled() {
        let margins = learned(us(1_000), [40]);
        assert_eq!(margins.margin(us(1_000), &Wish::default()), us(80));
    }

    #[test]
    fn the_tail_of_a_loaded_machine_is_not_followed() {
        let margins = learned(us(1_000), (0..100).map(|i| if i % 10 == 0 { 5_000 } else { 60 }));
        let margin = margins.margin(us(1_000), &Wish::default());
        assert!((margin.get() - us(120).get()).abs() <= 1, "{margin}");
    }

    #[test]
    fn the_cpu_ceiling_holds_in_the_mean() {
        let duration = us(100);
        let margins = learned(duration, (0..128).map(|i| 20 + i % 40));
        let wish = Wish { cpu_ceiling: 0.1, ..Wish::default() };
        let margin = margins.margin(duration, &wish);
        let mean = (0..128).map(|i| (margin.get() - us(20 + i % 40).get()).max(0)).sum::<i64>() / 128;
        assert!(mean <= 10_000, "{mean}");
        assert!(margin > us(40), "{margin}");
    }

    #[test]
    fn a_sleep_shorter_than_its_margin_is_left_out_only_if_that_may_be_paid() {
        let margins = learned(us(40), [60; 128]);
        let all = Wish { cpu_ceiling: 1.0, ..Wish::default() };
        assert!(margins.margin(us(40), &all) >= us(40));
        assert!(margins.margin(us(40), &Wish::default()) < us(40));
    }

    #[test]
    fn the_spin_ceiling_is_never_passed() {
        let margins = learned(us(100_000), [30_000; 128]);
        let wish = Wish { spin_ceiling: us(500), ..Wish::default() };
        assert_eq!(margins.margin(us(100_000), &wish), us(500));
    }

    #[test]
    fn a_quiet_margin_is_the_same_whether_kept_or_looked_for() {
        let wish = Wish { aim: Aim::Eco, ..Wish::default() };
        let mut margins = Margins::default();
        for n in 0..300 {
            margins.learn(us(1_000), us(30 + n * 7 % 30), Aim::Eco);
            assert_eq!(margins.is_quiet(us(1_000)), n >= 127);
            let class = margins.class(us(1_000)).unwrap();
            assert_eq!(margins.margin(us(1_000), &wish), eco(&class.window));
        }
        // What is learned for another aim leaves nothing stale behind.
        margins.learn(us(1_000), us(500), Aim::OnTime(Wish::ON_TIME));
        assert!(!margins.is_quiet(us(1_000)));
    }

    #[test]
    fn eco_waits_for_almost_nobody() {
        let duration = us(1_000);
        let margins = learned(duration, (0..128).map(|i| 30 + i % 30));
        let wish = Wish { aim: Aim::Eco, ..Wish::default() };
        let margin = margins.margin(duration, &wish);
        let waits = (0..128).filter(|i| us(30 + i % 30) < margin).count();
        assert!(margin > us(30) && margin <= us(35) && waits <= 128 / 6, "{margin}: {waits}");
    }
}
