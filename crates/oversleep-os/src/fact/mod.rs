//! What explains how a machine sleeps, read only.

pub mod cpu;
mod machine;

pub use machine::Machine;
