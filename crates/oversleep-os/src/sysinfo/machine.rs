//! The machine's facts, as recordings contain them.

use super::files::{self, Files};
use super::{
    command_line, idle, load, ntp, preemption, processor, quota, steal, sysctl, system, timekeeping, virtualisation,
};
#[cfg(target_os = "linux")]
use crate::settings::privilege::soft_limit;
use crate::settings::rt_guard;
use oversleep_recording::machine::{Idle, Limits, Machine, Memory};

/// Reads the facts of this machine; takes some milliseconds, changes nothing and measures nothing.
///
/// The measured tick is not included, because it takes a wait: see [`super::tick::measure`].
pub fn read() -> Machine {
    read_from(&files::real)
}

fn read_from(files: Files) -> Machine {
    let names = system::read();
    let processor = processor::read(files);
    let first = processor.online.first().copied().unwrap_or(0);
    Machine {
        idle: Idle { latency_hold: idle::held(), ..idle::read(files, first) },
        preemption: preemption::read(files, &names.version, &names.release),
        system: names.system,
        release: names.release,
        version: names.version,
        architecture: names.architecture,
        processor,
        memory: memory(files),
        timekeeping: timekeeping::read(files),
        command_line: files("/proc/cmdline").map(|line| command_line::that_matter(&line)).unwrap_or_default(),
        tunables: sysctl::tunables(),
        virtualisation: virtualisation::read(files),
        steal: steal::read(files),
        quota: quota::read(files),
        load: load::read(files),
        limits: limits(files),
        ntp: ntp::now(),
    }
}

pub(super) fn memory(files: Files) -> Memory {
    let info = files("/proc/meminfo").unwrap_or_default();
    Memory { total_bytes: kib(&info, "MemTotal:").or_else(counted), available_bytes: kib(&info, "MemAvailable:") }
}

fn kib(info: &str, key: &str) -> Option<u64> {
    let kib: u64 =
        info.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_suffix("kB")?.trim().parse().ok())?;
    kib.checked_mul(1024)
}

#[cfg(unix)]
fn counted() -> Option<u64> {
    // SAFETY: takes a name, returns a number or −1.
    let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    // SAFETY: as above.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(pages).ok()?.checked_mul(u64::try_from(size).ok()?)
}

#[cfg(not(unix))]
fn counted() -> Option<u64> {
    None
}

pub(super) fn limits(_files: Files) -> Limits {
    let of_process = of_process();
    Limits { root: super::system::root(), realtime_guard: rt_guard::read().ok(), ..of_process }
}

#[cfg(target_os = "linux")]
fn of_process() -> Limits {
    Limits {
        realtime_priority: soft_limit(libc::RLIMIT_RTPRIO),
        nice: soft_limit(libc::RLIMIT_NICE),
        memory_lock_bytes: soft_limit(libc::RLIMIT_MEMLOCK),
        ..Limits::default()
    }
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Limits {
    Limits::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::latency_hold;
    use oversleep_sys::units::Nanos;

    #[test]
    fn a_machine_has_a_name_and_a_processor() {
        let machine = read();
        assert!(!machine.system.is_empty());
        assert!(!machine.architecture.is_empty());
        assert!(!machine.processor.online.is_empty());
    }

    #[test]
    fn a_machine_without_files_is_read_all_the_same() {
        let machine = read_from(&|_| None);
        assert!(!machine.system.is_empty());
        assert_eq!(Idle { latency_hold: None, ..machine.idle }, Idle::default());
        assert!(machine.steal.is_empty() && machine.command_line.is_empty() && machine.quota.is_none());
    }

    #[test]
    fn a_latency_that_somebody_holds_is_a_fact() {
        let asked = Nanos::from_millis(900);
        let guard = match latency_hold::apply(asked) {
            Ok(guard) => guard,
            Err(refusal) => return println!("skipped: {refusal}"),
        };
        let held = read().idle.latency_hold;
        assert!(held.is_some_and(|held| held <= asked), "{held:?}, while {:?} is held", guard.obtained());
    }

    #[test]
    fn json_comes_back_whole_and_older_files_open() {
        let machine = read();
        let json = serde_json::to_string_pretty(&machine).unwrap();
        println!("{json}");
        assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), machine);
        let old = r#"{"system":"Linux","release":"6.1","architecture":"x86_64","idle":{"states":[{"name":"C1"}]}}"#;
        let opened: Machine = serde_json::from_str(old).unwrap();
        assert_eq!((opened.release.as_str(), opened.idle.states.len()), ("6.1", 1));
    }

    #[test]
    fn kibibytes_become_bytes() {
        let info = "MemTotal:        8039956 kB\nMemFree: 1 kB\nMemAvailable:    7000000 kB\n";
        assert_eq!(kib(info, "MemTotal:"), Some(8_039_956 * 1024));
        assert_eq!(kib(info, "Swap:"), None);
    }
}
