//! What the project's tools share: running commands, the source tree, and installing tools.
//!
//! The package stays small, so that `cargo xtask check` starts soon after a fresh clone. The tool that needs the
//! project's crates is a program of its own (`benches/tool`), which `xtask` builds and runs on demand.

pub mod child;
pub mod toolchain;
pub mod tree;
