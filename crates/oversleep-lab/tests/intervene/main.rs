//! Findings of the intervention witness on recordings with a known truth: simulated kernels, and made-up sleeps.

mod kernels;
mod made;
mod null;
mod sizes;
mod together;
