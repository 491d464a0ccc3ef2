//! Waits from kernel events.

use super::evidence::History;
use super::join::Joiner;
use super::recorder::Recorder;
use super::run::{AttachSettings, Source};
use crate::clocks::bracket_all;
use oversleep_os::program::Program;
use oversleep_os::trace::{Tracer, thread_id};
use oversleep_recording::plan::ClockName;
use oversleep_recording::trace::{Event, EventKind};
use oversleep_recording::{AttachedProgram, Missing};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::process::{Child, Command};
use std::thread;

/// Events younger than this when the buffers were emptied may lack others of the same time.
const SETTLED: Nanos = Nanos::MILLISECOND;
/// A time further from the monotonic clock than this is one of the wall clock.
const FAR: Nanos = Nanos::from_secs(20 * 365 * 86_400);

/// A recording of the events of a program.
pub(super) struct Traced {
    tracer: Tracer,
    joiner: Joiner,
    history: History,
    /// Events that others of the same time may still join.
    unsettled: Vec<Event>,
    /// Whether a thread is one of the program's.
    own: HashMap<i32, bool>,
    lost: u64,
}

impl Traced {
    /// Records a program that runs already.
    pub(super) fn attach(program: &Program, settings: &AttachSettings) -> Result<Self, Refusal> {
        let running = program.threads();
        let mut tracer = Tracer::open_program(&running, settings.setup)?;
        tracer.start()?;
        // Those that began in the meantime, of threads that were not yet recorded.
        tracer.add(&program.threads())?;
        Ok(Self::new(tracer, Joiner::new([], running)))
    }

    /// Prepares to record a program that [`Traced::start`] starts.
    pub(super) fn open(settings: &AttachSettings) -> Result<Self, Refusal> {
        let mut tracer = Tracer::open_program(&[], settings.setup)?;
        tracer.start()?;
        Ok(Self::new(tracer, Joiner::default()))
    }

    /// Starts a command from a thread that is recorded itself, so that the command is from its first instruction on. That
    /// thread ends, and with it its recording.
    pub(super) fn start(&mut self, mut command: Command) -> Result<Child, Refusal> {
        let tracer = &self.tracer;
        let spawn = || {
            tracer.add(&[thread_id()])?;
            Ok((thread_id(), super::run::spawn(&mut command)?))
        };
        let (starter, child) = thread::scope(|scope| scope.spawn(spawn).join())
            .unwrap_or_else(|_| Err(Refusal::Failed("a thread panicked".to_owned())))?;
        self.joiner = Joiner::new([starter], []);
        Ok(child)
    }

    /// Returns the events that this kernel lacks.
    pub(super) fn missing(&self) -> Vec<Missing> {
        self.tracer.missing().iter().map(|(what, why)| Missing { what: what.clone(), why: why.clone() }).collect()
    }

    fn new(tracer: Tracer, joiner: Joiner) -> Self {
        Self { tracer, joiner, history: History::default(), unsettled: Vec::new(), own: HashMap::new(), lost: 0 }
    }
}

impl Source for Traced {
    fn is_filling(&self) -> bool {
        self.tracer.is_filling()
    }

    /// Joins all events up to a time by which every processor's are there.
    fn take(&mut self, now: Option<Nanos>, recorder: &mut Recorder) -> Result<(), Refusal> {
        if now.is_none() {
            self.tracer.stop()?;
        }
        let settled = now.map_or(Nanos::MAX, |now| now.saturating_sub(SETTLED));
        let mut batch = self.tracer.drain()?;
        self.lost += batch.gaps.iter().map(|gap| gap.records.max(1)).sum::<u64>();
        self.history.gaps(&batch.gaps);
        let wall_clock = wall_clock();
        batch.events.append(&mut self.unsettled);
        batch.events.sort_by_key(|event| event.at);
        let later = batch.events.partition_point(|event| event.at <= settled);
        self.unsettled = batch.events.split_off(later);
        let mut waits = Vec::new();
        for mut event in batch.events {
            to_monotonic(&mut event, wall_clock);
            if let EventKind::Switch { prev, next, .. } = &event.kind {
                recorder.name(prev.tid, &prev.comm);
                recorder.name(next.tid, &next.comm);
            }
            waits.extend(self.joiner.event(&event));
            self.history.push(event);
        }
        if now.is_none() {
            waits.extend(self.joiner.finish());
        }
        let (tracer, own) = (&self.tracer, &mut self.own);
        waits.retain(|wait| *own.entry(wait.tid).or_insert_with(|| tracer.traces(wait.tid)));
        recorder.waits(waits, Some(&self.history));
        self.history.trim(settled, self.joiner.overdue(settled));
        Ok(())
    }

    fn count(&mut self, facts: &mut AttachedProgram) {
        (facts.untimed, facts.under_way, facts.lost) = (self.joiner.untimed(), self.joiner.under_way(), self.lost);
    }
}

/// Returns by how much the wall clock is ahead of the monotonic clock.
fn wall_clock() -> Nanos {
    let readings = bracket_all();
    let wall = readings.iter().find(|bracket| bracket.clock == ClockName::Realtime);
    wall.map_or(Nanos::ZERO, |bracket| bracket.reading.saturating_sub(bracket.monotonic))
}

/// Expresses the times of a timer on the wall clock in those of the monotonic one, which all events have.
fn to_monotonic(event: &mut Event, wall_clock: Nanos) {
    let at = event.at;
    let convert = |time: &mut Nanos| {
        if time.saturating_sub(at) > FAR && time.saturating_sub(wall_clock).saturating_sub(at) < FAR {
            *time = time.saturating_sub(wall_clock);
        }
    };
    match &mut event.kind {
        EventKind::TimerStart { soft, hard, .. } => [soft, hard].into_iter().for_each(convert),
        EventKind::TimerExpire { now, .. } => convert(now),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_wall_clock_become_monotonic_and_others_stay() {
        let ahead = Nanos::from_secs(1_800_000_000);
        let at = Nanos::from_secs(5_000);
        let start = |soft: Nanos| {
            let hard = soft.saturating_add(Nanos::from_micros(50));
            let mut event = Event { at, cpu: 0, thread: 7, kind: EventKind::TimerStart { timer: 1, soft, hard } };
            to_monotonic(&mut event, ahead);
            event.kind
        };
        let due = at + Nanos::MILLISECOND;
        let expected = EventKind::TimerStart { timer: 1, soft: due, hard: due + Nanos::from_micros(50) };
        assert_eq!(start(due), expected);
        assert_eq!(start(due + ahead), expected);
        assert_ne!(start(Nanos::MAX), expected);
    }
}
