//! Findings of the intervention witness on recordings with a known truth: simulated kernels, and made-up sleeps.

mod corroboration;
mod idle;
mod kernels;
mod sizes;
mod synthetic;
