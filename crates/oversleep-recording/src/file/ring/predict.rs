//! Prediction of the next value from those before it, so that only the difference is written.

use super::bits::Port;
use super::rounding::Rounding;
use std::io;

/// Where the values of one kind lie, and how far they are spread: learned from the values themselves, alike by the writer
/// and the reader. Whole numbers alone, so that both compute the same everywhere.
#[derive(Debug, Clone, Default)]
pub(super) struct Predictor {
    centre: i64,
    /// Mean distance from the centre, in sixteenths.
    spread: i64,
    seen: i64,
}

/// Number of values after which the oldest ones are forgotten.
const MEMORY: i64 = 16;
/// Order of the code of the first value.
const FIRST: u32 = 14;
/// Distances above this teach nothing more; below, sixteenths of it are far from overflowing.
const FAR: u64 = 1 << 40;

impl Predictor {
    /// Passes a value, rounded; returns it as the reader sees it.
    pub(super) fn pass<P: Port>(&mut self, port: &mut P, value: i64, rounding: Rounding) -> io::Result<i64> {
        let order = if self.seen == 0 { FIRST } else { i64::BITS - (self.spread >> 4).leading_zeros() };
        let short = rounding.shorten(value.wrapping_sub(self.centre));
        let short = port.signed(short, order.saturating_sub(rounding.bits))?;
        let away = rounding.restore(short);
        let value = self.centre.wrapping_add(away);
        self.learn(away);
        Ok(value)
    }

    fn learn(&mut self, away: i64) {
        let distance = i64::try_from(away.unsigned_abs().min(FAR)).unwrap_or(i64::MAX);
        if self.seen == 0 {
            (self.centre, self.spread) = (self.centre.wrapping_add(away), 2 * distance);
        } else {
            let weight = (self.seen + 1).min(MEMORY);
            // What lies far out moves the centre no more than something four times as far as is usual.
            let most = self.spread / 4 + 1;
            self.centre = self.centre.wrapping_add(away.clamp(-most, most) / weight);
            let distance = (16 * distance).min(6 * self.spread + 96);
            self.spread += (distance - self.spread) / weight;
        }
        self.seen = (self.seen + 1).min(MEMORY);
    }
}
