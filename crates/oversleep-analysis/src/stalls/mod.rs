//! Names the causes of stalls of processors, from what a recording holds of them.
//!
//! [`Stalls`] takes samples and notes as they come from a run or a file. It keeps totals by cause and the worst stalls
//! of each processor, never all. The cause of each stall ([`name`]) comes from its owners by kernel events (`owners`),
//! its counters, the stalls of other processors at the same time ([`mod@together`]) and the usual stall's length.

mod accumulate;
mod document;
pub mod name;
mod owners;
pub mod together;
mod totals;

pub use accumulate::Stalls;
pub use document::document;
pub use totals::Causes;

#[cfg(test)]
mod tests;
