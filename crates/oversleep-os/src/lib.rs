//! The machine as seen by a sleeping thread.
//!
//! This crate is the only one in the workspace that names platforms or contains `unsafe` code. It offers
//!
//! * [`units`]: times, rates and ratios as types;
//! * [`clock`]: every clock of the system, read directly;
//! * [`catalog`]: one row per sleep primitive of every system, as plain data that exists everywhere;
//! * [`method`]: the primitives this system has, each called directly, never through a wrapper;
//! * [`knob`]: what changes how a thread sleeps, each restored when its guard is dropped;
//! * [`fact`]: what explains how a machine sleeps, read only;
//! * [`trace`]: kernel events around a sleep, and counters where there are none;
//! * [`shell`]: how this system runs a command line, and whether anybody reads what it says;
//! * [`wait`]: the one coarse and the one fine wait that a precise sleep is made of.
//!
//! It leaves out everything above a single call: no plans, no statistics, no recordings, no policy about
//! what to measure or how long to spin. Those live in `oversleep-lab` and `oversleep`.
#![allow(unsafe_code)]

pub mod catalog;
pub mod clock;
pub mod fact;
pub mod knob;
pub mod method;
pub mod refusal;
pub mod shell;
pub mod trace;
pub mod units;
pub mod wait;

pub use refusal::Refusal;
