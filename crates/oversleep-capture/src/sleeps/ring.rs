//! Ring buffers from a sleeping thread to the coordinator; neither waits for the other.

use oversleep_recording::plan::{Cell, Pattern};
use oversleep_recording::{Sample, Wake, Wakes};
use oversleep_sys::units::Nanos;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The sleeping thread's end. If the ring is full, a sample is lost and counted as lost.
pub(super) struct RingProducer {
    samples: Producer<Sample>,
    wakes: Producer<Wake>,
    runs: Producer<ScheduleRun>,
    /// Number of wake-ups pushed so far.
    pushed: u64,
    /// Wake-ups not yet in their ring: moving several at a time costs less than moving each.
    staged: [Wake; STAGED],
    /// Number of staged wake-ups that the current run uses.
    burst: usize,
    lost: Arc<AtomicU64>,
}

/// Largest number of wake-ups that are moved together.
const STAGED: usize = 64;

/// How long a wake-up of a schedule may wait to be moved, if the schedule is kept.
pub(super) const STAGED_FOR: Nanos = Nanos::from_millis(50);

/// The coordinator's end.
pub(super) struct RingConsumer {
    thread: u16,
    samples: Consumer<Sample>,
    wakes: Consumer<Wake>,
    runs: Consumer<ScheduleRun>,
    /// Number of wake-ups drained so far.
    drained: u64,
    /// The current run, up to the last wake-up drained.
    run: Option<ScheduleRun>,
    lost: Arc<AtomicU64>,
}

/// What all wake-ups of a run have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScheduleRun {
    /// Number of wake-ups pushed before it.
    at: u64,
    pub(super) cell: u32,
    pub(super) period: Nanos,
    /// Deadline that number 0 would have had.
    pub(super) anchor: Nanos,
    /// Time of the wake-up before the first.
    pub(super) start: Nanos,
    pub(super) cpu_start: u16,
    /// Number of the first wake-up.
    pub(super) sequence: u64,
}

impl ScheduleRun {
    /// Returns a run whose beginning is still to be set.
    pub(super) fn new(cell: u32, period: Nanos, anchor: Nanos) -> Self {
        let (start, cpu_start) = (Nanos::ZERO, Sample::NO_CPU);
        Self { at: 0, cell, period, anchor, start, cpu_start, sequence: 0 }
    }
}

/// Capacity for runs: turns, and times that a ring was full, between two collections.
const RUNS: usize = 256;

/// Shortest sleep seen of any method; it limits how many samples come in two seconds.
const FASTEST: Nanos = Nanos::from_micros(15);

/// Returns a ring with room for what may come between two collections: two seconds of the busiest cell, or two of its
/// longest turns if those are shorter (the coordinator empties rings that are half full between turns). `cells` are
/// given with the number of sleeps in their longest turn.
pub(super) fn ring<'a>(thread: u16, cells: impl Iterator<Item = (&'a Cell, u64)>) -> (RingProducer, RingConsumer) {
    let needed = |cell: &Cell, turn: u64| {
        let typical = cell.pattern.typical().max(FASTEST);
        let two_seconds = (2 * Nanos::SECOND.get() / typical.get()).unsigned_abs();
        two_seconds.min(turn.saturating_mul(2))
    };
    let (mut samples, mut wakes) = (0, 0);
    for (cell, turn) in cells {
        let kind = if matches!(cell.pattern, Pattern::Periodic { .. }) { &mut wakes } else { &mut samples };
        *kind = needed(cell, turn).max(*kind);
    }
    let (samples, there) = prefaulted(samples, Sample::BLANK);
    let (wakes, seen) = prefaulted(wakes, Wake::BLANK);
    let (runs, followed) = RingBuffer::new(RUNS);
    let lost = Arc::new(AtomicU64::new(0));
    (
        RingProducer {
            samples,
            wakes,
            runs,
            pushed: 0,
            staged: [Wake::BLANK; STAGED],
            burst: 1,
            lost: Arc::clone(&lost),
        },
        RingConsumer { thread, samples: there, wakes: seen, runs: followed, drained: 0, run: None, lost },
    )
}

/// Returns a ring that was filled and emptied once, so that no sample is delayed by a page's first touch.
fn prefaulted<T: Copy>(needed: u64, blank: T) -> (Producer<T>, Consumer<T>) {
    let capacity = usize::try_from(needed).unwrap_or(usize::MAX).clamp(1, 1 << 17).next_power_of_two().max(1 << 10);
    let (mut producer, mut consumer) = RingBuffer::new(if needed == 0 { 1 } else { capacity });
    while producer.push(blank).is_ok() {}
    while consumer.pop().is_ok() {}
    (producer, consumer)
}

