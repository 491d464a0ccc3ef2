//! Rules of the architecture, read from code and manifests. Each returns its errors, one a line.

mod code;
mod exceptions;

pub(crate) mod arrows;
pub(crate) mod borders;
pub(crate) mod catalogue;
