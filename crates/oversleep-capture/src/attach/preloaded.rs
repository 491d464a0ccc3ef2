//! Waits as the library `oversleep-preload` notes them in a program that is started.

use super::recorder::Recorder;
use super::run::Source;
use super::{Ended, Wait};
use oversleep_os::program::{PreloadedEnd, PreloadedWait, Waits};
use oversleep_recording::AttachedProgram;
use oversleep_recording::trace::{Event, EventKind};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::process::Command;

/// The file of a program's waits.
pub(super) struct Preloaded(Waits);

impl Preloaded {
    /// Prepares a command.
    pub(super) fn create(command: &mut Command) -> Result<Self, Refusal> {
        Waits::create(command).map(Self)
    }
}

impl Source for Preloaded {
    fn take(&mut self, _: Option<Nanos>, recorder: &mut Recorder) -> Result<(), Refusal> {
        let noted = self.0.read().map_err(|error| Refusal::from_os("the file of waits", &error))?;
        for wait in &noted {
            recorder.name(wait.tid, &wait.name);
            recorder.process(wait.tid, wait.pid);
        }
        recorder.waits(noted.iter().map(wait).collect(), None);
        Ok(())
    }

    fn count(&mut self, facts: &mut AttachedProgram) {
        (facts.untimed, facts.lost, facts.loaded) = (self.0.untimed(), self.0.lost(), Some(self.0.programs()));
    }
}

fn wait(noted: &PreloadedWait) -> Wait {
    let kind = EventKind::TimerStart { timer: 0, soft: noted.deadline, hard: noted.deadline };
    Wait {
        tid: noted.tid,
        call: noted.call.into(),
        arguments: [0; 6],
        start: noted.start,
        end: noted.end,
        armed: Event { at: noted.start, cpu: noted.cpu_start, thread: noted.tid, kind },
        deadline: noted.deadline,
        left: None,
        stopped: Vec::new(),
        asked: Some(noted.requested),
        ended: match noted.ended {
            PreloadedEnd::Time => Ended::Time,
            PreloadedEnd::Event => Ended::Event,
            PreloadedEnd::Signal => Ended::Signal,
        },
        cpu_start: noted.cpu_start,
        cpu_end: noted.cpu_end,
    }
}
