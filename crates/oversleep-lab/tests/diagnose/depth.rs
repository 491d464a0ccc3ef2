//! How many recordings a test takes.

/// Returns a quarter of the recordings, or all of them with `OVERSLEEP_DEPTH=full`, as in the step `truth` of
/// `cargo xtask check --full`.
pub(crate) fn of(all: usize) -> usize {
    if full() { all } else { all.div_ceil(4) }
}

/// Returns the distance between the presets that are taken: every second one, or all.
pub(crate) fn step() -> usize {
    if full() { 1 } else { 2 }
}

fn full() -> bool {
    std::env::var("OVERSLEEP_DEPTH").is_ok_and(|depth| depth == "full")
}
