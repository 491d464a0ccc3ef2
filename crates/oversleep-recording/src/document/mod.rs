//! What programs read of a recording: plain typed values whose serialisation is the JSON.

pub mod breakdown;
pub mod late;
pub mod trace;
