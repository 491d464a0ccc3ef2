//! What explains how a machine sleeps, read only.

mod machine;

pub use machine::Machine;
