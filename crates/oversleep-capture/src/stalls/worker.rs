//! A thread that spins on one processor.

use super::detect::{Detector, Gap, Ticks};
use super::options::StallOptions;
use super::scale::CounterScale;
use super::scale::{self, Counter, Hardware, System};
use crate::sleeps::{Enforced, Stop};
use oversleep_os::sysinfo::activity::{Activity, Extent};
use oversleep_os::trace::{Readings, thread_id};
use oversleep_recording::plan::Conditions;
use oversleep_recording::trace::ThreadCounters;
use oversleep_recording::{Stall, StallWindow};
use oversleep_sys::Refusal;
use oversleep_sys::clock::{self, counter};
use oversleep_sys::units::Nanos;
use std::sync::mpsc::{Receiver, Sender};

/// The time during which to spin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) from: Nanos,
    pub(super) until: Nanos,
}

/// An answer of a thread.
pub(super) enum Answer {
    /// The thread is ready.
    Ready(Box<Ready>),
    /// A window has closed.
    Closed(Box<Closed>),
}

/// Facts that a thread reports before the first window.
pub(super) struct Ready {
    pub(super) cell: usize,
    pub(super) thread: i32,
    pub(super) obtained: Conditions,
    pub(super) refused: Vec<(String, Refusal)>,
    pub(super) lacking: Vec<(String, Refusal)>,
    pub(super) floor: Nanos,
    pub(super) threshold: Nanos,
}

/// Results of a window, on the monotonic clock. Its length is spun + stalled + looked, to the nanosecond.
pub(super) struct Closed {
    pub(super) cell: usize,
    pub(super) length: Nanos,
    pub(super) stalled: Nanos,
    pub(super) looked: Nanos,
    pub(super) ticks: Ticks,
    pub(super) stalls: Vec<CountedStall>,
}

/// One stall, with the counters read after it. Its cell and number are not known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CountedStall {
    pub(super) from: Nanos,
    pub(super) until: Nanos,
    pub(super) counted: Stall,
}

/// Data with which a thread starts.
pub(super) struct Worker {
    pub(super) cell: usize,
    pub(super) cpu: u32,
    pub(super) options: StallOptions,
    pub(super) extent: Extent,
    pub(super) answers: Sender<Answer>,
}

impl Worker {
    /// Runs the thread from beginning to end.
    pub(super) fn work(self, windows: &Receiver<Window>) {
        let asked = Conditions { affinity: Some(vec![self.cpu]), policy: self.options.policy, ..Conditions::default() };
        let enforced = Enforced::apply(&asked, 0);
        let obtained = enforced.read_back();
        // A counter's readings are comparable only on one processor; a thread that may move needs the system's clock.
        let pinned = obtained.affinity.as_deref() == Some(&[self.cpu][..]);
        if pinned && counter::support().is_ok_and(|support| support.invariant) {
            self.spin(Hardware, &enforced, obtained, windows);
        } else {
            self.spin(System, &enforced, obtained, windows);
        }
    }

    fn spin(&self, counter: impl Counter, enforced: &Enforced, obtained: Conditions, windows: &Receiver<Window>) {
        let (scale, floor) = scale::calibrate(counter);
        let threshold = match self.options.threshold {
            Some(threshold) => scale.to_ticks(threshold),
            None => floor + scale.to_ticks(Nanos::MICROSECOND),
        };
        let mut examiner = Looker::open(self.cpu, self.extent);
        let ready = Ready {
            cell: self.cell,
            thread: thread_id(),
            obtained,
            refused: enforced.refused().to_vec(),
            lacking: examiner.activity.lacking().to_vec(),
            floor: scale.length(floor),
            threshold: scale.length(threshold),
        };
        if self.answers.send(Answer::Ready(Box::new(ready))).is_err() {
            return;
        }
        while let Ok(window) = windows.recv() {
            let closed = watch(counter, scale, threshold, window, &mut examiner, &self.options.stop);
            let closed = Closed { cell: self.cell, ..closed };
            if self.answers.send(Answer::Closed(Box::new(closed))).is_err() {
                return;
            }
        }
    }
}

