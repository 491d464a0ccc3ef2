//! Records a program's waits until it ends, the time is over or somebody stops it.

use super::evidence::History;
use super::join::Joiner;
use super::recorder::Recorder;
use crate::clocks::bracket_all;
use crate::sleeps::Stop;
use oversleep_os::program::Program;
use oversleep_os::trace::{Setup, Tracer, thread_id};
use oversleep_recording::plan::{ClockName, Kind, Plan};
use oversleep_recording::trace::{Event, EventKind, KernelEvents};
use oversleep_recording::{AttachedProgram, End, Missing, Note, Sink};
use oversleep_sys::Refusal;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

/// The program whose waits are recorded.
#[derive(Debug)]
pub enum Target {
    /// One that runs already.
    Running(Program),
    /// One that is started for the recording. It goes on after the recording if it has not ended.
    Start {
        /// The command.
        command: Command,
        /// The command as the recording has it.
        line: String,
    },
}

/// Settings of a recording of another program.
#[derive(Debug, Clone)]
pub struct AttachSettings {
    /// Size of buffers, and whether interrupts and idle states are recorded too.
    pub setup: Setup,
    /// Handle that ends the recording early.
    pub stop: Stop,
    /// Duration after which it ends.
    pub time_limit: Option<Nanos>,
}

/// How often the buffers are emptied. They hold some 80 000 events: more in this time are lost, and counted.
const DRAIN: Duration = Duration::from_millis(50);
/// How often the file is flushed.
const FLUSH: Nanos = Nanos::from_millis(618);
/// Events younger than this when the buffers were emptied may lack others of the same time.
const SETTLED: Nanos = Nanos::MILLISECOND;
/// A time further from the monotonic clock than this is one of the wall clock.
const FAR: Nanos = Nanos::from_secs(20 * 365 * 86_400);

/// Returns the plan of such a recording, whose cells become known as threads wait.
pub fn plan() -> Plan {
    Plan { kind: Kind::Attach, cells: Vec::new(), turns: Vec::new(), seed: Plan::DEFAULT_SEED }
}

/// Records the timed waits of a program and of all that it starts. Returns how the recording ended.
///
/// # Errors
/// If the kernel's events are not available, or the command cannot be started.
pub fn run(target: Target, settings: &AttachSettings, sink: &mut dyn Sink) -> Result<End, Refusal> {
    let running = match &target {
        Target::Running(program) => program.threads(),
        Target::Start { .. } => Vec::new(),
    };
    let mut tracer = Tracer::open_program(&running, settings.setup)?;
    let missing: Vec<Missing> =
        tracer.missing().iter().map(|(what, why)| Missing { what: what.clone(), why: why.clone() }).collect();
    tracer.start()?;
    let begun = monotonic();
    let (program, started, joiner) = match target {
        Target::Running(program) => {
            // Those that began in the meantime, of threads that were not yet recorded.
            tracer.add(&program.threads())?;
            (program, None, Joiner::new([], running))
        }
        Target::Start { command, line } => {
            let (starter, child) = start(&tracer, command)?;
            let program = Program::started(i32::try_from(child.id()).unwrap_or(-1), line);
            (program, Some(child), Joiner::new([starter], []))
        }
    };
    let facts = AttachedProgram {
        pid: program.pid,
        command: program.command.clone(),
        started: started.is_some(),
        processors: u32::try_from(oversleep_os::cpu::online().len()).unwrap_or(0),
        missing: missing.clone(),
        ..AttachedProgram::default()
    };
    sink.note(&Note { brackets: bracket_all(), attached: Some(facts.clone()), ..Note::default() });
    let recording = Recording {
        tracer,
        joiner,
        history: History::default(),
        recorder: Recorder::new(missing),
        unsettled: Vec::new(),
        lost: 0,
        facts,
        begun,
    };
    recording.run(&program, started, settings, sink)
}

