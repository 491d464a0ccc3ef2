//! Actions on late sleeps: a file, a mark in the system's trace, a stop, a command.

use super::Notice;
use oversleep_capture::late::LateRule;
use oversleep_capture::sleeps::Stop;
use oversleep_os::{command, trace};
use oversleep_recording::LateSleep;
use oversleep_recording::document::late::NamedLateSleep;
use oversleep_recording::trace::Tier;
use oversleep_report::late::{environment, excerpt};
use oversleep_sys::units::Nanos;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A request to watch for late sleeps: the threshold and the actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateRequest {
    /// Oversleep above which a sleep is late.
    pub threshold: Nanos,
    /// Actions for each late sleep, in order.
    pub actions: Vec<LateAction>,
    /// Number of latest sleeps that are examined; the rest are only counted. 10 if not given.
    pub most: Option<u64>,
    /// The best evidence to use; kernel events if not given.
    pub tier: Option<Tier>,
}

/// An action on a late sleep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LateAction {
    /// Writes a line into the machine's own trace.
    Mark,
    /// Ends the run.
    Stop,
    /// Runs a command, with what is known of the sleep in its environment.
    Run(String),
}

/// Number of latest sleeps that are examined unless a request says otherwise.
const MOST: u64 = 10;
/// How long to wait for the last command at the end of the run.
const PATIENCE: Duration = Duration::from_secs(10);

impl LateRequest {
    /// Returns the rule for a run on this machine, or for a simulated one, of which there is no trace.
    pub(super) fn rule(&self, simulated: bool) -> LateRule {
        LateRule {
            threshold: self.threshold,
            stop: self.actions.contains(&LateAction::Stop),
            most: self.most.unwrap_or(MOST),
            best: (!simulated).then_some(self.tier.unwrap_or(Tier::Events)),
        }
    }
}

/// Acts on late sleeps, on the thread that collects samples.
pub(super) struct LateActor<'a> {
    actions: Vec<LateAction>,
    stop: Stop,
    /// Path whose stem the files around late sleeps begin with; if `None`, no such files are written.
    beside: Option<PathBuf>,
    notice: Notice<'a>,
    number: u32,
    running: Option<Child>,
    /// Number of late sleeps whose command was not run because the previous command was still running.
    passed_over: u64,
    /// Whether a mark has failed: this is reported once.
    unmarked: bool,
    failed: bool,
}

impl<'a> LateActor<'a> {
    pub(super) fn new(request: &LateRequest, stop: &Stop, beside: Option<PathBuf>, notice: Notice<'a>) -> Self {
        let (actions, stop) = (request.actions.clone(), stop.clone());
        Self { actions, stop, beside, notice, number: 0, running: None, passed_over: 0, unmarked: false, failed: false }
    }

    /// Keeps the trace around the sleep, then takes the actions. Returns the path of the file with the trace.
    pub(super) fn act(&mut self, late: &LateSleep, named: NamedLateSleep) -> Option<String> {
        self.number += 1;
        let trace = self.keep(late, &named);
        let named = NamedLateSleep { trace: trace.clone(), ..named };
        for action in self.actions.clone() {
            match action {
                LateAction::Mark => self.mark(&named),
                LateAction::Stop => self.stop.stop(),
                LateAction::Run(command) => self.run(&command, &named),
            }
        }
        trace
    }

    fn keep(&self, late: &LateSleep, named: &NamedLateSleep) -> Option<String> {
        let (beside, excerpt) = (self.beside.as_ref()?, excerpt(late)?);
        let path = numbered(beside, self.number);
        let NamedLateSleep { method, requested, sequence, thread, .. } = named;
        let explanation = named.explanation();
        let head = format!("# {method} of {requested}, sleep {sequence} on thread {thread}\n# {explanation}\n");
        match std::fs::write(&path, format!("{head}# times count from the deadline\n{excerpt}")) {
            Ok(()) => Some(path.display().to_string()),
            Err(error) => {
                let path = path.display();
                (self.notice)(&format!("oversleep: {path}: {error}; going on without the trace of a late sleep"));
                None
            }
        }
    }

    fn mark(&mut self, named: &NamedLateSleep) {
        let text = format!("oversleep: {} {}", named.method, named.explanation());
        if let Err(refusal) = trace::mark(&text)
            && !std::mem::replace(&mut self.unmarked, true)
        {
            (self.notice)(&format!("oversleep: late sleeps are not marked in the machine's trace: {refusal}"));
        }
    }

    fn run(&mut self, line: &str, named: &NamedLateSleep) {
        if self.running.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None))) {
            self.passed_over += 1;
            return;
        }
        self.judge();
        let mut command = command::of_line(line);
        // Standard output is for results only.
        command.envs(environment(named)).stdin(Stdio::null()).stdout(std::io::stderr());
        match command.spawn() {
            Ok(child) => self.running = Some(child),
            Err(error) => (self.notice)(&format!("oversleep: cannot run '{line}': {error}")),
        }
    }

    /// Reports, once, that a command has ended without success.
    fn judge(&mut self) {
        let Some(Ok(Some(status))) = self.running.as_mut().map(Child::try_wait) else { return };
        if !status.success() && !std::mem::replace(&mut self.failed, true) {
            (self.notice)(&format!("oversleep: the command for a late sleep failed ({status})"));
        }
    }

    /// Waits up to [`PATIENCE`] for the last command.
    pub(super) fn finish(mut self) {
        if self.passed_over > 0 {
            let count = self.passed_over;
            (self.notice)(&format!("{count} late sleeps ran no command, for the last one's was still running"));
        }
        let Some(child) = &mut self.running else { return };
        let until = Instant::now() + PATIENCE;
        while matches!(child.try_wait(), Ok(None)) {
            if Instant::now() >= until {
                let id = child.id();
                (self.notice)(&format!("the command for the last late sleep is still running (process {id})"));
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.judge();
    }
}

/// Returns the path of the n-th file: `run.arrows` becomes `run-late-1.txt`.
fn numbered(beside: &Path, number: u32) -> PathBuf {
    let stem = beside.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    beside.with_file_name(format!("{stem}-late-{number}.txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_beside_the_recording() {
        assert_eq!(numbered(Path::new("/tmp/a.b.arrows"), 3), Path::new("/tmp/a.b-late-3.txt"));
        assert_eq!(numbered(Path::new("run"), 1), Path::new("run-late-1.txt"));
    }
}
