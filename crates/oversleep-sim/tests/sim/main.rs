//! The simulated kernels against what was published, against exact arithmetic, and against their own promises.

mod common;
mod exact;
mod herman;
mod oneill;
mod presets;
mod properties;
mod rizzo;
mod sleeper;
mod sweeps;
mod underivable;
mod vectors;
