//! What explains how a machine sleeps, read only.
//!
//! [`Machine::read`] gathers everything once; what moves during a run can be read again alone: [`cpu::current`],
//! [`activity`], [`steal::now`], [`quota::now`], [`load::now`], [`ntp::now`].

pub mod activity;
mod command_line;
pub mod cpu;
mod files;
mod idle;
pub(crate) mod limits;
pub mod load;
mod machine;
mod memory;
pub mod ntp;
mod preemption;
mod processor;
pub mod quota;
pub mod steal;
mod sysctl;
mod system;
pub mod tick;
mod timekeeping;
mod virtualisation;

pub use idle::{Idle, IdleState};
pub use limits::Limits;
pub use load::Load;
pub use machine::Machine;
pub use memory::Memory;
pub use ntp::Ntp;
pub use preemption::Preemption;
pub use processor::Processor;
pub use quota::Quota;
pub use steal::Steal;
pub use timekeeping::Timekeeping;
pub use virtualisation::Virtualisation;
