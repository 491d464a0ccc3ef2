//! Runs all tests and doctests.
//!
//! cargo runs test programs one after the other. Many of ours sleep for most of their time, and one computes. So here
//! as many run at once as there are processors, each with twice as many threads, and the doctests beside them. No test
//! asserts how late a real sleep is, so the load does no harm.

use std::io::{self, Read as _, Seek as _};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use xtask::built::{self, TestProgram};

use crate::child;
use crate::outcome::{self, Outcome};

/// Programs that take longest, which are started first.
const LONGEST: [&str; 2] = ["diagnose", "cli"];

pub(super) fn check(root: &Path) -> Outcome {
    let mut programs = match built::tests(child::command(root, &["cargo", "test", "--workspace"])) {
        Ok(programs) => programs,
        Err(why) => return Outcome::Failed(why),
    };
    if programs.is_empty() {
        return Outcome::Failed("cargo built no test programs".to_owned());
    }
    programs.sort_by_key(|program| LONGEST.iter().position(|name| *name == program.name).unwrap_or(LONGEST.len()));
    let doctests = || output(child::command(root, &["cargo", "test", "--workspace", "--doc", "--quiet"]));
    let (mut faults, documented) = thread::scope(|scope| {
        let documented = scope.spawn(doctests);
        (all(root, &programs), documented.join())
    });
    let documented = documented.unwrap_or_else(|_| Err(io::Error::other("the thread that ran them panicked")));
    faults.extend(fault("doctests", documented));
    outcome::from_faults(&faults)
}

/// Runs every program; returns the failures.
fn all(root: &Path, programs: &[TestProgram]) -> Vec<String> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let faults = Mutex::new(Vec::new());
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            let mut command = built::run(root, program);
            command.env("RUST_TEST_THREADS", (2 * processors).to_string());
            let output = output(command);
            // The list stays locked while a program's output is printed, so that outputs do not mix.
            let mut faults = faults.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            faults.extend(fault(&title(root, program, start.elapsed()), output));
        }
    };
    thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(work);
        }
    });
    faults.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A program's exit status and output.
struct ProgramOutput {
    status: ExitStatus,
    printed: Vec<u8>,
}

/// Runs a program. Its output goes into a file: a pipe would be kept open by a process that it leaves behind.
fn output(mut command: Command) -> io::Result<ProgramOutput> {
    let mut file = tempfile::tempfile()?;
    let status = command.stdout(file.try_clone()?).stderr(file.try_clone()?).status()?;
    file.rewind()?;
    let mut printed = Vec::new();
    file.read_to_end(&mut printed)?;
    Ok(ProgramOutput { status, printed })
}

fn title(root: &Path, program: &TestProgram, took: Duration) -> String {
    let folder = program.folder.strip_prefix(root).unwrap_or(&program.folder);
    format!("{}: {} ({:.1} s)", folder.display(), program.name, took.as_secs_f64())
}

/// Prints a program's output; returns a message if it failed.
fn fault(title: &str, output: io::Result<ProgramOutput>) -> Option<String> {
    println!("\n   {title}");
    let output = match output {
        Ok(output) => output,
        Err(error) => return Some(format!("{title}: {error}")),
    };
    let printed = String::from_utf8_lossy(&output.printed);
    print!("{printed}");
    (!output.status.success()).then(|| format!("{title}: {}{}", output.status, failed(&printed)))
}

/// Returns the names of the tests that failed, as text that follows a status; nothing if the output names none.
fn failed(printed: &str) -> String {
    let names = printed.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    let names = names.collect::<Vec<_>>().join(", ");
    if names.is_empty() { names } else { format!(", failed: {names}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_runs_and_each_that_cannot_is_a_fault() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = |name: &str| TestProgram {
            name: name.to_owned(),
            path: folder.path().join(name),
            folder: folder.path().to_path_buf(),
        };
        let faults = all(folder.path(), &[program("a"), program("b"), program("c")]);
        assert_eq!(faults.len(), 3, "{faults:?}");
    }

    #[test]
    fn tests_that_failed_are_named() {
        assert_eq!(
            failed("running 3 tests\ntest a::b ... ok\ntest a::c ... FAILED\ntest d ... FAILED\n"),
            ", failed: a::c, d"
        );
        assert_eq!(failed("test a::b ... ok\n"), "");
    }

    #[test]
    fn what_a_program_leaves_behind_is_not_waited_for() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo $!; echo done >&2; exit 7"]);
        let ended = output(command).expect("a shell");
        let printed = String::from_utf8_lossy(&ended.printed).into_owned();
        let pid = printed.lines().next().expect("a number");
        Command::new("kill").arg(pid).status().expect("kill");
        assert_eq!((ended.status.code(), printed.lines().nth(1)), (Some(7), Some("done")));
    }
}
