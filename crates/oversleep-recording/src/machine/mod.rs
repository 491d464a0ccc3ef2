//! What is known of a machine, as a recording keeps it. The fields are read in `oversleep-os`.

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

/// What is known of a machine. `None` and empty mean that the system does not say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
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
    /// Settings of the kernel that bear on sleep, where they have names (`sysctl`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tunables: Vec<Tunable>,
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
