//! Finds out what the timers of language runtimes add to the kernel's lateness, and by which mechanism.
//!
//! A mechanism is arithmetic on the request and the time, so each can be tried: it predicts when every sleep ends if
//! the runtime does just this and the kernel is as late as for its own primitive, measured in turns. The mechanisms
//! that predict the ends best are named; each further one must reduce the error by a minimum.

mod document;
mod earliest;
mod fit;
mod gather;
mod inside;
mod kernel_requests;
mod outliers;
mod pause;
mod points;
mod proved;
mod rules;
mod schedule;
mod share;

pub use document::document;
pub use gather::Gather;
pub use kernel_requests::kernel_requests;

#[cfg(test)]
mod planted;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod ticker_tests;
