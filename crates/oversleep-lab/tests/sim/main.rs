//! The simulated kernels against what was published, against exact arithmetic, and against their own promises.

mod common;
mod vectors;
