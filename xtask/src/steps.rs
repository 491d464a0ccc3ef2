//! Runs named steps one after the other and says what each took and how it ended.

use std::fs;
use std::path::Path;
use std::time::Instant;

use xtask::child;

/// Why a step did not pass.
pub(crate) enum Problem {
    /// What it checks is not so.
    Failed(String),
    /// This machine lacks what the step needs, such as a tool, which is named.
    Impossible(String),
}

impl From<String> for Problem {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

/// A step: its name, what it does, and the function that runs it and returns what is worth a line at the end.
pub(crate) type Step<'a> = (&'static str, &'static str, Box<dyn Fn() -> Result<String, Problem> + 'a>);

/// Runs all steps and prints a table of them. Returns whether none failed.
pub(crate) fn run(steps: &[Step<'_>]) -> bool {
    let mut rows = Vec::new();
    let (mut failed, mut impossible) = (0, 0);
    for (name, about, run) in steps {
        println!("\n── {name}: {about}");
        let start = Instant::now();
        let result = run();
        let seconds = start.elapsed().as_secs_f64();
        let (word, text) = match result {
            Ok(text) => ("passed", text),
            Err(Problem::Failed(why)) => {
                failed += 1;
                ("FAILED", why)
            }
            Err(Problem::Impossible(why)) => {
                impossible += 1;
                ("NOT POSSIBLE HERE", why)
            }
        };
        let text: String = text.lines().collect::<Vec<_>>().join("; ").chars().take(600).collect();
        let row = format!("{name:9} {seconds:7.1} s  {word}{}{text}", if text.is_empty() { "" } else { ": " });
        println!("── {row}");
        rows.push(row);
    }
    println!("\n{}", rows.join("\n"));
    let passed = rows.len() - failed - impossible;
    let impossible = if impossible == 0 { String::new() } else { format!(", {impossible} not possible here") };
    println!("{passed} passed, {failed} failed{impossible}");
    failed == 0
}

/// Exit status of a script that lacks what it needs.
const IMPOSSIBLE: i32 = 77;

/// Runs a script, which writes into the file `REASON` why it failed, or what is worth a line.
pub(crate) fn script(root: &Path, words: &[&str]) -> Result<String, Problem> {
    let log = root.join("target").join("reason");
    let _ = fs::remove_file(&log);
    let mut command = child::command(root, &[&["bash"], words].concat());
    let status = command.env("REASON", &log).status().map_err(|error| format!("bash: {error}"))?;
    let reason = fs::read_to_string(&log).unwrap_or_default().trim().to_owned();
    match status.code() {
        Some(0) => Ok(reason),
        Some(IMPOSSIBLE) => Err(Problem::Impossible(reason)),
        _ if reason.is_empty() => Err(Problem::Failed(format!("`{} …`: {status}", words[0]))),
        _ => Err(Problem::Failed(reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Problem, script};

    #[test]
    fn a_script_that_lacks_something_has_neither_passed_nor_failed() {
        let ended = |words: &str| script(&xtask::tree::root(), &["-c", words]);
        assert!(matches!(ended("echo 2 files >$REASON"), Ok(text) if text == "2 files"));
        assert!(
            matches!(ended("echo no lintian >$REASON; exit 77"), Err(Problem::Impossible(why)) if why == "no lintian")
        );
        assert!(matches!(ended("echo 3 faults >$REASON; exit 1"), Err(Problem::Failed(why)) if why == "3 faults"));
        // What the script before it wrote is not taken for this one's.
        assert!(matches!(ended("exit 1"), Err(Problem::Failed(why)) if why.contains("exit status: 1")));
    }
}
