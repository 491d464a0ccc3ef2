//! What analysis makes of a recording, as programs read it: plain structs whose serialisation is the JSON.

pub mod clocks;
pub mod stalls;
