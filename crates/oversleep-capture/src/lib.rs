//! Captures: what makes recordings of this machine. Every capture yields samples and notes; nothing here judges them.

pub mod attach;
pub mod clocks;
pub mod late;
pub mod runtimes;
pub mod sleeps;
pub mod stalls;
pub mod trace;
