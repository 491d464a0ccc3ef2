//! Refusals: why a system does not do what was requested.

use std::fmt;
use std::io;

/// Why something could not be had.
///
/// The three kinds are kept apart because the user can do something different about each: nothing, get a
/// privilege, or find out what went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Refusal {
    /// This system, kernel or processor does not have it.
    Unavailable(String),
    /// The system has it and denies it to this user or in this sandbox.
    Forbidden(String),
    /// The system has it and allows it, but it failed.
    Failed(String),
}

impl Refusal {
    /// Returns the kind of refusal for a failed system call; `what` names the call.
    pub fn from_os(what: &str, error: &io::Error) -> Self {
        let text = format!("{what}: {error}");
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Forbidden(text),
            io::ErrorKind::Unsupported | io::ErrorKind::NotFound => Self::Unavailable(text),
            _ if is_missing(error) => Self::Unavailable(text),
            _ => Self::Failed(text),
        }
    }

    /// Returns the same for the calling thread's last error (`errno`, `GetLastError`).
    pub fn last_os(what: &str) -> Self {
        Self::from_os(what, &io::Error::last_os_error())
    }

    /// Returns the kind as one word: `unavailable`, `forbidden` or `failed`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unavailable(_) => "unavailable",
            Self::Forbidden(_) => "forbidden",
            Self::Failed(_) => "failed",
        }
    }

    /// Returns the reason that the system gave.
    pub fn reason(&self) -> &str {
        match self {
            Self::Unavailable(text) | Self::Forbidden(text) | Self::Failed(text) => text,
        }
    }
}

/// Returns whether the system lacks the call: kernels built without it return `ENOSYS`, those that lack an option
/// `EOPNOTSUPP` or `ENOTSUP`.
#[cfg(unix)]
fn is_missing(error: &io::Error) -> bool {
    // The last two are one number on Linux and two elsewhere.
    error.raw_os_error().is_some_and(|code| [libc::ENOSYS, libc::EOPNOTSUPP, libc::ENOTSUP].contains(&code))
}

#[cfg(not(unix))]
fn is_missing(_error: &io::Error) -> bool {
    false
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind(), self.reason())
    }
}

impl std::error::Error for Refusal {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn errno_decides_the_answer() {
        let of = |code| Refusal::from_os("call", &io::Error::from_raw_os_error(code));
        assert_eq!(of(libc::ENOSYS).kind(), "unavailable");
        assert_eq!(of(libc::ENOENT).kind(), "unavailable");
        assert_eq!(of(libc::EPERM).kind(), "forbidden");
        assert_eq!(of(libc::EACCES).kind(), "forbidden");
        assert_eq!(of(libc::EMFILE).kind(), "failed");
    }
}