impl RingProducer {
    #[inline]
    pub(super) fn push(&mut self, sample: Sample) {
        if self.samples.push(sample).is_err() {
            self.lose(1);
        }
    }

    /// Begins a run with the next wake-up; `false` if there is no room for it.
    pub(super) fn begin(&mut self, run: ScheduleRun) -> bool {
        self.burst = burst(run.period);
        self.runs.push(ScheduleRun { at: self.pushed, ..run }).is_ok()
    }

    /// Returns room for the next wake-ups of the current run, to be filled from the start and then [`Self::publish`]ed:
    /// for as many as are due within [`STAGED_FOR`], and at most `most`.
    #[inline]
    pub(super) fn burst(&mut self, most: usize) -> &mut [Wake] {
        &mut self.staged[..self.burst.min(most)]
    }

    /// Passes on the first `count` wake-ups of the burst; `false` if they were lost and another run must be begun.
    #[cold]
    pub(super) fn publish(&mut self, count: usize) -> bool {
        let staged = &self.staged[..count];
        let fits = self.wakes.push_entire_slice(staged).is_ok();
        if fits {
            self.pushed += staged.len() as u64;
        } else {
            self.lose(staged.len() as u64);
        }
        fits
    }

    /// Counts samples or wake-ups that are lost.
    #[cold]
    pub(super) fn lose(&self, count: u64) {
        self.lost.fetch_add(count, Ordering::Relaxed);
    }
}

/// Returns how many wake-ups of a schedule are due within [`STAGED_FOR`], from 1 to [`STAGED`].
fn burst(period: Nanos) -> usize {
    let due = STAGED_FOR.get() / period.get().max(1);
    usize::try_from(due).unwrap_or(1).clamp(1, STAGED)
}

impl RingConsumer {
    /// Moves the waiting samples to the end of `into`.
    pub(super) fn drain(&mut self, into: &mut Vec<Sample>) {
        let there = self.samples.slots();
        if let Ok(chunk) = self.samples.read_chunk(there) {
            let (first, second) = chunk.as_slices();
            into.extend_from_slice(first);
            into.extend_from_slice(second);
            chunk.commit_all();
        }
    }

    /// Passes the waiting wake-ups on, run by run; returns their number.
    pub(super) fn follow(&mut self, take: &mut dyn FnMut(&Wakes)) -> u64 {
        // Runs are pushed before their first wake-up, so every wake-up seen here has its run in the other ring.
        let there = self.wakes.slots();
        let Ok(chunk) = self.wakes.read_chunk(there) else { return 0 };
        let (first, second) = chunk.as_slices();
        for mut slice in [first, second] {
            while !slice.is_empty() {
                while let Ok(next) = self.runs.peek()
                    && next.at <= self.drained
                {
                    self.run = self.runs.pop().ok();
                }
                let until_next = self.runs.peek().map_or(u64::MAX, |next| next.at - self.drained);
                let length = usize::try_from(until_next).unwrap_or(usize::MAX).min(slice.len());
                let (now, later) = slice.split_at(length);
                if let Some(run) = &mut self.run {
                    run.hand_over(self.thread, now, take);
                }
                self.drained += now.len() as u64;
                slice = later;
            }
        }
        chunk.commit_all();
        there as u64
    }

    /// Returns whether a ring should be emptied.
    pub(super) fn half_full(&self) -> bool {
        self.samples.slots() * 2 >= self.samples.buffer().capacity().max(2)
            || self.wakes.slots() * 2 >= self.wakes.buffer().capacity().max(2)
            || self.runs.slots() * 2 >= RUNS
    }

    /// Returns the number of samples lost since the last call.
    pub(super) fn take_lost(&self) -> u64 {
        self.lost.swap(0, Ordering::Relaxed)
    }
}

impl ScheduleRun {
    /// Passes on wake-ups of this run, and moves its beginning behind them.
    fn hand_over(&mut self, thread: u16, wakes: &[Wake], take: &mut dyn FnMut(&Wakes)) {
        let Self { cell, period, anchor, start, cpu_start, sequence, .. } = *self;
        let run = Wakes { cell, thread, period, anchor, start, cpu_start, sequence, wakes };
        take(&run);
        if let Some(last) = wakes.last() {
            (self.start, self.cpu_start) = (last.end, last.cpu);
            self.sequence = run.sequence_of(last);
        }
    }
}
