//! Records a program's waits until it ends, the time is over or somebody stops it.

use super::counted::Counted;
use super::preloaded::Preloaded;
use super::recorder::Recorder;
use super::traced::Traced;
use crate::clocks::bracket_all;
use crate::sleeps::Stop;
use oversleep_os::program::Program;
use oversleep_os::settings::nice;
use oversleep_os::trace::Setup;
use oversleep_recording::plan::{Kind, Plan};
use oversleep_recording::{AttachTier, AttachedProgram, End, Note, Sink};
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

/// How often is looked whether the recording is to end.
const CHECK: Duration = Duration::from_millis(50);
/// How often the recorded events are taken, and the file flushed, unless there are many. Of a thousand waits a second, taking them at
/// each look cost 1.4 % of a processor, every 0.6 s 1.15 %; what process a thread belongs to can be asked only while it lives.
const TAKE: Nanos = Nanos::from_millis(250);

/// Niceness while recording, so that the program goes first where processors are short. With 19 it hardly runs
/// when other threads are busy: a recording of 5 s took 58 s with four on two processors.
const NICENESS: i32 = 5;

/// Where waits come from.
pub(super) trait Source {
    /// Returns whether waits may be lost if they are not taken now.
    fn is_filling(&self) -> bool {
        true
    }

    /// Takes the waits recorded since the last time; those after `now` may still lack something. `None` for the last time.
    fn take(&mut self, now: Option<Nanos>, recorder: &mut Recorder) -> Result<(), Refusal>;

    /// Fills in the counts other than the waits.
    fn count(&mut self, facts: &mut AttachedProgram);
}

/// Returns the plan of such a recording, whose cells become known as threads wait.
pub fn plan() -> Plan {
    Plan { kind: Kind::Attach, cells: Vec::new(), turns: Vec::new(), seed: Plan::DEFAULT_SEED }
}

/// Records the timed waits of a program and of all that it starts, from kernel events. Without rights on these, what the
/// library `oversleep-preload` notes in a program that is started; without that, what the kernel counts of its threads. Returns
/// how the recording ended.
///
/// # Errors
/// If none of that is available, or the command cannot be started.
pub fn run(target: Target, settings: &AttachSettings, sink: &mut dyn Sink) -> Result<End, Refusal> {
    let recording = match target {
        Target::Running(program) => match allowed(Traced::attach(&program, settings))? {
            Ok(traced) => Recording::of_events(traced, program, None, monotonic()),
            Err(why) => Recording::of_counters(program, None, why, monotonic())?,
        },
        Target::Start { mut command, line } => match allowed(Traced::open(settings))? {
            Ok(mut traced) => {
                let begun = monotonic();
                let child = traced.start(command)?;
                Recording::of_events(traced, program_of(&child, line), Some(child), begun)
            }
            Err(why) => match Preloaded::create(&mut command) {
                Ok(preloaded) => {
                    let begun = monotonic();
                    let child = spawn(&mut command)?;
                    let facts = of_tier(AttachTier::Preloaded, why);
                    Recording::new(Box::new(preloaded), facts, program_of(&child, line), Some(child), begun)
                }
                Err(refusal) => {
                    let why = format!("{why}; {}", refusal.reason());
                    // Nothing is started where its counters could not be read.
                    Counted::new(Program::ours()).map_err(|_| Refusal::Failed(why.clone()))?;
                    let begun = monotonic();
                    let child = spawn(&mut command)?;
                    Recording::of_counters(program_of(&child, line), Some(child), why, begun)?
                }
            },
        },
    };
    recording.run(settings, sink)
}

/// Returns why kernel events are not available, where a lower tier may be.
fn allowed<T>(opened: Result<T, Refusal>) -> Result<Result<T, String>, Refusal> {
    match opened {
        Ok(opened) => Ok(Ok(opened)),
        Err(Refusal::Forbidden(why)) => Ok(Err(format!("kernel events need root, or rights on tracefs: {why}"))),
        Err(Refusal::Unavailable(why)) => Ok(Err(format!("no kernel events: {why}"))),
        Err(failed) => Err(failed),
    }
}

/// Returns the facts of a recording of a lower tier; `why` there are no kernel events.
fn of_tier(tier: AttachTier, why: String) -> AttachedProgram {
    AttachedProgram { tier, refused: Some(why), ..AttachedProgram::default() }
}

fn program_of(child: &Child, line: String) -> Program {
    Program::started(i32::try_from(child.id()).unwrap_or(-1), line)
}

