//! The name, release and version of the system.

/// The result of `uname`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SystemNames {
    pub(super) system: String,
    pub(super) release: String,
    pub(super) version: String,
    pub(super) architecture: String,
}

#[cfg(unix)]
pub(super) fn read() -> SystemNames {
    let mut names = std::mem::MaybeUninit::<libc::utsname>::zeroed();
    // SAFETY: the system writes the structure.
    let answer = unsafe { libc::uname(names.as_mut_ptr()) };
    // SAFETY: zeroed before the call, and all zero bytes are valid names.
    let names = unsafe { names.assume_init() };
    if answer < 0 {
        return SystemNames::default();
    }
    SystemNames {
        system: text(&names.sysname),
        release: text(&names.release),
        version: text(&names.version),
        architecture: text(&names.machine),
    }
}

#[cfg(unix)]
fn text(name: &[libc::c_char]) -> String {
    let bytes: Vec<u8> = name.iter().map(|byte| byte.to_ne_bytes()[0]).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(windows)]
pub(super) fn read() -> SystemNames {
    super::windows::names()
}

#[cfg(not(any(unix, windows)))]
pub(super) fn read() -> SystemNames {
    SystemNames {
        system: std::env::consts::OS.into(),
        architecture: std::env::consts::ARCH.into(),
        ..SystemNames::default()
    }
}

/// Returns whether this process runs as root.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)] // other systems do not know
pub(super) fn root() -> Option<bool> {
    // SAFETY: takes nothing, cannot fail.
    let user = unsafe { libc::geteuid() };
    Some(user == 0)
}

#[cfg(not(unix))]
pub(super) fn root() -> Option<bool> {
    None
}
