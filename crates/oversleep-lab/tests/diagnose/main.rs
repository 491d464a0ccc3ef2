//! Findings of the pattern witness on recordings with a known truth: from real kernels, and generated ones.

mod adversary;
mod causes;
mod csv;
mod depth;
mod evidence;
mod foreign;
mod foreign_kernels;
mod kernels;
mod long;
mod machines;
mod open;
mod overlay;
mod programs;
mod random;
mod rates;
mod remedies;
mod simulated;
mod steered;
mod systems;
mod truth;
mod truthful;
