//! Our programs on a distribution's kernel in machines that are not there: what only other processors have.

pub(super) mod arm64;
mod guest;
mod job;
mod machine;
mod packages;
pub(super) mod tpause;
