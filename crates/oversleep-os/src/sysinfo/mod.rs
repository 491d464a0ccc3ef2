//! Facts that explain how a machine sleeps, read only.
//!
//! [`read`] collects everything once; what changes during a run can be read again separately: [`activity`],
//! [`steal::now`], [`quota::now`], [`load::now`], [`ntp::now`].

pub mod activity;
mod command_line;
mod counter_rate;
mod files;
mod idle;
mod kernel_config;
pub mod load;
mod machine;
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
#[cfg(windows)]
mod windows;

pub use machine::read;
