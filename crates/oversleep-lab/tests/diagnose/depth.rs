//! Numbers of recordings in tests.

/// Returns a quarter of `all`, or `all` with `OVERSLEEP_DEPTH=full`, as in `cargo xtask check --full`.
pub(crate) fn scaled(all: usize) -> usize {
    if full() { all } else { all.div_ceil(4) }
}

/// Returns the step through the presets: every second one, or every one at full depth.
pub(crate) fn step() -> usize {
    if full() { 1 } else { 2 }
}

fn full() -> bool {
    std::env::var("OVERSLEEP_DEPTH").is_ok_and(|depth| depth == "full")
}
