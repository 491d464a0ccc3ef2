//! What the project's own tools share: running commands, what became of a step, the source tree, and what may be installed.
//!
//! The package stays small, so that `cargo xtask check` answers soon after a fresh clone. What needs the crates of the project
//! is a program of its own (`benches/tool`, `kernels`), which the front end builds and runs when it is asked for.

pub mod built;
pub mod child;
pub mod outcome;
pub mod toolchain;
pub mod tree;