/// Starts a command from a thread that is recorded itself, so that the command is from its first instruction on. Returns that
/// thread's ID too; it ends, and with it its recording.
fn start(tracer: &Tracer, mut command: Command) -> Result<(i32, Child), Refusal> {
    let spawn = || {
        tracer.add(&[thread_id()])?;
        let child = command.spawn().map_err(|error| {
            let name = command.get_program().to_string_lossy().into_owned();
            Refusal::Failed(format!("cannot start {name}: {error}"))
        })?;
        Ok((thread_id(), child))
    };
    thread::scope(|scope| scope.spawn(spawn).join())
        .unwrap_or_else(|_| Err(Refusal::Failed("a thread panicked".to_owned())))
}

struct Recording {
    tracer: Tracer,
    joiner: Joiner,
    history: History,
    recorder: Recorder,
    /// Events that others of the same time may still join.
    unsettled: Vec<Event>,
    lost: u64,
    facts: AttachedProgram,
    begun: Nanos,
}

impl Recording {
    fn run(
        mut self,
        program: &Program,
        mut child: Option<Child>,
        settings: &AttachSettings,
        sink: &mut dyn Sink,
    ) -> Result<End, Refusal> {
        let until = settings.time_limit.map(|limit| self.begun.saturating_add(limit));
        let mut flushed = self.begun;
        let end = loop {
            thread::sleep(DRAIN);
            let ended = match &mut child {
                Some(child) => !matches!(child.try_wait(), Ok(None)),
                None => program.has_ended(),
            };
            let now = monotonic();
            let end = match () {
                () if settings.stop.stopped() => Some(End::Interrupted),
                () if ended => Some(End::Complete),
                () if until.is_some_and(|until| now >= until) => Some(End::TimeOver),
                () => None,
            };
            if let Some(end) = end {
                self.facts.ended = ended;
                break end;
            }
            let events = self.tracer.drain()?;
            self.take(events, now.saturating_sub(SETTLED));
            self.recorder.flush(now, false, sink);
            if now - flushed >= FLUSH {
                self.note(now, None, sink);
                sink.flush();
                flushed = now;
            }
        };
        self.tracer.stop()?;
        let now = monotonic();
        let events = self.tracer.drain()?;
        self.take(events, Nanos::MAX);
        let last = self.joiner.finish();
        self.recorder.waits(last, &self.history);
        self.recorder.flush(now, true, sink);
        self.note(now, Some(end.clone()), sink);
        sink.flush();
        Ok(end)
    }

    /// Joins all events up to a time by which every processor's are there.
    fn take(&mut self, batch: KernelEvents, settled: Nanos) {
        self.lost += batch.gaps.iter().map(|gap| gap.records.max(1)).sum::<u64>();
        self.history.gaps(&batch.gaps);
        let wall_clock = wall_clock();
        self.unsettled.extend(batch.events);
        self.unsettled.sort_by_key(|event| event.at);
        let later = self.unsettled.partition_point(|event| event.at <= settled);
        let later = self.unsettled.split_off(later);
        let mut waits = Vec::new();
        for mut event in std::mem::replace(&mut self.unsettled, later) {
            to_monotonic(&mut event, wall_clock);
            if let EventKind::Switch { prev, next, .. } = &event.kind {
                self.recorder.name(prev.tid, &prev.comm);
                self.recorder.name(next.tid, &next.comm);
            }
            waits.extend(self.joiner.event(&event));
            self.history.push(event);
        }
        self.recorder.waits(waits, &self.history);
        self.history.trim(settled, self.joiner.overdue(settled));
    }

    fn note(&mut self, now: Nanos, end: Option<End>, sink: &mut dyn Sink) {
        self.facts.recorded = now - self.begun;
        (self.facts.untimed, self.facts.under_way, self.facts.lost) =
            (self.joiner.untimed(), self.joiner.under_way(), self.lost);
        sink.note(&Note { attached: Some(self.facts.clone()), end, ..Note::default() });
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
