//! What the timers of language runtimes add to the kernel's, and by which mechanism.
//!
//! A mechanism is arithmetic on the request and the time, so each is tried: where would every sleep have ended, had the
//! runtime done just this and the kernel been as late as its own primitive was beside it? The mechanisms that explain
//! the ends best are named; one more must pay for itself.

mod document;
mod fit;
mod gather;
mod outliers;
mod points;
mod rules;
mod schedule;
mod share;
mod told;

pub use document::document;
pub use gather::Gather;
pub use told::told;

#[cfg(test)]
mod planted;
#[cfg(test)]
mod tests;
