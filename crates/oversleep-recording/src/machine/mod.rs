//! The facts about a machine that a recording stores. `oversleep-os` reads them.

mod counter_rate;
mod idle;
mod limits;
mod load;
mod memory;
mod ntp;
mod preemption;
mod processor;
mod quota;
mod steal;
mod timekeeping;
mod timer_resolution;
mod tunables;
mod virtualisation;

pub use counter_rate::CounterRate;
pub use idle::{Idle, IdleState};
pub use limits::{Limits, RtGuard};
pub use load::Load;
pub use memory::Memory;
pub use ntp::Ntp;
pub use preemption::Preemption;
pub use processor::Processor;
pub use quota::Quota;
pub use steal::Steal;
pub use timekeeping::Timekeeping;
pub use timer_resolution::{TimerResolution, TimerRule};
pub use tunables::{TUNABLES, Tunable, TunableKind, TunableRow};
pub use virtualisation::Virtualisation;

use serde::{Deserialize, Serialize};

/// Facts about a machine. `None` and empty mean that the system does not tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Machine {
    /// Name of the operating system: `Linux`.
    pub system: String,
    /// Release of the kernel: `6.18.44`.
    pub release: String,
    /// Version of the kernel: when and for what it was built.
    pub version: String,
    /// Instruction set: `x86_64`.
    pub architecture: String,
    /// The processors.
    pub processor: Processor,
    /// The memory.
    pub memory: Memory,
    /// Clocks and timers.
    pub timekeeping: Timekeeping,
    /// Idle states of the processors.
    pub idle: Idle,
    /// Preemption model of the kernel.
    pub preemption: Preemption,
    /// Options of the kernel's command line that affect sleep.
    pub command_line: Vec<String>,
    /// Named kernel settings that affect sleep (`sysctl`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tunables: Vec<Tunable>,
    /// Whether the machine is a guest, and whether the process runs in a container.
    pub virtualisation: Virtualisation,
    /// Time that the host took from each processor.
    pub steal: Vec<Steal>,
    /// Processor time that the process's control groups allow.
    pub quota: Option<Quota>,
    /// Load of the machine.
    pub load: Option<Load>,
    /// Limits of this process.
    pub limits: Limits,
    /// How the kernel steers the clock.
    pub ntp: Option<Ntp>,
}
