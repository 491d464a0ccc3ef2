//! The processors on which the calling thread may run.

use super::condition::{self, Setting};
use super::{Guard, Typed};
use crate::cpu;
use oversleep_recording::cpus::list_text;
use oversleep_sys::Refusal;
use oversleep_sys::affinity as here;
pub use oversleep_sys::affinity::read;

/// The condition `affinity`.
pub(super) const SETTING: Setting = Setting::new(
    "affinity",
    |value| condition::apply(value, |cpus: Vec<u32>| apply(&cpus)),
    || read().map(|value| value.value()),
);

/// Restricts the calling thread to these processors until the guard is dropped.
///
/// Threads started in the meantime inherit the restriction. The kernel silently leaves out processors that the thread's
/// cgroup does not have; [`Guard::obtained`] returns the rest.
pub fn apply(asked: &[u32]) -> Result<Guard<Vec<u32>>, Refusal> {
    let online = cpu::online();
    present(asked, &online)?;
    let before = read()?;
    here::set(asked)?;
    Guard::new(read(), move || {
        // It was in force when the guard was made; a refusal now could not be reported to anyone.
        let _ = here::set(&before);
    })
}

/// Pins the calling thread to one processor until the thread ends, for threads that end with their work.
///
/// # Errors
/// [`Refusal::Unavailable`] where threads cannot be pinned or the processor does not exist.
pub fn pin(processor: u32) -> Result<(), Refusal> {
    present(&[processor], &cpu::online())?;
    here::set(&[processor])
}

fn present(asked: &[u32], online: &[u32]) -> Result<(), Refusal> {
    if asked.is_empty() {
        return Err(Refusal::Unavailable("an affinity to no CPU at all leaves nowhere to run".into()));
    }
    let missing: Vec<u32> = asked.iter().copied().filter(|cpu| !online.contains(cpu)).collect();
    let (verb, missing) = match missing.as_slice() {
        [] => return Ok(()),
        [_] => ("is", list_text(&missing)),
        _ => ("are", list_text(&missing)),
    };
    Err(Refusal::Unavailable(format!("CPU {missing} {verb} not there; this machine has {}", list_text(online))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_that_is_not_there_is_named() {
        let said = |asked: &[u32]| present(asked, &[0, 1]).unwrap_err().reason().to_owned();
        assert_eq!(said(&[0, 9]), "CPU 9 is not there; this machine has 0-1");
        assert_eq!(said(&[7, 8, 4_000_000_000]), "CPU 7-8,4000000000 are not there; this machine has 0-1");
        assert_eq!(said(&[]), "an affinity to no CPU at all leaves nowhere to run");
        assert_eq!(present(&[1], &[0, 1]), Ok(()));
        assert!(pin(4_000_000).is_err());
    }
}