pub(super) fn spawn(command: &mut Command) -> Result<Child, Refusal> {
    command.spawn().map_err(|error| {
        let name = command.get_program().to_string_lossy().into_owned();
        Refusal::Failed(format!("cannot start {name}: {error}"))
    })
}

struct Recording {
    source: Box<dyn Source>,
    /// What the threads take of the processor, where waits come from elsewhere.
    costs: Option<Counted>,
    recorder: Recorder,
    facts: AttachedProgram,
    program: Program,
    child: Option<Child>,
    begun: Nanos,
}

impl Recording {
    fn of_events(traced: Traced, program: Program, child: Option<Child>, begun: Nanos) -> Self {
        let facts = AttachedProgram { missing: traced.missing(), ..AttachedProgram::default() };
        Self::new(Box::new(traced), facts, program, child, begun)
    }

    fn of_counters(program: Program, child: Option<Child>, why: String, begun: Nanos) -> Result<Self, Refusal> {
        let counted = Counted::new(program.clone())?;
        Ok(Self::new(Box::new(counted), of_tier(AttachTier::Counters, why), program, child, begun))
    }

    fn new(
        source: Box<dyn Source>,
        facts: AttachedProgram,
        program: Program,
        child: Option<Child>,
        begun: Nanos,
    ) -> Self {
        let facts = AttachedProgram {
            pid: program.pid,
            command: program.command.clone(),
            started: child.is_some(),
            processors: u32::try_from(oversleep_os::cpu::online().len()).unwrap_or(0),
            ..facts
        };
        let recorder = Recorder::new((facts.tier == AttachTier::Events).then(|| facts.missing.clone()));
        let costs = (facts.tier != AttachTier::Counters).then(|| Counted::new(program.clone()).ok()).flatten();
        Self { source, costs, recorder, facts, program, child, begun }
    }

    fn run(mut self, settings: &AttachSettings, sink: &mut dyn Sink) -> Result<End, Refusal> {
        // Refused without rights to end it: the caller goes on after the recording.
        let nice = nice::apply(NICENESS);
        sink.note(&Note { brackets: bracket_all(), attached: Some(self.facts.clone()), ..Note::default() });
        let until = settings.time_limit.map(|limit| self.begun.saturating_add(limit));
        let mut taken = self.begun;
        let end = loop {
            thread::sleep(CHECK);
            let now = monotonic();
            let due = now - taken >= TAKE;
            let ended = match &mut self.child {
                Some(child) => !matches!(child.try_wait(), Ok(None)),
                // At each look, that would cost a quarter of what a thousand waits a second do.
                None => due && self.program.has_ended(),
            };
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
            if due || self.source.is_filling() {
                self.source.take(Some(now), &mut self.recorder)?;
                self.recorder.flush(now, false, sink);
            }
            if due {
                if let Some(costs) = &mut self.costs {
                    costs.take(Some(now), &mut self.recorder)?;
                }
                self.note(now, None, sink);
                sink.flush();
                taken = now;
            }
        };
        drop(nice);
        self.source.take(None, &mut self.recorder)?;
        let now = monotonic();
        self.recorder.flush(now, true, sink);
        if let Some(costs) = &mut self.costs {
            costs.take(None, &mut self.recorder)?;
        }
        let costs = self.costs.as_ref().map(|costs| self.recorder.costs(costs)).unwrap_or_default();
        sink.note(&Note { costs, ..Note::default() });
        self.note(now, Some(end.clone()), sink);
        sink.flush();
        Ok(end)
    }

    fn note(&mut self, now: Nanos, end: Option<End>, sink: &mut dyn Sink) {
        self.facts.recorded = now - self.begun;
        self.source.count(&mut self.facts);
        sink.note(&Note { attached: Some(self.facts.clone()), end, ..Note::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_tiers_are_for_what_is_forbidden_or_not_there_and_never_hide_a_failure() {
        let outcome = |refusal: Refusal| allowed::<()>(Err(refusal));
        let forbidden = outcome(Refusal::Forbidden("instances".to_owned())).unwrap();
        assert_eq!(forbidden.unwrap_err(), "kernel events need root, or rights on tracefs: instances");
        assert!(outcome(Refusal::Unavailable("no tracefs".to_owned())).unwrap().is_err());
        assert!(outcome(Refusal::Failed("broken".to_owned())).is_err());
    }
}
