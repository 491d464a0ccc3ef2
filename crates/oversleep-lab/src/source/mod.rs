//! Where recordings come from. Every source carries out a plan or reads a file, and pours into a sink.

pub mod clocks;
pub mod import;
pub mod late;
pub mod live;
pub mod sim;
pub mod stalls;
pub mod trace;
