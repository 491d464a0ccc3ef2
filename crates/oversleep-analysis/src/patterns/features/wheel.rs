//! The granularity of Linux' timer wheel (from 4.8).

/// Returns the wheel's granularity in ticks at a timeout of `ticks`, which the kernel first rounds up to whole ticks of
/// nominal length: 8 to the power of its level. Level n ≥ 1 begins at 63 × 8^(n − 1) ticks (kernel/time/timer.c,
/// `LVL_START`), so at every request of more than 62 ticks.
pub fn step(ticks: f64) -> u64 {
    // Divisions of requests that are whole ticks are off by less.
    let whole = (ticks - 1e-6).ceil();
    let mut level = 0;
    while level < 8 && whole >= 63.0 * 8f64.powi(level) {
        level += 1;
    }
    8u64.pow(level.unsigned_abs())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_wheel_coarsens_at_63_and_504_whole_ticks() {
        assert_eq!([1.0, 62.0, 62.1, 63.0, 503.0, 503.5, 504.0].map(super::step), [1, 1, 8, 8, 8, 64, 64]);
        assert_eq!(super::step(62.000_000_000_1), 1);
    }
}
