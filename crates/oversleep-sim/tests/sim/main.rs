//! The simulated kernels compared with published numbers and exact arithmetic, and checked for their own guarantees.

mod common;
mod exact;
mod herman;
mod oneill;
mod presets;
mod properties;
mod rizzo;
mod sleeper;
mod sweeps;
mod systems;
mod underivable;
mod vectors;
