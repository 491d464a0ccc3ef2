//! Running cargo, rustup and friends.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::outcome::Outcome;

/// A command in the workspace root, without what `cargo run` put into our own environment: build scripts that watch
/// those variables would be rebuilt at every step, and an inherited toolchain would overrule `cargo +1.88`.
pub(crate) fn command(root: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(root).stdin(Stdio::null());
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") || text == "CARGO" {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs the command, its output going to ours.
pub(crate) fn run(mut command: Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(status.to_string()),
        Err(error) => Outcome::Failed(format!("{}: {error}", command.get_program().display())),
    }
}

/// Standard output of a command that succeeds; what went wrong, in a line, of one that does not.
pub(crate) fn output(root: &Path, words: &[&str]) -> Result<String, String> {
    let result = command(root, words).output().map_err(|error| format!("{}: {error}", words[0]))?;
    if result.status.success() {
        return Ok(String::from_utf8_lossy(&result.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&result.stderr);
    let last = errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message");
    Err(format!("`{}`: {}", words.join(" "), last.trim()))
}
