//! A thread that spins on one processor.

use super::calibrate::{self, Counter, Hardware, System};
use super::detect::{Detector, Gap, Ticks};
use super::options::Options;
use super::scale::Scale;
use crate::plan::Conditions;
use crate::source::live::{Enforced, Stop};
use oversleep_os::Refusal;
use oversleep_os::clock::{self, counter};
use oversleep_os::fact::activity::{Activity, Change, Extent};
use oversleep_os::trace::{Reading, Readings, thread_id};
use oversleep_os::units::Nanos;
use std::sync::mpsc::{Receiver, Sender};

/// When to spin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) from: Nanos,
    pub(super) until: Nanos,
}

/// What a thread says.
pub(super) enum Answer {
    /// It is ready.
    Ready(Box<Ready>),
    /// A window has closed.
    Closed(Box<Closed>),
}

/// What is known before the first window.
pub(super) struct Ready {
    pub(super) cell: usize,
    pub(super) thread: i32,
    pub(super) obtained: Conditions,
    pub(super) refused: Vec<(String, Refusal)>,
    pub(super) lacking: Vec<(String, Refusal)>,
    pub(super) floor: Nanos,
    pub(super) threshold: Nanos,
}

/// What a window brought, on the monotonic clock. Its length is spun + stalled + looked, to the nanosecond.
pub(super) struct Closed {
    pub(super) cell: usize,
    pub(super) length: Nanos,
    pub(super) stalled: Nanos,
    pub(super) looked: Nanos,
    pub(super) ticks: Ticks,
    pub(super) stalls: Vec<Stall>,
}

/// One stall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stall {
    pub(super) from: Nanos,
    pub(super) until: Nanos,
    pub(super) clues: Clues,
}

/// What counters said after a stall.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clues {
    /// The thread's own: before the stall (or an earlier one) and after it; `None` if they were not read.
    pub thread: Option<(Reading, Reading)>,
    /// The processor's.
    pub change: Option<Change>,
    /// Over how many stalls these changes happened, this one included.
    pub over: u32,
}

/// The thread's own things.
pub(super) struct Worker {
    pub(super) cell: usize,
    pub(super) cpu: u32,
    pub(super) options: Options,
    pub(super) extent: Extent,
    pub(super) answers: Sender<Answer>,
}

impl Worker {
    /// The thread's whole life.
    pub(super) fn work(self, windows: &Receiver<Window>) {
        let asked = Conditions { affinity: Some(vec![self.cpu]), policy: self.options.policy, ..Conditions::default() };
        let enforced = Enforced::apply(&asked, 0);
        let obtained = Enforced::read_back();
        // A counter is comparable with itself on one processor; a thread that may move needs the system's clock.
        let pinned = obtained.affinity.as_deref() == Some(&[self.cpu][..]);
        if pinned && counter::support().is_ok_and(|support| support.invariant) {
            self.spin(Hardware, &enforced, obtained, windows);
        } else {
            self.spin(System, &enforced, obtained, windows);
        }
    }

    fn spin(&self, counter: impl Counter, enforced: &Enforced, obtained: Conditions, windows: &Receiver<Window>) {
        let (scale, floor) = calibrate::measure(counter);
        let threshold = match self.options.threshold {
            Some(threshold) => scale.ticks(threshold),
            None => floor + scale.ticks(Nanos::MICROSECOND),
        };
        let mut looker = Looker::open(self.cpu, self.extent);
        let ready = Ready {
            cell: self.cell,
            thread: thread_id(),
            obtained,
            refused: enforced.refused().to_vec(),
            lacking: looker.activity.lacking().to_vec(),
            floor: scale.length(floor),
            threshold: scale.length(threshold),
        };
        if self.answers.send(Answer::Ready(Box::new(ready))).is_err() {
            return;
        }
        while let Ok(window) = windows.recv() {
            let closed = watch(counter, scale, threshold, window, &mut looker, &self.options.stop);
            let closed = Closed { cell: self.cell, ..closed };
            if self.answers.send(Answer::Closed(Box::new(closed))).is_err() {
                return;
            }
        }
    }
}

/// Gaps of one window that are listed; more are counted.
const LISTED: usize = 1 << 16;

/// Spins through one window.
fn watch(
    counter: impl Counter,
    rough: Scale,
    threshold: u64,
    window: Window,
    looker: &mut Looker,
    stop: &Stop,
) -> Closed {
    let mut gaps: Vec<(Gap, Clues)> = Vec::with_capacity(1 << 10);
    std::thread::sleep((window.from - clock::monotonic()).to_duration().unwrap_or_default());
    looker.begin();
    let from = calibrate::anchor(counter);
    let width = rough.ticks((window.until - from.time).max(Nanos::MICROSECOND));
    let first = counter.read();
    let end = first.saturating_add(width);
    let mut detector = Detector::begin(first, threshold);
    let mut now = first;
    while now < end && !stop.stopped() {
        now = counter.read();
        if let Some(gap) = detector.see(now) {
            let clues = looker.look(&detector.account());
            if gaps.len() < LISTED {
                gaps.push((gap, clues));
            }
            now = counter.read();
            detector.resume(now);
        }
    }
    let until = calibrate::anchor(counter);
    let scale = Scale::new(from, until);
    let ticks = detector.account();
    looker.end(&ticks);
    let stalls = gaps
        .into_iter()
        .map(|(gap, clues)| Stall { from: scale.at(gap.from), until: scale.at(gap.until), clues })
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

/// Reads counters after stalls, for at most a tenth of the time.
struct Looker {
    activity: Activity,
    readings: Option<Readings>,
    thread: Reading,
    /// Stalls since the counters were last read.
    unread: u32,
    /// Of the windows before.
    watched: u64,
    looked: u64,
}

impl Looker {
    fn open(cpu: u32, extent: Extent) -> Self {
        let mut readings = Readings::open().ok();
        let thread = readings.as_mut().map_or_else(Reading::default, Readings::now);
        Self { activity: Activity::open(cpu, extent), readings, thread, unread: 0, watched: 0, looked: 0 }
    }

    /// What happened between windows is nobody's stall.
    fn begin(&mut self) {
        self.unread = 0;
        self.activity.since();
        self.thread = self.readings.as_mut().map_or_else(Reading::default, Readings::now);
    }

    fn end(&mut self, ticks: &Ticks) {
        self.watched += ticks.last - ticks.first;
        self.looked += ticks.looked;
    }

    fn look(&mut self, ticks: &Ticks) -> Clues {
        self.unread += 1;
        let watched = self.watched + (ticks.last - ticks.first);
        if (self.looked + ticks.looked).saturating_mul(10) > watched {
            return Clues::default();
        }
        let now = self.readings.as_mut().map_or_else(Reading::default, Readings::now);
        let before = std::mem::replace(&mut self.thread, now);
        Clues {
            thread: Some((before, now)),
            change: Some(self.activity.since()),
            over: std::mem::take(&mut self.unread),
        }
    }
}
