//! The scheduler's counters around late sleeps, read by the sleeping thread: no other thread can read them just before and just after its
//! sleep.
//!
//! Both readings are outside of what is timed. The second is made only after late sleeps, and neither once nobody wants them any more.

use oversleep_os::trace::Readings;
use oversleep_recording::Sample;
use oversleep_recording::trace::ThreadCounters;
use oversleep_sys::units::Nanos;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Number of late sleeps between two collections of which counters are kept: many more than are examined.
const ROOM: usize = 4096;

/// The counters of one late sleep.
#[derive(Debug, Clone, Copy)]
struct CountedSleep {
    cell: u32,
    thread: u16,
    sequence: u64,
    counted: ThreadCounters,
}

/// The sleeping threads' end: which sleeps are late, and where their counters go.
#[derive(Debug, Clone)]
pub struct Counting {
    threshold: Nanos,
    wanted: Arc<AtomicBool>,
    sender: SyncSender<CountedSleep>,
}

/// The watch's end.
#[derive(Debug)]
pub(super) struct CountedInbox {
    wanted: Arc<AtomicBool>,
    receiver: Receiver<CountedSleep>,
    kept: Vec<CountedSleep>,
}

/// Returns both ends. Nothing is read until [`CountedInbox::want`] asks for it.
pub(super) fn counting(threshold: Nanos) -> (Counting, CountedInbox) {
    let (sender, receiver) = sync_channel(ROOM);
    let wanted = Arc::new(AtomicBool::new(false));
    (Counting { threshold, wanted: Arc::clone(&wanted), sender }, CountedInbox { wanted, receiver, kept: Vec::new() })
}

impl CountedInbox {
    /// Says whether counters are wanted.
    pub(super) fn want(&self, wanted: bool) {
        self.wanted.store(wanted, Ordering::Relaxed);
    }

    /// Takes in what the threads have passed on.
    pub(super) fn gather(&mut self) {
        self.kept.extend(self.receiver.try_iter());
    }

    /// Returns the counters of this sample's sleep, empty if none came, and drops those of the thread's earlier sleeps.
    pub(super) fn take(&mut self, sample: &Sample) -> ThreadCounters {
        let of_thread = |counted: &CountedSleep| (counted.cell, counted.thread) == (sample.cell, sample.thread);
        let found = self.kept.iter().find(|counted| of_thread(counted) && counted.sequence == sample.sequence);
        let counted = found.map_or_else(ThreadCounters::default, |found| found.counted);
        self.kept.retain(|counted| !of_thread(counted) || counted.sequence > sample.sequence);
        counted
    }
}

/// A thread's counters around its own sleeps.
pub(crate) struct SleepCounters {
    counting: Counting,
    thread: u16,
    read: Box<dyn FnMut() -> ThreadCounters>,
    before: Option<ThreadCounters>,
}

impl fmt::Debug for SleepCounters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SleepCounters").field("thread", &self.thread).finish_non_exhaustive()
    }
}

impl SleepCounters {
    /// Opens the counters of the calling thread; `None` where the system has none.
    pub(crate) fn open(counting: Counting, thread: u16) -> Option<Self> {
        let mut readings = Readings::open().ok();
        readings.as_ref()?;
        let read = move || readings.as_mut().map_or_else(ThreadCounters::default, Readings::now);
        Some(Self { counting, thread, read: Box::new(read), before: None })
    }

    /// Reads the counters before a sleep, if they are wanted. Returns whether it did, which takes about 2 µs.
    #[inline]
    pub(crate) fn before(&mut self) -> bool {
        self.before = self.counting.wanted.load(Ordering::Relaxed).then(|| (self.read)());
        self.before.is_some()
    }

    /// Passes on the counts of a late sleep. Never waits: counts that find no room are dropped.
    #[inline]
    pub(crate) fn after(&mut self, cell: u32, sequence: u64, lateness: Nanos) {
        if lateness > self.counting.threshold
            && let Some(before) = self.before.take()
        {
            let counted = (self.read)().since(&before);
            let _ = self.counting.sender.try_send(CountedSleep { cell, thread: self.thread, sequence, counted });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: i64) -> Nanos {
        Nanos::from_micros(us)
    }

    /// Returns a thread whose counted wait grows by 5 µs from each reading to the next.
    fn waiting(counting: &Counting, thread: u16) -> SleepCounters {
        let mut waited = us(100);
        let read = move || {
            waited += us(5);
            ThreadCounters { run_delay: Some(waited), ..ThreadCounters::default() }
        };
        SleepCounters { counting: counting.clone(), thread, read: Box::new(read), before: None }
    }

    #[test]
    fn late_sleeps_alone_are_counted_and_only_while_wanted() {
        let (counting, mut inbox) = counting(us(50));
        let (mut one, mut other) = (waiting(&counting, 0), waiting(&counting, 1));
        assert!(!one.before(), "not asked for yet");
        one.after(7, 0, us(900));
        inbox.want(true);
        for (sequence, late) in [(1, 50), (2, 51), (3, 900)] {
            assert!(one.before() && other.before());
            one.after(7, sequence, us(late));
            other.after(7, sequence, us(0));
        }
        inbox.want(false);
        assert!(!one.before());
        one.after(7, 4, us(900));
        inbox.gather();
        let mut delay = |thread, sequence| inbox.take(&Sample { cell: 7, thread, sequence, ..Sample::BLANK }).run_delay;
        assert_eq!(
            (0..5).map(|sequence| delay(0, sequence)).collect::<Vec<_>>(),
            [None, None, Some(us(5)), Some(us(5)), None]
        );
        assert_eq!((0..5).filter_map(|sequence| delay(1, sequence)).count(), 0);
        assert!(inbox.kept.is_empty());
    }

    #[test]
    fn what_finds_no_room_is_dropped_without_waiting() {
        let (counting, mut inbox) = counting(Nanos::ZERO);
        inbox.want(true);
        let mut thread = waiting(&counting, 0);
        for sequence in 0..2 * ROOM as u64 {
            thread.before();
            thread.after(0, sequence, us(1));
        }
        inbox.gather();
        assert_eq!(inbox.kept.len(), ROOM);
    }
}
