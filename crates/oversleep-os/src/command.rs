//! How this system runs a command line, and whether anyone reads its output.

use oversleep_sys::units::Nanos;
use std::io;
use std::process::{Command, ExitStatus};

/// Whether the system's shell is a POSIX one, `sh`.
pub const SHELL_IS_POSIX: bool = cfg!(unix);

/// Returns a command that passes `line` to the system's shell: `sh -c` or, on Windows, `cmd /C`.
pub fn of_line(line: &str) -> Command {
    #[cfg(unix)]
    let (shell, option) = ("sh", "-c");
    #[cfg(not(unix))]
    let (shell, option) = ("cmd", "/C");
    let mut command = Command::new(shell);
    command.arg(option).arg(line);
    command
}

/// Replaces this process by a command, so that settings, signals and exit status are the command's own. Returns only an
/// error of starting it; where a process cannot be replaced, waits and exits with the command's exit status.
pub fn replace_this_process(command: &mut Command) -> io::Error {
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(command);
    #[cfg(not(unix))]
    let error = match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    };
    error
}

/// Returns a command's exit status as a shell shows it: 128 and the signal's number if a signal ended it.
pub fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let signal = None;
    // Windows' statuses have 32 bits: one that does not fit is a failure still.
    status.code().or(signal).map_or(1, |code| u8::try_from(code).unwrap_or(1))
}

/// Returns the processor time that children which were waited for have used, with their own; `None` where the system does not say.
pub fn time_of_children() -> Option<Nanos> {
    #[cfg(unix)]
    {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: the kernel fills the structure.
        let answer = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) };
        if answer != 0 {
            return None;
        }
        // SAFETY: it has been filled.
        let usage = unsafe { usage.assume_init() };
        #[allow(clippy::unnecessary_cast, clippy::cast_lossless)] // the types differ between systems
        let time = |time: libc::timeval| {
            Nanos::from_secs(time.tv_sec as i64).saturating_add(Nanos::from_micros(time.tv_usec as i64))
        };
        Some(time(usage.ru_utime).saturating_add(time(usage.ru_stime)))
    }
    #[cfg(not(unix))]
    None
}

/// Returns whether a command was ended by writing to a pipe that is no longer read (SIGPIPE).
pub fn ended_by_pipe(status: ExitStatus) -> bool {
    #[cfg(unix)]
    let ended = std::os::unix::process::ExitStatusExt::signal(&status) == Some(libc::SIGPIPE);
    // Elsewhere there are no signals, and the write fails.
    #[cfg(not(unix))]
    let ended = status.code().is_none();
    ended
}

/// Returns whether the other end of our standard output, a pipe, a socket or a terminal, is closed, so that what a
/// command writes reaches nobody. False where that cannot be determined.
pub fn output_is_abandoned() -> bool {
    #[cfg(unix)]
    {
        let mut output = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
        // SAFETY: one entry, which outlives the call; with a timeout of zero the call returns at once.
        let count = unsafe { libc::poll(&raw mut output, 1, 0) };
        // Linux reports an error for a pipe without readers, other systems a hang-up.
        count == 1 && output.revents & (libc::POLLERR | libc::POLLHUP) != 0
    }
    #[cfg(not(unix))]
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_grows_by_what_they_use() {
        let before = time_of_children().unwrap();
        of_line("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done").status().unwrap();
        assert!(time_of_children().unwrap() > before);
    }

    #[test]
    fn a_command_that_nobody_reads_is_distinguished_from_one_that_fails() {
        let status = |line: &str| of_line(line).status().expect("a shell");
        assert!(ended_by_pipe(status("kill -s PIPE $$")));
        assert!(!ended_by_pipe(status("kill -s TERM $$")) && !ended_by_pipe(status("exit 13")));
        assert_eq!(["exit 0", "exit 13", "kill -s TERM $$"].map(|line| exit_code(status(line))), [0, 13, 128 + 15]);
    }
}
