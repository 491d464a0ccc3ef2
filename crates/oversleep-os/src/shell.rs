//! How this system runs a command line.

use std::process::Command;

/// A command that hands `line` to the system's shell: `sh -c` or, on Windows, `cmd /C`.
pub fn command(line: &str) -> Command {
    #[cfg(unix)]
    let (shell, option) = ("sh", "-c");
    #[cfg(not(unix))]
    let (shell, option) = ("cmd", "/C");
    let mut command = Command::new(shell);
    command.arg(option).arg(line);
    command
}
