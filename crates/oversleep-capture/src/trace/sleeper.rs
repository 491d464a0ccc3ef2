//! A thread that sleeps while it is traced.

use super::late::Lateness;
use super::thread_tracers::ThreadTracers;
use crate::sleeps::Stop;
use oversleep_os::cpu;
use oversleep_os::method::{Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodRow, Mode};
use oversleep_recording::trace::ThreadCounters;
use oversleep_recording::{Flags, Sample};
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;

/// The calling thread, ready to sleep in the two cells of a pair.
pub(super) struct Sleeper<'a> {
    pub(super) row: &'static MethodRow,
    pub(super) requested: Nanos,
    pub(super) waiter: Box<dyn Waiter>,
    pub(super) tracers: ThreadTracers,
    pub(super) stop: &'a Stop,
    /// Time of the monotonic clock at which the run ends.
    pub(super) until: Option<Nanos>,
}

/// The sleeps of a block, and the growth of counters during each.
#[derive(Default)]
pub(super) struct Block {
    pub(super) samples: Vec<Sample>,
    pub(super) counted: Vec<ThreadCounters>,
}

impl Sleeper<'_> {
    /// Returns whether the run is to stop, or its time is over.
    pub(super) fn is_over(&self) -> bool {
        self.stop.stopped() || self.until.is_some_and(|until| clock::monotonic() >= until)
    }

    /// Sleeps `count` times, beginning with number `first` of a cell; less often if the run is to end, or if a sleep is
    /// so late that it ends the run.
    pub(super) fn block(&mut self, cell: u32, first: u64, count: u64, lateness: Option<&Lateness>) -> Block {
        let room = usize::try_from(count).unwrap_or(0).min(100_000);
        let mut block = Block { samples: Vec::with_capacity(room), counted: Vec::with_capacity(room) };
        for sequence in (first..).take(usize::try_from(count).unwrap_or(usize::MAX)) {
            if self.is_over() {
                break;
            }
            let (sample, counted) = self.once(cell, sequence);
            block.samples.push(sample);
            block.counted.push(counted);
            if lateness.is_some_and(|lateness| lateness.ends(&sample)) {
                break;
            }
        }
        block
    }

    /// Sleeps once. Untraced sleeps read the counters too, so that the blocks differ only in the tracing.
    fn once(&mut self, cell: u32, sequence: u64) -> (Sample, ThreadCounters) {
        let requested = self.row.rounded(self.requested);
        let before = self.tracers.read();
        let deadline = (self.row.mode == Mode::Absolute).then(|| clock::monotonic().saturating_add(requested));
        self.waiter.prepare(deadline.map_or(Request::For(requested), Request::Until));
        let cpu_start = cpu::current();
        let start = clock::monotonic();
        let woken = self.waiter.wait();
        let end = clock::monotonic();
        let cpu_end = cpu::current();
        let after = self.tracers.read();
        let sample = Sample {
            cell,
            thread: 0,
            sequence,
            requested: self.requested,
            deadline,
            start,
            end,
            cpu_start: cpu_start.unwrap_or(Sample::NO_CPU),
            cpu_end: cpu_end.unwrap_or(Sample::NO_CPU),
            flags: match woken {
                Woken::TimedOut => Flags::default(),
                Woken::Interrupted => Flags::INTERRUPTED,
                Woken::Failed(_) => Flags::FAILED,
            },
            ..Sample::BLANK
        };
        (sample, after.since(&before))
    }
}
