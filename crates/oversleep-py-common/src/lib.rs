//! What the compiled halves of both Python packages need: times and numbers as arguments, and waits that Ctrl-C ends.

// Python makes arguments for the call and gives them away.
#![allow(clippy::needless_pass_by_value)]

pub mod interval;
pub mod number;
pub mod signals;
pub mod span;
