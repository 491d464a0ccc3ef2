//! The three answers a system gives when it does not do what was asked.

use std::fmt;
use std::io;

/// Why something of the machine could not be had.
///
/// The three are kept apart because the reader can do something different about each: nothing, ask for a
/// privilege, or look at what went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Refusal {
    /// This system, kernel or processor does not have it.
    Unavailable(String),
    /// The system has it and denies it to this user or in this sandbox.
    Forbidden(String),
    /// It was there, it was allowed, and it failed.
    Failed(String),
}

impl Refusal {
    /// Sorts a failed system call into the three answers; `what` names the call.
    pub fn from_os(what: &str, error: &io::Error) -> Self {
        let text = format!("{what}: {error}");
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Forbidden(text),
            io::ErrorKind::Unsupported | io::ErrorKind::NotFound => Self::Unavailable(text),
            _ if is_missing(error) => Self::Unavailable(text),
            _ => Self::Failed(text),
        }
    }

    /// Returns the same for the error the calling thread saw last (`errno`, `GetLastError`).
    pub fn last_os(what: &str) -> Self {
        Self::from_os(what, &io::Error::last_os_error())
    }

    /// Returns one word: `unavailable`, `forbidden` or `failed`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unavailable(_) => "unavailable",
            Self::Forbidden(_) => "forbidden",
            Self::Failed(_) => "failed",
        }
    }

    /// Returns what the system said.
    pub fn reason(&self) -> &str {
        match self {
            Self::Unavailable(text) | Self::Forbidden(text) | Self::Failed(text) => text,
        }
    }
}

/// A kernel built without a call answers `ENOSYS`; one that lacks a clock or option, `EINVAL` or `ENOTSUP`.
#[cfg(unix)]
fn is_missing(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EOPNOTSUPP))
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
