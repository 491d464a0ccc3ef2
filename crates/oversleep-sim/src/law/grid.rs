//! Ticks, as laws see them: a computed kernel's, or evenly spaced ones on a measured axis.

/// Numbered ticks.
pub trait Grid {
    /// Times on the grid's axis.
    type Time: Copy;

    /// Returns the number of the last tick at or before a time.
    fn last(&mut self, at: Self::Time) -> i64;

    /// Returns the number of the first tick at or after a time.
    fn first_from(&mut self, at: Self::Time) -> i64;

    /// Returns the time of a tick.
    fn at(&mut self, tick: i64) -> Self::Time;

    /// Returns the time that is `by` after `from`.
    fn later(from: Self::Time, by: Self::Time) -> Self::Time;
}

/// Evenly spaced ticks, in ns: tick k is at `phase + k × period`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Even {
    /// Time from tick to tick.
    pub period: f64,
    /// Time of tick 0.
    pub phase: f64,
}

/// What rounding may add to a place on the grid, in ticks: a time this near to a tick is that tick's.
const NEAR: f64 = 1e-6;

/// As [`f64::floor`] for numbers below 2⁶³, without the call that x86-64 needs before SSE4.1.
#[inline]
#[allow(clippy::cast_possible_truncation)] // checked
pub fn floor(x: f64) -> f64 {
    let whole = x as i64 as f64;
    if x.abs() >= 1e18 {
        x
    } else if whole > x {
        whole - 1.0
    } else {
        whole
    }
}

#[allow(clippy::cast_possible_truncation)] // saturates, beyond any machine's life
impl Grid for Even {
    type Time = f64;

    #[inline]
    fn last(&mut self, at: f64) -> i64 {
        floor((at - self.phase) / self.period + NEAR) as i64
    }

    #[inline]
    fn first_from(&mut self, at: f64) -> i64 {
        -floor(NEAR - (at - self.phase) / self.period) as i64
    }

    fn at(&mut self, tick: i64) -> f64 {
        self.phase + tick as f64 * self.period
    }

    fn later(from: f64, by: f64) -> f64 {
        from + by
    }
}
