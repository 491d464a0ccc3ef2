//! The waits of another program: its loops, and who made it late.

mod accumulate;
mod rounds;

pub use accumulate::Gather;
