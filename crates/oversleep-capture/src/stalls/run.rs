//! Runs windows one after another, and passes their stalls on.

use super::options::StallOptions;
use super::worker::{Answer, Closed, CountedStall, Ready, Window, Worker};
use crate::clocks::bracket_all;
use oversleep_os::settings::{affinity, realtime_limit};
use oversleep_os::sysinfo::activity::Extent;
use oversleep_os::trace::{Setup, Tracer, thread_id};
use oversleep_recording::trace::KernelEvents;
use oversleep_recording::{
    End, Flags, Note, Obtained, Sample, Sink, Stall, StallWindow, Unobtained, WatchedCpu, Watcher,
};
use oversleep_sys::Refusal;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StallRunProgress {
    /// Time since the beginning.
    pub elapsed: Nanos,
    /// Time left.
    pub remaining: Nanos,
    /// Number of stalls so far.
    pub stalls: u64,
    /// Longest stall so far.
    pub worst: Nanos,
}

/// How long opening a window may take: enabling kernel events stops all processors for short times, some 40 ms in
/// total.
const LEAD: Nanos = Nanos::from_millis(60);
/// How long before a window opens the threads get their orders.
const NOTICE: Nanos = Nanos::from_millis(2);
/// Interval at which a pause checks whether the run is to end.
const GLANCE: Nanos = Nanos::from_millis(50);

/// Watches processors, and passes stalls, totals and observations to the sink. Calls `progress` between windows.
///
/// The calling thread keeps off the processors in `options.cpus` if it has others.
///
/// # Errors
/// If a thread cannot be started. Anything else that is unavailable is noted, and the run goes on without it.
pub fn run(
    options: &StallOptions,
    left: &[u32],
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(StallRunProgress),
) -> Result<End, Refusal> {
    let _elsewhere = (!left.is_empty()).then(|| affinity::apply(left));
    // The kernel would cut short a window that never ended; a blocking wait between windows resets its limit.
    let limit = options.width().saturating_add(Nanos::from_secs(2));
    let _limit = options.policy.filter(|policy| policy.is_real_time()).map(|_| realtime_limit::limit_realtime(limit));
    let mut run = StallWatch::start(options, sink)?;
    let end = run.windows(progress);
    run.finish(end.clone());
    Ok(end)
}

/// A watch for stalls in progress, on one or more processors.
struct StallWatch<'a> {
    options: &'a StallOptions,
    sink: &'a mut dyn Sink,
    processors: Vec<WatchedProcessor>,
    answers: Receiver<Answer>,
    tracer: Option<Tracer>,
    begun: Nanos,
    closed: Nanos,
    worst: Nanos,
}

/// One watched processor.
struct WatchedProcessor {
    windows: Sender<Window>,
    totals: ProcessorTotals,
}

impl<'a> StallWatch<'a> {
    fn start(options: &'a StallOptions, sink: &'a mut dyn Sink) -> Result<Self, Refusal> {
        let mut note = Note { brackets: bracket_all(), ..Note::default() };
        let tracer = options.trace.then(|| Tracer::open(thread_id(), Setup::default())).and_then(|tracer| {
            tracer.map_err(|refusal| note.unavailable.push(unobtained("kernel events", &refusal))).ok()
        });
        let extent = if tracer.is_some() { Extent::Unseen } else { Extent::All };
        let (sender, answers) = channel();
        let mut processors = Vec::new();
        for (cell, cpu) in options.cpus.iter().copied().enumerate() {
            let (windows, orders) = channel();
            let worker = Worker { cell, cpu, options: options.clone(), extent, answers: sender.clone() };
            std::thread::Builder::new()
                .name(format!("stalls-{cpu}"))
                .spawn(move || worker.work(&orders))
                .map_err(|error| Refusal::from_os("starting a thread", &error))?;
            let account = WatchedCpu { cell: u32::try_from(cell).unwrap_or(u32::MAX), cpu, ..WatchedCpu::default() };
            processors.push(WatchedProcessor { windows, totals: ProcessorTotals::new(account) });
        }
        let begun = monotonic();
        let mut run = Self { options, sink, processors, answers, tracer, begun, closed: begun, worst: Nanos::ZERO };
        for _ in 0..run.processors.len() {
            match run.answers.recv() {
                Ok(Answer::Ready(ready)) => run.ready(*ready, &mut note),
                _ => return Err(Refusal::Failed("a watching thread ended before it began".to_owned())),
            }
        }
        run.sink.note(&note);
        Ok(run)
    }

