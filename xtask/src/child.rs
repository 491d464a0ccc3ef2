//! Functions that run cargo, rustup and other programs.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::outcome::Outcome;
use crate::toolchain;

/// Returns a command in the workspace root, without the variables that `cargo run` set for this process: build scripts
/// that watch them would be rebuilt at every step, and an inherited toolchain would overrule `cargo +1.88`.
pub fn command(root: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(root).stdin(Stdio::null());
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") || text == "CARGO" {
            command.env_remove(&name);
        }
    }
    toolchain::inherit(&mut command);
    command
}

/// Runs the command; its output goes to this program's.
pub fn run(mut command: Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(status.to_string()),
        Err(error) => Outcome::Failed(format!("{}: {error}", command.get_program().display())),
    }
}

/// Runs one of the project's programs, which ends its output with the line of [`Outcome::line`], and prints the rest of
/// the output.
pub fn run_tool(mut command: Command) -> Outcome {
    let name = command.get_program().display().to_string();
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return Outcome::Failed(format!("{name}: {error}")),
    };
    let mut outcome = None;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            outcome = Outcome::from_line(&line);
            if outcome.is_none() {
                println!("{line}");
            }
        }
    }
    match child.wait() {
        Ok(status) => judged(status.success(), &status.to_string(), outcome),
        Err(error) => Outcome::Failed(format!("{name}: {error}")),
    }
}

/// Returns the outcome of a program: it passed only if its last line says so and its exit status is 0.
fn judged(ended_well: bool, status: &str, said: Option<Outcome>) -> Outcome {
    match said {
        Some(Outcome::Passed) if !ended_well => Outcome::Failed(status.to_owned()),
        Some(outcome) => outcome,
        None => Outcome::Failed(format!("it ended without saying how: {status}")),
    }
}

/// Returns the standard output of a command, or, if it fails, what went wrong in one line.
pub fn output(root: &Path, words: &[&str]) -> Result<String, String> {
    let result = command(root, words).output().map_err(|error| format!("{}: {error}", words[0]))?;
    if result.status.success() {
        return Ok(String::from_utf8_lossy(&result.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&result.stderr);
    let last = errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message");
    Err(format!("`{}`: {}", words.join(" "), last.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_passes_only_if_it_says_so_and_ends_well() {
        let skipped = Outcome::Skipped("no tool".to_owned());
        assert_eq!(judged(true, "0", Some(Outcome::Passed)), Outcome::Passed);
        assert_eq!(judged(true, "0", Some(skipped.clone())), skipped);
        assert!(matches!(judged(false, "3", Some(Outcome::Passed)), Outcome::Failed(_)));
        assert!(matches!(judged(true, "0", None), Outcome::Failed(_)));
    }
}
