//! Random numbers, the same on every platform: PCG for the bits, libm for the logarithm.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Chance(Pcg64Mcg);

/// The purpose of a stream of random numbers. No two purposes share a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// The requests and random phases of a cell's thread.
    Requests {
        /// ID of the cell.
        cell: u32,
        /// Number of the thread.
        thread: u16,
    },
    /// The latencies of one of several threads in a turn.
    Latencies {
        /// Number of the turn.
        turn: u64,
        /// Number of the thread.
        thread: u16,
    },
}

impl Chance {
    /// Returns the stream for a machine itself: its phase, its start, its latencies.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// Returns the stream of a purpose, given the simulation's and the plan's seed.
    pub(crate) fn stream(seeds: [u64; 2], purpose: Purpose) -> Self {
        let words = match purpose {
            Purpose::Requests { cell, thread } => [1, u64::from(cell), u64::from(thread)],
            Purpose::Latencies { turn, thread } => [2, turn, u64::from(thread)],
        };
        let mixed = seeds.into_iter().chain(words).fold(0, |state, word| splitmix64(state ^ word));
        Self(Pcg64Mcg::seed_from_u64(mixed))
    }

    /// Returns a number uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number uniform in 0 to `bound` − 1; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.0.next_u64()) * u128::from(bound);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// Returns an exponentially distributed number with this mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        // 1 − u is never 0.
        -libm::log(1.0 - self.unit()) * mean
    }

    /// Returns a normally distributed number with mean 0 and standard deviation 1 (Box and Muller's method).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

/// Makes one step of `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a
/// bijection in which each changed bit of `state` changes half of the result's bits.
fn splitmix64(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn splitmix64_gives_its_published_numbers() {
        // The generator's first outputs from the seed 1234567, as in Vigna's splitmix64.c.
        let step = 0x9E37_79B9_7F4A_7C15_u64;
        let outputs = [0, 1, 2].map(|n| splitmix64(1_234_567_u64.wrapping_add(step.wrapping_mul(n))));
        assert_eq!(outputs, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn no_two_streams_begin_alike() {
        let mut seen = HashSet::new();
        let mut begins = |mut chance: Chance| seen.insert(chance.below(u64::MAX));
        for seed in 0..4 {
            assert!(begins(Chance::new(seed)), "the machine's of {seed}");
            for plan in [0, 1, seed] {
                for (number, thread) in (0..9).flat_map(|number| [(number, 0), (number, 1), (number, 7)]) {
                    let fresh = [
                        Purpose::Requests { cell: number, thread },
                        Purpose::Latencies { turn: u64::from(number), thread },
                    ]
                    .map(|purpose| begins(Chance::stream([seed, plan], purpose)));
                    // The plan's seed may equal the simulation's: then the stream has occurred above.
                    assert!(fresh == [true; 2] || plan == seed && seed < 2, "{seed} {plan} {number} {thread}");
                }
            }
        }
    }
}