    fn ready(&mut self, ready: Ready, note: &mut Note) {
        let processor = &mut self.processors[ready.cell];
        (processor.totals.account.floor, processor.totals.account.threshold) = (ready.floor, ready.threshold);
        let cell = processor.totals.account.cell;
        note.watchers.push(Watcher { cell, thread_id: ready.thread });
        note.obtained.push(Obtained { cell, thread: 0, conditions: ready.obtained });
        for (what, refusal) in ready.refused.iter().chain(&ready.lacking) {
            let entry = unobtained(what, refusal);
            // The reasons contain paths that name the processor, so only the first is kept.
            if !note.unavailable.iter().any(|known| known.what == entry.what) {
                note.unavailable.push(entry);
            }
        }
    }

    fn windows(&mut self, progress: &mut dyn FnMut(StallRunProgress)) -> End {
        let mut next = monotonic().saturating_add(NOTICE);
        if self.tracer.is_some() {
            next = next.saturating_add(LEAD);
        }
        self.begun = next;
        let last = next.saturating_add(self.options.duration);
        loop {
            if !self.pause(next) {
                return End::Interrupted;
            }
            if let Err(refusal) = self.window(next, last) {
                self.tracer = None;
                let note = Note { unavailable: vec![unobtained("kernel events", &refusal)], ..Note::default() };
                self.sink.note(&note);
            }
            let stalls = self.processors.iter().map(|processor| processor.totals.account.stalls).sum();
            let (elapsed, remaining) = (self.closed - self.begun, (last - self.closed).max(Nanos::ZERO));
            progress(StallRunProgress { elapsed, remaining, stalls, worst: self.worst });
            next = next.saturating_add(self.options.period);
            if self.options.stop.stopped() {
                return End::Interrupted;
            }
            if next >= last {
                return End::Complete;
            }
        }
    }

    /// Waits until it is time to open a window; `false` if the run is to end.
    fn pause(&self, next: Nanos) -> bool {
        let until = if self.tracer.is_some() { next - LEAD } else { next - NOTICE };
        loop {
            let left = until - monotonic();
            if self.options.stop.stopped() {
                return false;
            }
            match left.min(GLANCE).to_duration() {
                Some(pause) if left > Nanos::ZERO => std::thread::sleep(pause),
                _ => return true,
            }
        }
    }

    /// Opens a window on all processors at once, waits until it has closed, and records its results.
    fn window(&mut self, from: Nanos, last: Nanos) -> Result<(), Refusal> {
        let started = self.tracer.as_mut().map_or(Ok(()), Tracer::start);
        let from = from.max(monotonic());
        let until = from.saturating_add(self.options.width()).min(last.max(from.saturating_add(Nanos::MILLISECOND)));
        for processor in &self.processors {
            let _ = processor.windows.send(Window { from, until });
        }
        let mut closed: Vec<Closed> = Vec::new();
        while closed.len() < self.processors.len() {
            match self.answers.recv_timeout(Duration::from_secs(60)) {
                Ok(Answer::Closed(window)) => closed.push(*window),
                Ok(Answer::Ready(_)) => {}
                Err(RecvTimeoutError::Timeout) if !self.options.stop.stopped() => {}
                Err(_) => break,
            }
        }
        self.closed = monotonic();
        let batch = match (&mut self.tracer, &started) {
            (Some(tracer), Ok(())) => tracer.stop().and_then(|()| tracer.drain()).map(Some),
            _ => Ok(None),
        };
        closed.sort_by_key(|window| window.cell);
        let (batch, drained) = match batch {
            Ok(batch) => (batch, Ok(())),
            Err(refusal) => (None, Err(refusal)),
        };
        self.enter(from, &closed, batch);
        started.and(drained)
    }

    fn enter(&mut self, from: Nanos, closed: &[Closed], batch: Option<KernelEvents>) {
        let mut window = StallWindow { from, until: self.closed, ..StallWindow::default() };
        let mut spans = Spans::new();
        for closed in closed {
            let totals = &mut self.processors[closed.cell].totals;
            totals.window(closed);
            let (cell, cpu) = (totals.account.cell, u16::try_from(totals.account.cpu).unwrap_or(Sample::NO_CPU));
            let spans = spans.entry(cpu).or_default();
            let mut samples = Vec::with_capacity(closed.stalls.len());
            for seen in &closed.stalls {
                let sequence = totals.number();
                self.worst = self.worst.max(seen.until - seen.from);
                spans.push((seen.from, seen.until));
                samples.push(sample(cell, cpu, sequence, seen));
                if seen.counted != Stall::default() {
                    window.stalls.push(Stall { cell, sequence, ..seen.counted.clone() });
                }
            }
            self.sink.samples(&samples);
        }
        window.events = batch.map(|batch| events_around(batch, &spans));
        let mut note = Note { brackets: bracket_all(), stall_windows: vec![window], ..Note::default() };
        self.account(&mut note);
        self.sink.note(&note);
        self.sink.flush();
    }