/// Spins through one window and returns its results.
fn watch(
    counter: impl Counter,
    rough: CounterScale,
    threshold: u64,
    window: Window,
    examiner: &mut Looker,
    stop: &Stop,
) -> Closed {
    let mut gaps: Vec<(Gap, Stall)> = Vec::with_capacity(1 << 10);
    std::thread::sleep((window.from - clock::monotonic()).to_duration().unwrap_or_default());
    examiner.begin();
    let from = scale::anchor(counter);
    let width = rough.to_ticks((window.until - from.time).max(Nanos::MICROSECOND));
    let first = counter.read();
    let end = first.saturating_add(width);
    let mut detector = Detector::begin(first, threshold);
    let mut now = first;
    while now < end && !stop.stopped() {
        now = counter.read();
        if let Some(gap) = detector.observe(now) {
            let after = examiner.examine(counter, gap.until - gap.from, &detector.account());
            if gaps.len() < StallWindow::MOST {
                gaps.push((gap, after));
            }
            now = counter.read();
            detector.resume(now);
        }
    }
    let until = scale::anchor(counter);
    let scale = CounterScale::new(from, until);
    let ticks = detector.account();
    examiner.end(&ticks);
    let stalls = gaps
        .into_iter()
        .map(|(gap, counted)| CountedStall { from: scale.at(gap.from), until: scale.at(gap.until), counted })
        .collect();
    Closed {
        cell: 0,
        length: scale.length(ticks.last - ticks.first),
        stalled: scale.length(ticks.stalled),
        looked: scale.length(ticks.looked),
        ticks,
        stalls,
    }
}

/// Reads counters after stalls. Reading the thread's own costs about a microsecond, the processor's up to a hundred.
/// Each kind is read while it has cost at most a twentieth of the time, or if its cost is at most a tenth of the stall.
struct Looker {
    activity: Activity,
    readings: Option<Readings>,
    thread: ThreadCounters,
    own: Budget,
    tables: Budget,
    /// Ticks within earlier windows.
    watched: u64,
}

/// Cost of reading one kind of counters, in ticks.
#[derive(Debug, Clone, Copy, Default)]
struct Budget {
    spent: u64,
    /// Cost of the cheapest reading: others include stalls of their own, which are not a cost of reading.
    price: u64,
    /// Number of stalls since the last reading.
    unread: u32,
}

impl Budget {
    /// Returns whether to read counters for a stall of this many ticks, `watched` ticks after the beginning.
    fn allows(&mut self, stall: u64, watched: u64) -> bool {
        self.unread = self.unread.saturating_add(1);
        self.spent.saturating_mul(20) <= watched || self.price.saturating_mul(10) <= stall
    }

    /// Adds the cost of a reading. Returns the number of earlier stalls that this reading covers too.
    fn pay(&mut self, price: u64) -> u32 {
        self.price = if self.price == 0 { price } else { self.price.min(price) };
        self.spent += price.min(self.price.saturating_mul(4));
        std::mem::take(&mut self.unread).saturating_sub(1)
    }
}

impl Looker {
    fn open(cpu: u32, extent: Extent) -> Self {
        let mut readings = Readings::open().ok();
        let thread = readings.as_mut().map_or_else(ThreadCounters::default, Readings::now);
        let (own, tables) = (Budget::default(), Budget::default());
        Self { activity: Activity::open(cpu, extent), readings, thread, own, tables, watched: 0 }
    }

    /// Begins a window: what happened between windows is not attributed to a stall.
    fn begin(&mut self) {
        (self.own.unread, self.tables.unread) = (0, 0);
        self.activity.since();
        self.thread = self.readings.as_mut().map_or_else(ThreadCounters::default, Readings::now);
    }

    fn end(&mut self, ticks: &Ticks) {
        self.watched += ticks.last - ticks.first;
    }

