//! Builds test programs with cargo and finds them in its messages.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::child;

/// A test program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestProgram {
    /// The target's name, which is not unique: every crate may have a `trace`.
    pub name: String,
    /// Path of the program.
    pub path: PathBuf,
    /// Folder of its package, in which cargo would run it.
    pub folder: PathBuf,
}

/// Builds tests with a command of cargo; returns their programs.
pub fn tests(mut command: std::process::Command) -> Result<Vec<TestProgram>, String> {
    command.args(["--no-run", "--message-format=json-render-diagnostics"]);
    let told = command.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
    if !told.status.success() {
        return Err(format!("cargo test --no-run: {}", told.status));
    }
    Ok(programs(&String::from_utf8_lossy(&told.stdout)))
}

/// Returns a command that runs a test program as cargo would.
pub fn run(root: &Path, program: &TestProgram) -> std::process::Command {
    let mut command = child::command(root, &[&program.path.display().to_string()]);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    command
}

fn programs(messages: &str) -> Vec<TestProgram> {
    let program = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        // Programs that tests start are built too, but are not test programs.
        message["profile"]["test"].as_bool().filter(|test| *test)?;
        Some(TestProgram {
            name: message["target"]["name"].as_str()?.to_owned(),
            path: PathBuf::from(message["executable"].as_str()?),
            folder: Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf(),
        })
    };
    messages.lines().filter_map(program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_among_messages() {
        let message = |name: &str, test: bool, path: &str| {
            format!(
                "{{\"manifest_path\":\"/a/Cargo.toml\",\"target\":{{\"name\":\"{name}\"}},\"profile\":{{\"test\":{test}}},\
                 \"executable\":{path}}}\n"
            )
        };
        let messages = message("knob", true, "\"/x/knob-1\"") + &message("libc", false, "null") + "noise\n";
        let messages = messages + &message("oversleep", false, "\"/x/oversleep\"");
        let knob = TestProgram { name: "knob".to_owned(), path: "/x/knob-1".into(), folder: "/a".into() };
        assert_eq!(programs(&messages), [knob]);
    }
}
