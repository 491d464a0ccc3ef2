//! How long sleeps last under a law when nobody knows how they began: pieces of even density, and the scatter of waking.

/// A part of the sleeps, which a law lets last any time between two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    /// Share of the sleeps.
    pub(super) weight: f64,
    /// Shortest, in ns.
    pub(super) from: f64,
    /// Longest, in ns.
    pub(super) to: f64,
    /// Whether both ends are wake-ups at the law's ticks, so that the cost of waking cancels in the mean.
    pub(super) anchored: bool,
}

/// The cost of waking: a constant and exponential tails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noise {
    /// The least cost, in ns.
    pub(super) cost: f64,
    /// Whether some sleeps scatter by more, for reasons that are not told.
    pub(super) tails: bool,
}

/// Shares of the sleeps, and their mean scatter in units of the cost: most vary by half of it, some by a few times.
const TAILS: [(f64, f64); 3] = [(0.90, 0.5), (0.08, 3.0), (0.02, 20.0)];
/// The same of nothing but the cost of waking.
const BARE: [(f64, f64); 1] = [(1.0, 0.5)];

impl Noise {
    fn parts(self) -> &'static [(f64, f64)] {
        if self.tails { &TAILS } else { &BARE }
    }

    /// Returns the integral of the distribution of a delay up to `x` above the cost.
    fn integral(self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        self.parts()
            .iter()
            .map(|(share, scale)| share * (x + scale * self.cost * (-x / (scale * self.cost)).exp_m1()))
            .sum()
    }

    fn below(self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        self.parts().iter().map(|(share, scale)| -share * (-x / (scale * self.cost)).exp_m1()).sum()
    }

    fn mean(self) -> f64 {
        self.cost * (1.0 + self.parts().iter().map(|(share, scale)| share * scale).sum::<f64>())
    }

    fn variance(self) -> f64 {
        // The second moment of each tail is twice the square of its scale; the spread about the mean is smaller than that.
        self.cost.powi(2) * self.parts().iter().map(|(share, scale)| 2.0 * share * scale * scale).sum::<f64>()
    }
}

impl Piece {
    /// Returns the share of this piece's sleeps that last at most `x`.
    fn below(&self, x: f64, noise: Noise) -> f64 {
        let width = self.to - self.from;
        if self.anchored {
            // Two wake-ups differ by as much either way.
            let (low, high) = (noise.below(x - self.from), noise.below(self.from - x));
            return 0.5 + 0.5 * (low - high);
        }
        let at = x - noise.cost;
        if width < 1e-3 * noise.cost {
            return noise.below(at - self.from);
        }
        ((noise.integral(at - self.from) - noise.integral(at - self.to)) / width).clamp(0.0, 1.0)
    }
}

/// Returns the share of sleeps that last at most `x` ns.
pub(super) fn below(pieces: &[Piece], noise: Noise, x: f64) -> f64 {
    pieces.iter().map(|piece| piece.weight * piece.below(x, noise)).sum::<f64>().clamp(0.0, 1.0)
}

/// Returns the mean and the variance of the sleeps' lengths.
pub(super) fn moments(pieces: &[Piece], noise: Noise) -> (f64, f64) {
    let (mut mean, mut square) = (0.0, 0.0);
    for piece in pieces {
        let shift = if piece.anchored { 0.0 } else { noise.mean() };
        let centre = f64::midpoint(piece.from, piece.to) + shift;
        let variance = (piece.to - piece.from).powi(2) / 12.0 + noise.variance();
        mean += piece.weight * centre;
        square += piece.weight * (variance + centre * centre);
    }
    (mean, (square - mean * mean).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_rises_from_nothing_to_everything() {
        let noise = Noise { cost: 5e3, tails: true };
        let pieces = [
            Piece { weight: 0.5, from: 1e6, to: 2e6, anchored: false },
            Piece { weight: 0.3, from: 2e6, to: 2e6, anchored: false },
            Piece { weight: 0.2, from: 2e6, to: 2e6, anchored: true },
        ];
        let mut last = 0.0;
        for step in 0..500 {
            let share = below(&pieces, noise, f64::from(step) * 1e4);
            assert!(share >= last - 1e-12, "{step}");
            last = share;
        }
        assert!(below(&pieces, noise, 0.9e6) < 1e-6 && last > 0.999_999);
        // Half of the even piece is below its middle.
        assert!((below(&pieces[..1], noise, 1.5e6 + noise.mean()) - 0.25).abs() < 1e-3);
        let (mean, variance) = moments(&pieces[..1], noise);
        assert!((mean - 0.5 * (1.5e6 + noise.mean())).abs() < 1.0 && variance > 0.0);
    }
}
