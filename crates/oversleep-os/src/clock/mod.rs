//! Every clock of this system, read directly.
//!
//! The catalogue (`oversleep-recording`) lists the clocks of every system as data; an [`OpenClock`] reads one of this
//! system. The clocks that sleeps are timed with are in `oversleep-sys`.

mod bracket;
mod counter_rate;
mod entry;
mod source;

pub use bracket::Bracketed;
pub use entry::{ClockEntry, OpenClock, entries, open};
pub use oversleep_recording::catalog::ClockId;

#[cfg(test)]
mod tests;
