//! The machine's facts, as they are kept in a recording.

use super::files::{self, Files};
use super::{
    Idle, Limits, Load, Memory, Ntp, Preemption, Processor, Quota, Steal, Timekeeping, Virtualisation, command_line,
    idle, limits, load, memory, ntp, preemption, processor, quota, steal, system, timekeeping, virtualisation,
};

/// What is known of a machine. `None` and empty mean that the system does not say.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Machine {
    /// The operating system's name: `Linux`.
    pub system: String,
    /// The kernel's release: `6.18.44`.
    pub release: String,
    /// The kernel's version: when and for what it was built.
    pub version: String,
    /// The instruction set: `x86_64`.
    pub architecture: String,
    /// Its processors.
    pub processor: Processor,
    /// Its memory.
    pub memory: Memory,
    /// Its clocks and timers.
    pub timekeeping: Timekeeping,
    /// What its processors do while nothing runs.
    pub idle: Idle,
    /// Where its kernel lets another thread run.
    pub preemption: Preemption,
    /// The options of the kernel's command line that bear on sleep.
    pub command_line: Vec<String>,
    /// Whether it is a guest or the process in a container.
    pub virtualisation: Virtualisation,
    /// Time its host took away.
    pub steal: Vec<Steal>,
    /// The processor time this process's groups allow.
    pub quota: Option<Quota>,
    /// How busy it is.
    pub load: Option<Load>,
    /// What this process may ask for.
    pub limits: Limits,
    /// How its clock is steered.
    pub ntp: Option<Ntp>,
}

impl Machine {
    /// Reads the machine this runs on; some milliseconds, nothing is changed, nothing measured.
    ///
    /// The measured tick is left out, since it takes a wait: see [`super::tick::measure`].
    pub fn read() -> Self {
        Self::read_from(&files::real)
    }

    fn read_from(files: Files) -> Self {
        let names = system::read();
        let processor = processor::read(files);
        let first = processor.online.first().copied().unwrap_or(0);
        Self {
            idle: idle::read(files, first),
            preemption: preemption::read(files, &names.version),
            system: names.system,
            release: names.release,
            version: names.version,
            architecture: names.architecture,
            processor,
            memory: memory::read(files),
            timekeeping: timekeeping::read(files),
            command_line: files("/proc/cmdline").map(|line| command_line::that_matter(&line)).unwrap_or_default(),
            virtualisation: virtualisation::read(files),
            steal: steal::read(files),
            quota: quota::read(files),
            load: load::read(files),
            limits: limits::read(files),
            ntp: ntp::now(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_a_name_and_a_processor() {
        let machine = Machine::read();
        assert!(!machine.system.is_empty());
        assert!(!machine.architecture.is_empty());
        assert!(!machine.processor.online.is_empty());
    }

    #[test]
    fn a_machine_without_files_is_read_all_the_same() {
        let machine = Machine::read_from(&|_| None);
        assert!(!machine.system.is_empty());
        assert_eq!(machine.idle, Idle::default());
        assert!(machine.steal.is_empty() && machine.command_line.is_empty() && machine.quota.is_none());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn json_comes_back_whole_and_older_files_open() {
        let machine = Machine::read();
        let json = serde_json::to_string_pretty(&machine).unwrap();
        println!("{json}");
        assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), machine);
        let old = r#"{"system":"Linux","release":"6.1","architecture":"x86_64","idle":{"states":[{"name":"C1"}]}}"#;
        let opened: Machine = serde_json::from_str(old).unwrap();
        assert_eq!((opened.release.as_str(), opened.idle.states.len()), ("6.1", 1));
    }
}