    fn account(&self, note: &mut Note) {
        let elapsed = self.closed - self.begun;
        note.watched = self.processors.iter().map(|processor| processor.totals.account(self.begun, elapsed)).collect();
    }

    fn finish(&mut self, end: End) {
        let mut note = Note { brackets: bracket_all(), end: Some(end), ..Note::default() };
        self.account(&mut note);
        self.sink.note(&note);
        self.sink.flush();
    }
}

/// Returns a stall as a sample with a request of zero.
fn sample(cell: u32, cpu: u16, sequence: u64, seen: &CountedStall) -> Sample {
    Sample {
        cell,
        thread: 0,
        sequence,
        requested: Nanos::ZERO,
        deadline: None,
        start: seen.from,
        end: seen.until,
        cpu_start: cpu,
        cpu_end: cpu,
        flags: Flags::default(),
        ..Sample::BLANK
    }
}

fn unobtained(what: &str, refusal: &Refusal) -> Unobtained {
    Unobtained { what: what.to_owned(), kind: refusal.kind().to_owned(), why: refusal.reason().to_owned() }
}

/// Periods of time on each processor, from and until.
pub(super) type Spans = BTreeMap<u16, Vec<(Nanos, Nanos)>>;

/// Keeps the events of each processor that are within one of its spans, or at most [`StallWindow::MARGIN`] from one.
/// Spans must be in order of time; so must events, and their order is kept. Gaps in the events are all kept.
pub(super) fn events_around(batch: KernelEvents, spans: &Spans) -> KernelEvents {
    let within = |cpu: u16, at: Nanos| {
        let spans = spans.get(&cpu).map_or(&[][..], Vec::as_slice);
        let next = spans.partition_point(|(_, until)| until.saturating_add(StallWindow::MARGIN) < at);
        spans.get(next).is_some_and(|(from, _)| from.saturating_sub(StallWindow::MARGIN) <= at)
    };
    let events = batch.events.into_iter().filter(|event| within(event.cpu, event.at)).collect();
    KernelEvents { events, gaps: batch.gaps }
}

/// The totals of one processor.
#[derive(Debug)]
pub(super) struct ProcessorTotals {
    pub(super) account: WatchedCpu,
    /// Total time within windows, in ns.
    watched: Nanos,
    sequence: u64,
}

impl ProcessorTotals {
    pub(super) fn new(account: WatchedCpu) -> Self {
        Self { account, watched: Nanos::ZERO, sequence: 0 }
    }

    /// Adds the totals of a window.
    pub(super) fn window(&mut self, closed: &Closed) {
        self.watched += closed.length;
        let account = &mut self.account;
        account.stalled += closed.stalled;
        account.looked += closed.looked;
        account.spun += closed.length - closed.stalled - closed.looked;
        account.readings += closed.ticks.readings;
        account.stalls += closed.ticks.gaps;
        account.unlisted += closed.ticks.gaps - closed.stalls.len() as u64;
        account.backwards += closed.ticks.backwards;
    }

    /// Returns the number of the next stall.
    pub(super) fn number(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence - 1
    }

    /// Returns the totals from `begun` until `elapsed` later; time outside of windows counts as paused.
    pub(super) fn account(&self, begun: Nanos, elapsed: Nanos) -> WatchedCpu {
        WatchedCpu { begun, elapsed, paused: elapsed - self.watched, ..self.account }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::trace::{Event, EventKind};

    #[test]
    fn events_up_to_the_margin_of_a_stall_on_their_processor_are_kept() {
        let us = Nanos::from_micros;
        let event = |cpu, at| Event { at: us(at), cpu, thread: 1, kind: EventKind::TimerInterrupt };
        let all = [(1, 7), (1, 8), (2, 9), (1, 10), (1, 15), (1, 22), (1, 23), (1, 99), (2, 100)];
        let events = all.map(|(cpu, at)| event(cpu, at)).to_vec();
        let spans = Spans::from([(1, vec![(us(10), us(20)), (us(100), us(101))]), (3, vec![(us(0), us(200))])]);
        let nearby = events_around(KernelEvents { events, gaps: Vec::new() }, &spans);
        let nearby: Vec<_> = nearby.events.iter().map(|event| (event.cpu, event.at)).collect();
        assert_eq!(nearby, [(1, us(8)), (1, us(10)), (1, us(15)), (1, us(22)), (1, us(99))]);
    }
}
