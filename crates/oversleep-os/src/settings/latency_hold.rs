//! The longest processor wake-up latency that the whole machine tolerates, held through `/dev/cpu_dma_latency`.
//!
//! While the file is open the kernel uses no idle state with a longer exit latency. This costs power on every
//! processor, needs write access to the file (root, unless a udev rule grants it), and ends when the file is
//! closed, by the guard or by the end of the process (`Documentation/power/pm_qos_interface.rst`).

use super::Guard;
use super::condition::{self, Setting};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

const DEVICE: &str = "/dev/cpu_dma_latency";

/// The condition `latency_hold`.
pub(super) const SETTING: Setting =
    Setting::new("latency_hold", |value| condition::apply(value, apply), condition::unread);

/// The value read if nobody holds a latency: 2000 s (`PM_QOS_CPU_LATENCY_DEFAULT_VALUE`).
pub const UNHELD: Nanos = Nanos::from_secs(2_000);

/// Returns the strictest latency that any process holds; [`UNHELD`] if none does.
///
/// Opening the file adds a request for [`UNHELD`], which changes nothing.
pub fn read() -> Result<Nanos, Refusal> {
    let mut file = open(Path::new(DEVICE), OpenOptions::new().read(true))?;
    in_force(&mut file)
}

/// Holds the latency, rounded down to whole microseconds, until the guard is dropped.
///
/// [`Guard::obtained`] returns the value in force afterwards; it is stricter than requested if another process holds
/// less.
pub fn apply(asked: Nanos) -> Result<Guard<Nanos>, Refusal> {
    let us = micros(asked)?;
    let mut file = open(Path::new(DEVICE), OpenOptions::new().read(true).write(true))?;
    file.write_all(&us.to_ne_bytes()).map_err(|error| Refusal::from_os(DEVICE, &error))?;
    let obtained = in_force(&mut file);
    Guard::new(obtained, move || drop(file))
}

/// Holds the latency for the rest of this process's life and that of the command it becomes: as long as any process has
/// the inherited file open. Returns the value in force.
pub fn keep_for_command(asked: Nanos) -> Result<Nanos, Refusal> {
    let us = micros(asked)?;
    let mut file = open(Path::new(DEVICE), OpenOptions::new().read(true).write(true))?;
    file.write_all(&us.to_ne_bytes()).map_err(|error| Refusal::from_os(DEVICE, &error))?;
    let obtained = in_force(&mut file)?;
    inherited(&file)?;
    std::mem::forget(file);
    Ok(obtained)
}

#[cfg(unix)]
fn inherited(file: &File) -> Result<(), Refusal> {
    // SAFETY: the descriptor is open, and the call takes no pointer.
    match unsafe { libc::fcntl(std::os::fd::AsRawFd::as_raw_fd(file), libc::F_SETFD, 0) } {
        -1 => Err(Refusal::from_os(DEVICE, &io::Error::last_os_error())),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn inherited(_: &File) -> Result<(), Refusal> {
    Err(Refusal::Unavailable("no device of that name here".into()))
}

fn micros(asked: Nanos) -> Result<i32, Refusal> {
    let us = asked.get().div_euclid(1_000);
    match i32::try_from(us) {
        Ok(us) if us >= 0 => Ok(us),
        _ => Err(Refusal::Unavailable(format!(
            "a latency to hold is 0 to {}, not {asked}",
            Nanos::from_micros(i32::MAX.into())
        ))),
    }
}

fn open(path: &Path, options: &OpenOptions) -> Result<File, Refusal> {
    // Elsewhere a file of this name is another system's: Wine shows Windows programs the machine's own.
    if !cfg!(target_os = "linux") {
        return Err(Refusal::Unavailable(format!("{DEVICE} exists only on Linux")));
    }
    options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Refusal::Unavailable(format!(
            "{} is not there (Linux only, and often absent in containers)",
            path.display()
        )),
        io::ErrorKind::PermissionDenied => Refusal::Forbidden(format!(
            "{} needs root, or a udev rule: KERNEL==\"cpu_dma_latency\", GROUP=\"audio\", MODE=\"0660\"",
            path.display()
        )),
        _ => Refusal::from_os(&path.display().to_string(), &error),
    })
}

/// Reads the value in force: the device returns four bytes, microseconds, if the file position is 0
/// (`cpu_latency_qos_read`).
fn in_force(file: &mut File) -> Result<Nanos, Refusal> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes).map_err(|error| Refusal::from_os(DEVICE, &error))?;
    Ok(Nanos::from_micros(i32::from_ne_bytes(bytes).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_are_whole_microseconds_rounded_to_the_strict_side() {
        assert_eq!(micros(Nanos::ZERO), Ok(0));
        assert_eq!(micros(Nanos::new(1_999)), Ok(1));
        assert!(micros(Nanos::new(-1)).is_err());
        assert!(micros(Nanos::MAX).is_err());
    }

    #[test]
    fn a_missing_device_is_unavailable() {
        let refusal = open(Path::new("/nowhere/cpu_dma_latency"), OpenOptions::new().read(true)).unwrap_err();
        assert_eq!(refusal.kind(), "unavailable");
    }
}
