//! Doing something about late sleeps: a file, a mark, a stop, a command.

use crate::args::{Action, LateArgs};
use crate::say::say;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::report::late::{environment, excerpt};
use oversleep_os::{shell, trace};
use oversleep_recording::LateSleep;
use oversleep_recording::document::late::NamedLateSleep;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// How long a command may go on after the run.
const PATIENCE: Duration = Duration::from_secs(10);

/// Acts on late sleeps, on the thread that collects samples.
pub(crate) struct Deeds {
    actions: Vec<Action>,
    stop: Stop,
    /// The name that the files around late sleeps begin with; `None` keeps none.
    beside: Option<PathBuf>,
    number: u32,
    running: Option<Child>,
    /// Late sleeps whose command was not run because the last one's still ran.
    passed_over: u64,
    /// Whether a mark could not be made: said once.
    unmarked: bool,
    failed: bool,
}

impl Deeds {
    pub(crate) fn new(args: &LateArgs, stop: &Stop, beside: Option<PathBuf>) -> Self {
        let (actions, stop) = (args.then.clone(), stop.clone());
        Self { actions, stop, beside, number: 0, running: None, passed_over: 0, unmarked: false, failed: false }
    }

    /// Keeps the trace around the sleep, then does what was asked for. Returns the file that holds the trace.
    pub(crate) fn act(&mut self, late: &LateSleep, named: NamedLateSleep) -> Option<String> {
        self.number += 1;
        let trace = self.keep(late, &named);
        let named = NamedLateSleep { trace: trace.clone(), ..named };
        for action in self.actions.clone() {
            match action {
                Action::Mark => self.mark(&named),
                Action::Stop => self.stop.stop(),
                Action::Run(command) => self.run(&command, &named),
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
                say!("oversleep: {}: {error}; going on without the trace of a late sleep", path.display());
                None
            }
        }
    }

    fn mark(&mut self, named: &NamedLateSleep) {
        let text = format!("oversleep: {} {}", named.method, named.explanation());
        if let Err(refusal) = trace::mark(&text)
            && !std::mem::replace(&mut self.unmarked, true)
        {
            say!("oversleep: late sleeps are not marked in the machine's trace: {refusal}");
        }
    }

    fn run(&mut self, line: &str, named: &NamedLateSleep) {
        if self.running.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None))) {
            self.passed_over += 1;
            return;
        }
        self.judge();
        let mut command = shell::command(line);
        // Standard output is the results' alone.
        command.envs(environment(named)).stdin(Stdio::null()).stdout(std::io::stderr());
        match command.spawn() {
            Ok(child) => self.running = Some(child),
            Err(error) => say!("oversleep: cannot run '{line}': {error}"),
        }
    }

    /// Says, once, that a command that has ended did so without success.
    fn judge(&mut self) {
        let Some(Ok(Some(status))) = self.running.as_mut().map(std::process::Child::try_wait) else { return };
        if !status.success() && !std::mem::replace(&mut self.failed, true) {
            say!("oversleep: the command for a late sleep failed ({status})");
        }
    }

    /// Waits a while for the last command.
    pub(crate) fn finish(mut self) {
        if self.passed_over > 0 {
            say!("{} late sleeps ran no command, for the last one's was still running", self.passed_over);
        }
        let Some(child) = &mut self.running else { return };
        let until = Instant::now() + PATIENCE;
        while matches!(child.try_wait(), Ok(None)) {
            if Instant::now() >= until {
                say!("the command for the last late sleep is still running (process {})", child.id());
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.judge();
    }
}

/// `run.arrows` becomes `run-late-1.txt`.
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
