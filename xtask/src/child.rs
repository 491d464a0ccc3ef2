//! Functions that run cargo, rustup and other programs.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

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
    command
}

/// Runs a command; its output goes to this program's. The error says how it ended.
pub fn run(mut command: Command) -> Result<(), String> {
    let status = command.status();
    let words: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).take(4).collect();
    let name = words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{name} …`: {status}")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}

/// Runs cargo with these words.
pub fn cargo(root: &Path, words: &[&str]) -> Result<(), String> {
    run(command(root, &[&["cargo"], words].concat()))
}

/// Returns the standard output of a command, or, if it fails, what went wrong in one line.
pub fn output(root: &Path, words: &[&str]) -> Result<String, String> {
    let result = command(root, words).output().map_err(|error| format!("{}: {error}", words[0]))?;
    if result.status.success() {
        return Ok(String::from_utf8_lossy(&result.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&result.stderr);
    let error = errors.lines().find(|line| line.starts_with("error"));
    let line = error.or_else(|| errors.lines().rfind(|line| !line.trim().is_empty())).unwrap_or("no message");
    Err(format!("`{}`: {}", words.join(" "), line.trim()))
}
