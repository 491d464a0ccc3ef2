//! Recordings for other programs. A file per format.

pub mod csv;
pub mod metrics;
