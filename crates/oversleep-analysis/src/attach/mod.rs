//! The waits of another program: its loops, and who made it late.

mod accumulate;
mod loops;
mod rounds;

pub use accumulate::Gather;
pub use loops::LoopsOfTable;
