//! What the project's tools share: running commands, outcomes of steps, the source tree, and installing tools.
//!
//! The package stays small, so that `cargo xtask check` starts soon after a fresh clone. Tools that need the project's
//! crates are programs of their own (`benches/tool`, `kernels`), which `xtask` builds and runs on demand.

pub mod built;
pub mod child;
pub mod deadline;
pub mod outcome;
pub mod toolchain;
pub mod tree;
