//! The machine as a subject: its sleep primitives, its settings, its facts and its kernel's trace.
//!
//! * [`method`]: the primitives this system has, each called directly, never through a wrapper;
//! * [`settings`]: what changes how a thread sleeps, each restored when its guard is dropped;
//! * [`sysinfo`]: what explains how a machine sleeps, read only;
//! * [`trace`]: kernel events around a sleep, and counters where there are none;
//! * [`process`]: children that leave nothing behind;
//! * [`shell`]: how this system runs a command line, and whether anybody reads what it prints.
//!
//! Together with `oversleep-sys` it is the only crate that names platforms or contains `unsafe` code. The methods' names
//! and the types of facts are in `oversleep-recording`, which is the same on every system. It leaves out everything above
//! a single call: no plans, no statistics, no recordings.
#![allow(unsafe_code)]

mod layouts;
pub mod method;
pub mod process;
pub mod settings;
pub mod shared;
pub mod shell;
pub mod sysinfo;
pub mod trace;
