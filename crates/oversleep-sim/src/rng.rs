//! Chance, the same on every platform: PCG for the bits, libm for the logarithm.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Chance(Pcg64Mcg);

impl Chance {
    /// The stream of this seed and purpose.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        // SplitMix64's increment keeps streams of neighbouring seeds apart.
        let mixed = seed.wrapping_add(purpose.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Self(Pcg64Mcg::seed_from_u64(mixed))
    }

    /// Uniform in 0 (included) to 1 (excluded).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in 0 to `bound` − 1; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.0.next_u64()) * u128::from(bound);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// Exponential with this mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        // 1 − u is never 0.
        -libm::log(1.0 - self.unit()) * mean
    }

    /// Normal with mean 0 and standard deviation 1 (Box and Muller's method).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}
