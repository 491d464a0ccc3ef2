//! What stalls are put down to, from what the trace and the counters say of them.

pub mod name;
pub mod together;

#[cfg(test)]
mod tests;
