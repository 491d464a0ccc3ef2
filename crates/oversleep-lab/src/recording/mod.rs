//! A plan's samples and the machine's facts, in memory and as a file.

pub mod file;
mod meta;
mod note;
mod sample;
mod sink;
mod stall;
pub mod thin;
mod traced;
mod wakes;

pub use meta::{Meta, Origin, Unobtained};
pub use note::{Bracket, End, Note, Obtained, Periods};
pub use sample::{Flags, Sample};
pub use sink::{Recording, Sink};
pub use stall::{Late, Mark, Took, Watched};
pub use traced::{Traced, TracedPart};
pub use wakes::{Wake, Wakes};
