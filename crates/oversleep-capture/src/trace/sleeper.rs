//! A thread that sleeps while it is traced.

use super::thread_tracers::ThreadTracers;
use crate::late::{AFTER, Account, LateRule, LatestSleeps, fact, since};
use crate::sleeps::Stop;
use oversleep_os::cpu;
use oversleep_os::method::{Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodRow, Mode};
use oversleep_recording::trace::{KernelEvents, OwnSwitches, ThreadCounters, Tier};
use oversleep_recording::{Flags, LateAccount, LateSleep, RefusedTier, Sample};
use oversleep_sys::units::Nanos;
use oversleep_sys::{Refusal, clock};

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

/// Checks the sleeps of each block for late ones.
pub(super) struct Lateness {
    rule: LateRule,
    account: Account,
    latest: LatestSleeps,
}

/// What was recorded during a block.
pub(super) struct Recorded<'a> {
    pub(super) tid: i32,
    pub(super) tier: Tier,
    pub(super) refused: &'a [RefusedTier],
    /// Kernel events and switches; `None` for an untraced block.
    pub(super) traced: Option<(&'a KernelEvents, &'a OwnSwitches)>,
}

impl Lateness {
    pub(super) fn new(rule: LateRule) -> Self {
        Self { rule, account: Account::new(rule.threshold), latest: LatestSleeps::new(rule.most) }
    }

    /// Returns whether this sleep ends the run, and with it the block.
    pub(super) fn ends(&self, sample: &Sample) -> bool {
        self.rule.stop && self.late(sample)
    }

    pub(super) fn stopped(&self) -> bool {
        self.account.stopped()
    }

    /// Counts the sleeps of a block and returns those to examine, with the records around them.
    pub(super) fn block(
        &mut self,
        samples: &[Sample],
        counted: &[ThreadCounters],
        recorded: &Recorded<'_>,
    ) -> Vec<LateSleep> {
        let mut found = Vec::new();
        for (sample, counted) in samples.iter().zip(counted) {
            if self.enter(sample) {
                found.push(LateSleep { counted: *counted, ..recorded.around(sample) });
            }
        }
        found
    }

    /// Returns the counts for a number of planned sleeps.
    pub(super) fn finish(&self, planned: u64) -> LateAccount {
        self.account.of_planned(planned)
    }

    fn late(&self, sample: &Sample) -> bool {
        !sample.flags.has(Flags::FAILED) && sample.oversleep() > self.rule.threshold
    }

    /// Counts a sleep. Returns whether it is to be examined.
    fn enter(&mut self, sample: &Sample) -> bool {
        let late = self.late(sample);
        self.account.enter(sample.cell, late);
        let wanted = late && !self.account.stopped() && self.latest.admit(sample.oversleep());
        if wanted {
            self.account.found();
            if self.rule.stop {
                self.account.stop();
            }
        }
        wanted
    }
}

impl Recorded<'_> {
    fn around(&self, sample: &Sample) -> LateSleep {
        let plain = LateSleep { tid: Some(self.tid), watched: true, refused: self.refused.to_vec(), ..fact(sample) };
        let Some((events, switches)) = self.traced else {
            let why = Refusal::Unavailable("this sleep was in an untraced block".to_owned());
            let refused = RefusedTier { tier: self.tier, why };
            return LateSleep { refused: vec![refused], ..plain };
        };
        let (from, until) = (since(sample), sample.end.saturating_add(AFTER));
        let nearby = events.around(from, until);
        let switches = switches.around(&nearby, from, until);
        LateSleep { events: (self.tier == Tier::Events).then_some(nearby), own: switches, ..plain }
    }
}
