//! What people and programs read. A file per format.

pub mod findings;
