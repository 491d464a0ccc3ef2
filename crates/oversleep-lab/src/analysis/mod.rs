//! What samples say: statistics, findings, comparison. Nothing here knows where a recording came from.

pub mod diagnose;
