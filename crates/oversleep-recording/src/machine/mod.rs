//! The facts about a machine that a recording stores. `oversleep-os` reads them.

mod timekeeping;
mod tunables;

pub use timekeeping::{CounterRate, Ntp, Timekeeping, TimerResolution, TimerRule};
pub use tunables::{TUNABLES, Tunable, TunableKind, TunableRow};

use oversleep_sys::units::Nanos;
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

/// The machine's processors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Processor {
    /// Model name given by the manufacturer.
    pub model: Option<String>,
    /// Numbers of the processors that are online.
    pub online: Vec<u32>,
    /// Whether two threads share a core.
    pub smt_active: Option<bool>,
    /// What sets the clock frequency: a governor (`performance`, `schedutil`), or Windows' power plan; `None` if
    /// nothing does.
    pub frequency_governor: Option<String>,
}

/// The machine's memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Memory {
    /// Total memory.
    pub total_bytes: Option<u64>,
    /// Memory available without swapping (Linux).
    pub available_bytes: Option<u64>,
}

/// The kernel's handling of idle processors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Idle {
    /// Driver that provides the idle states: `intel_idle`, `acpi_idle`, `haltpoll`.
    pub driver: Option<String>,
    /// Governor that chooses among them: `menu`, `teo`, `haltpoll`.
    pub governor: Option<String>,
    /// Idle states of the first processor, shallowest first.
    pub states: Vec<IdleState>,
    /// How long a guest polls before it halts (parameter of `haltpoll`).
    #[serde(rename = "guest_halt_poll_ns")]
    pub guest_halt_poll: Option<Nanos>,
    /// Longest wake-up latency that some process tolerated when the facts were read (`/dev/cpu_dma_latency`); `None` if none asked for
    /// less than usual, or this user may not read it.
    #[serde(rename = "latency_hold_ns", skip_serializing_if = "Option::is_none")]
    pub latency_hold: Option<Nanos>,
}

/// One idle state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct IdleState {
    /// Name of the state: `POLL`, `C1E`.
    pub name: String,
    /// Exit latency according to the driver.
    #[serde(rename = "latency_ns")]
    pub latency: Option<Nanos>,
    /// Shortest stay for which the state is worth entering (target residency).
    #[serde(rename = "residency_ns")]
    pub residency: Option<Nanos>,
    /// Whether the state was switched off.
    pub disabled: Option<bool>,
}

/// The kernel's preemption model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Preemption {
    /// `none`, `voluntary`, `full`, `lazy` or `rt`. Where it can be changed and this user may not read it: what the kernel was
    /// booted or built with.
    pub model: Option<String>,
    /// Whether the model can be changed while the kernel runs (`PREEMPT_DYNAMIC`).
    pub dynamic: Option<bool>,
    /// Whether it is a real-time kernel (`PREEMPT_RT`).
    pub realtime: Option<bool>,
}

impl Preemption {
    /// Returns what the model means, with the kernel's name for it; `None` if it is not known.
    pub fn text(&self) -> Option<&'static str> {
        Some(match self.model.as_deref()? {
            "none" => "not preemptible (PREEMPT_NONE)",
            "voluntary" => "preemptible at chosen points (PREEMPT_VOLUNTARY)",
            "lazy" => "preemptible, lazily (PREEMPT_LAZY)",
            "full" => "preemptible (PREEMPT)",
            "rt" => "real-time (PREEMPT_RT)",
            _ => return None,
        })
    }
}

/// The hypervisor and the container that the process runs under.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Virtualisation {
    /// Hypervisor: `kvm`, `hyper-v`, `xen`; its raw signature if it has no name here; `None` if none was detected.
    pub hypervisor: Option<String>,
    /// Product name of the machine according to its firmware, manufacturer first.
    pub product: Option<String>,
    /// Container: `docker`, `podman`, or the name that systemd uses; `None` if none was detected.
    pub container: Option<String>,
}

/// Stolen time of one processor since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Steal {
    /// Number of the processor.
    pub cpu: u32,
    /// Stolen time in whole `USER_HZ` ticks, 10 ms usually; 0 with a host that does not tell its guest.
    #[serde(rename = "stolen_ns")]
    pub stolen: Nanos,
}

/// The tightest quota on the way from the process's group up to the root.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Quota {
    /// Control group that sets the quota, relative to its hierarchy's mount.
    pub group: String,
    /// Number of processors that the quota amounts to: quota divided by period.
    pub cpus: f64,
    /// Processor time per period.
    #[serde(rename = "quota_ns")]
    pub quota: Nanos,
    /// Length of the period.
    #[serde(rename = "period_ns")]
    pub period: Nanos,
    /// Periods in which the group ran.
    pub periods: Option<u64>,
    /// Of these, periods in which the quota was used up.
    pub throttled_periods: Option<u64>,
    /// Total time for which its threads were throttled.
    #[serde(rename = "throttled_ns")]
    pub throttled: Option<Nanos>,
}

/// The average number of threads that run or are runnable (on Linux also those in uninterruptible sleep).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Load {
    /// Average over 1 minute.
    pub one_minute: f64,
    /// Average over 5 minutes.
    pub five_minutes: f64,
    /// Average over 15 minutes.
    pub fifteen_minutes: f64,
    /// Threads that run or are runnable at this moment, this one included (Linux).
    pub runnable: Option<u32>,
}

impl Machine {
    /// Returns whether more threads wanted to run than there are processors when the facts were read.
    pub fn is_busy(&self) -> bool {
        let processors = self.processor.online.len().max(1);
        self.load.is_some_and(|load| {
            load.one_minute > processors as f64
                || load.runnable.is_some_and(|runnable| runnable as usize > 2 * processors)
        })
    }

    /// Returns the load of a busy machine in words: "load 6.7, 6 runnable threads, 2 processors"; `None` if it is not busy.
    pub fn busy(&self) -> Option<String> {
        let load = self.load.filter(|_| self.is_busy())?;
        let runnable = load.runnable.map_or_else(String::new, |runnable| {
            format!(", {runnable} runnable thread{}", if runnable == 1 { "" } else { "s" })
        });
        let processors = self.processor.online.len().max(1);
        Some(format!("load {:.1}{runnable}, {processors} processors", load.one_minute))
    }
}

/// Limits that decide which settings the process may change. `None`: unlimited, or not known on this system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Limits {
    /// Whether the process runs as root.
    pub root: Option<bool>,
    /// Highest real-time priority (`RLIMIT_RTPRIO`); 0 for none.
    pub realtime_priority: Option<u64>,
    /// 20 minus the lowest niceness (`RLIMIT_NICE`); 0 if the niceness may not be lowered.
    pub nice: Option<u64>,
    /// Amount of memory that may be locked (`RLIMIT_MEMLOCK`).
    pub memory_lock_bytes: Option<u64>,
    /// Kernel's limit on all real-time threads together.
    pub realtime_guard: Option<RtGuard>,
}

/// The kernel's limit on real-time threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RtGuard {
    /// Time that real-time threads may use per period; `None` if all of it.
    #[serde(rename = "runtime_ns")]
    pub runtime: Option<Nanos>,
    /// Length of the period.
    #[serde(rename = "period_ns")]
    pub period: Nanos,
}

impl RtGuard {
    /// Returns the share of a processor that real-time threads may use, 0 to 1; 1 without a limit.
    pub fn share(self) -> f64 {
        match self.runtime {
            Some(runtime) if self.period > Nanos::ZERO => (runtime.as_f64() / self.period.as_f64()).min(1.0),
            _ => 1.0,
        }
    }
}
