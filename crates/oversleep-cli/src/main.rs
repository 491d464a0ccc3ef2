//! How long does your sleep really sleep, why, and how do you sleep on time?
fn main() {}
