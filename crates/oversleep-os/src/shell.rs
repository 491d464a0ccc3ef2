//! How this system runs a command line, and whether anybody reads what it says.

use std::io;
use std::process::{Command, ExitStatus};

/// Returns a command that hands `line` to the system's shell: `sh -c` or, on Windows, `cmd /C`.
pub fn command(line: &str) -> Command {
    #[cfg(unix)]
    let (shell, option) = ("sh", "-c");
    #[cfg(not(unix))]
    let (shell, option) = ("cmd", "/C");
    let mut command = Command::new(shell);
    command.arg(option).arg(line);
    command
}

/// Runs a command in the place of this process, so that settings, signals and exit status are the command's own. Returns
/// only why it cannot be started; where no process can become another, waits and ends with the command's exit status.
pub fn become_command(command: &mut Command) -> io::Error {
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(command);
    #[cfg(not(unix))]
    let error = match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    };
    error
}

/// Returns whether a command was ended by writing to a pipe that nobody reads any more (SIGPIPE).
pub fn ended_by_pipe(status: ExitStatus) -> bool {
    #[cfg(unix)]
    let ended = std::os::unix::process::ExitStatusExt::signal(&status) == Some(libc::SIGPIPE);
    // Elsewhere there are no signals, and the write fails.
    #[cfg(not(unix))]
    let ended = status.code().is_none();
    ended
}

/// Returns whether our standard output is a pipe, a socket or a terminal whose other end has gone, so that what a
/// command writes to it reaches nobody. False where that cannot be asked.
pub fn output_is_abandoned() -> bool {
    #[cfg(unix)]
    {
        let mut output = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
        // SAFETY: one entry, which outlives the call; with no time to wait the call returns at once.
        let count = unsafe { libc::poll(&raw mut output, 1, 0) };
        // Linux reports an error for a pipe without readers, other systems that it was hung up.
        count == 1 && output.revents & (libc::POLLERR | libc::POLLHUP) != 0
    }
    #[cfg(not(unix))]
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_nobody_reads_is_told_from_one_that_fails() {
        let status = |line: &str| command(line).status().expect("a shell");
        assert!(ended_by_pipe(status("kill -s PIPE $$")));
        assert!(!ended_by_pipe(status("kill -s TERM $$")) && !ended_by_pipe(status("exit 13")));
    }
}