    fn examine(&mut self, counter: impl Counter, stall: u64, ticks: &Ticks) -> Stall {
        let watched = self.watched + (ticks.last - ticks.first);
        let mut after = Stall::default();
        let begun = counter.read();
        if self.own.allows(stall, watched) {
            let now = self.readings.as_mut().map_or_else(ThreadCounters::default, Readings::now);
            after.thread = Some(growth(&std::mem::replace(&mut self.thread, now), &now));
            after.thread_since = self.own.pay(counter.read().saturating_sub(begun));
        }
        let begun = counter.read();
        if self.tables.allows(stall, watched) {
            after.processor = Some(self.activity.since());
            after.processor_since = self.tables.pay(counter.read().saturating_sub(begun));
        }
        after
    }
}

/// Returns the growth of each counter that was read both times.
fn growth(before: &ThreadCounters, after: &ThreadCounters) -> ThreadCounters {
    let times = |after: Option<Nanos>, before: Option<Nanos>| after.zip(before).map(|(after, before)| after - before);
    ThreadCounters {
        run_delay: times(after.run_delay, before.run_delay),
        preempted: after.preempted.zip(before.preempted).map(|(after, before)| after - before),
        throttled: times(after.throttled, before.throttled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examining_keeps_to_a_twentieth_but_for_long_stalls() {
        let mut budget = Budget::default();
        assert!(budget.allows(1, 0), "the first look is free: its price is not known");
        assert_eq!(budget.pay(100), 0);
        assert!(!budget.allows(999, 1_999));
        assert!(budget.allows(1_000, 1_999), "a tenth of the stall");
        assert!(budget.allows(1, 2_000), "a twentieth of the time");
        assert_eq!(budget.pay(1_000_000), 2, "over three stalls");
        assert_eq!((budget.price, budget.spent), (100, 500), "a look that was stalled did not cost that much");
    }

    /// A counter that advances by 10 at each reading, and by 1 000 at every hundredth.
    #[derive(Clone, Copy)]
    struct Simulated<'a>(&'a std::cell::Cell<(u64, u64)>);

    impl Counter for Simulated<'_> {
        fn read(self) -> u64 {
            let (readings, now) = self.0.get();
            let now = now + if readings % 100 == 99 { 1_000 } else { 10 };
            self.0.set((readings + 1, now));
            now
        }
    }

    #[test]
    fn a_window_on_a_simulated_counter_is_accounted_for_to_the_nanosecond() {
        let state = std::cell::Cell::new((0, 0));
        let counter = Simulated(&state);
        let mut examiner = Looker::open(0, Extent::Unseen);
        let now = clock::monotonic();
        let window = Window { from: now, until: now + Nanos::from_millis(1) };
        // About one tick per nanosecond, so that some 100 000 readings fill the window.
        let anchor = |ticks| super::super::scale::Anchor { ticks, time: Nanos::new(i64::try_from(ticks).unwrap()) };
        let rough = CounterScale::new(anchor(0), anchor(1_000_000));
        let closed = watch(counter, rough, 500, window, &mut examiner, &Stop::default());
        let Ticks { first, last, spun, stalled, looked, gaps, .. } = closed.ticks;
        assert_eq!(last - first, spun + stalled + looked);
        assert!(gaps > 100 && looked > 0, "{gaps} {looked}");
        assert_eq!(stalled, gaps * 1_000, "each gap is one long step");
        assert_eq!(closed.stalls.len() as u64, gaps);
        assert!(closed.stalls.iter().zip(closed.stalls.iter().skip(1)).all(|(a, b)| a.until <= b.from));
        assert!(closed.length >= closed.stalled + closed.looked);
    }

    #[test]
    fn told_to_stop_it_stops() {
        let stop = Stop::default();
        stop.stop();
        let now = clock::monotonic();
        let window = Window { from: now, until: now + Nanos::from_secs(3_600) };
        let (scale, _) = super::super::scale::calibrate(System);
        let closed = watch(System, scale, u64::MAX, window, &mut Looker::open(0, Extent::Unseen), &stop);
        assert_eq!(closed.ticks.readings, 1);
    }
}
