//! The location of tracefs.

use oversleep_sys::Refusal;
use std::fs::{self, File};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::PathBuf;

/// A tracefs and, if it was mounted for this process alone, the descriptor that keeps it mounted.
#[derive(Debug)]
pub(super) struct Tracefs {
    pub(super) root: PathBuf,
    _private: Option<OwnedFd>,
}

/// Returns the machine's tracefs, or one mounted for this process alone if there is none.
///
/// The private mount is in no namespace's tree: nobody else sees it, and it is removed with its descriptor, so with the
/// process (`fsopen`, Linux 5.2; needs `CAP_SYS_ADMIN`).
pub(super) fn find() -> Result<Tracefs, Refusal> {
    if !first_pid_namespace() {
        let why = "in a container with its own process numbers, kernel events name threads by others";
        return Err(Refusal::Unavailable(why.to_owned()));
    }
    if let Some(root) = mounted() {
        return match fs::read_dir(root.join("instances")) {
            Ok(_) => Ok(Tracefs { root, _private: None }),
            Err(error) => Err(Refusal::from_os(&root.join("instances").to_string_lossy(), &error)),
        };
    }
    let mount = private().map_err(|error| {
        let said = Refusal::from_os("tracefs is not mounted, and cannot be for this process alone", &error);
        match said {
            Refusal::Forbidden(text) => Refusal::Forbidden(format!("{text} (needs root or CAP_SYS_ADMIN)")),
            other => other,
        }
    })?;
    let root = PathBuf::from(format!("/proc/self/fd/{}", mount.as_raw_fd()));
    Ok(Tracefs { root, _private: Some(mount) })
}

/// Returns whether this is the first process namespace (`PROC_PID_INIT_INO`), whose thread IDs the events contain.
fn first_pid_namespace() -> bool {
    fs::read_link("/proc/self/ns/pid").map_or(true, |link| link.to_string_lossy() == "pid:[4026531836]")
}

fn mounted() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    from_mounts(&mounts)
}

/// Parses `device place type options …`; its octal escapes are not needed for tracefs.
fn from_mounts(mounts: &str) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let mut words = line.split(' ').skip(1);
        let (place, kind) = (words.next()?, words.next()?);
        (kind == "tracefs").then(|| PathBuf::from(place))
    })
}

const FSOPEN_CLOEXEC: libc::c_uint = 1;
const FSCONFIG_CMD_CREATE: libc::c_uint = 6;
const FSMOUNT_CLOEXEC: libc::c_uint = 1;

fn private() -> std::io::Result<OwnedFd> {
    // SAFETY: the name is a C string; the kernel reads it.
    let context = descriptor(unsafe { libc::syscall(libc::SYS_fsopen, c"tracefs".as_ptr(), FSOPEN_CLOEXEC) })?;
    let null = std::ptr::null::<libc::c_char>();
    // SAFETY: this command takes no key and no value.
    let made = unsafe { libc::syscall(libc::SYS_fsconfig, context.as_raw_fd(), FSCONFIG_CMD_CREATE, null, null, 0) };
    if made < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: takes numbers.
    descriptor(unsafe { libc::syscall(libc::SYS_fsmount, context.as_raw_fd(), FSMOUNT_CLOEXEC, 0) })
}

fn descriptor(answer: libc::c_long) -> std::io::Result<OwnedFd> {
    match i32::try_from(answer) {
        // SAFETY: the kernel just made this descriptor, and nothing else owns it.
        Ok(fd) if fd >= 0 => Ok(unsafe { File::from_raw_fd(fd) }.into()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracefs_is_found_wherever_it_is_mounted() {
        let mounts = "proc /proc proc rw 0 0\ntracefs /sys/kernel/debug/tracing tracefs rw,relatime 0 0\n";
        assert_eq!(from_mounts(mounts), Some(PathBuf::from("/sys/kernel/debug/tracing")));
        assert_eq!(from_mounts("proc /proc proc rw 0 0\nshort\n"), None);
    }

    #[test]
    fn a_private_mount_has_everything_and_is_in_no_tree() {
        let mount = match private() {
            Ok(mount) => mount,
            Err(error) => return println!("skipped: {error}"),
        };
        let root = PathBuf::from(format!("/proc/self/fd/{}", mount.as_raw_fd()));
        assert!(root.join("events/header_page").exists());
        assert!(fs::read_dir(root.join("instances")).is_ok());
        let before = fs::read_to_string("/proc/self/mounts").unwrap();
        drop(mount);
        assert_eq!(fs::read_to_string("/proc/self/mounts").unwrap(), before);
        assert!(!root.join("events").exists());
    }
}
