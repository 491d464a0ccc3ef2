//! Drifts measured between clocks whose drift is known.

use super::*;
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A simulated pair of clocks, read in rounds at irregular times.
struct SimulatedClocks {
    clock_ppm: f64,
    against_ppm: f64,
    rounds: usize,
    /// Readings are truncated to multiples of this, in ns.
    step: i64,
    /// Correlation of the reading error from one round to the next.
    correlation: f64,
}

const PAIR: SimulatedClocks =
    SimulatedClocks { clock_ppm: 12.5, against_ppm: -3.0, rounds: 250, step: 1, correlation: 0.0 };

impl SimulatedClocks {
    fn truth(&self) -> f64 {
        ((1.0 + self.clock_ppm * 1e-6) / (1.0 + self.against_ppm * 1e-6) - 1.0) * 1e6
    }

    /// Returns readings anywhere in brackets of 40–120 ns, of which one in fifty is interrupted for up to 50 µs.
    fn run(&self, seed: u64) -> (Vec<ClockPoint>, Vec<ClockPoint>) {
        let mut dice = Pcg64::seed_from_u64(seed);
        let (mut at, mut error) = (7_000_000_000.0_f64, 0.0);
        let (mut clock, mut against) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            at += dice.random_range(10e6..30e6);
            let fresh = dice.random_range(-200.0..200.0);
            error = if self.correlation > 0.0 { self.correlation * error + fresh } else { 0.0 };
            clock.push(self.read(&mut dice, at + error, at, self.clock_ppm));
            against.push(self.read(&mut dice, at + 500.0, at + 500.0, self.against_ppm));
        }
        (clock, against)
    }

    fn read(&self, dice: &mut Pcg64, true_time: f64, middle: f64, ppm: f64) -> ClockPoint {
        let interrupted = dice.random_range(0..50) == 0;
        let width = dice.random_range(40.0..if interrupted { 50_000.0 } else { 120.0 });
        let inside = dice.random_range(-0.5..0.5) * width;
        let reading = Nanos::from_f64((true_time + inside) * (1.0 + ppm * 1e-6)).get();
        let step = if ppm > 0.0 { self.step } else { 1 };
        ClockPoint {
            monotonic: Nanos::from_f64(middle),
            width: Nanos::from_f64(width),
            reading: Nanos::new(reading.div_euclid(step) * step),
        }
    }

    /// Returns how many of 1000 seeded runs have the true drift inside their interval, in per cent.
    fn coverage(&self) -> f64 {
        let inside = |seed| {
            let (clock, against) = self.run(seed);
            let drift = between(&clock, &against).unwrap();
            drift.low.get() <= self.truth() && self.truth() <= drift.high.get()
        };
        (0..1000).filter(|&seed| inside(seed)).count() as f64 / 10.0
    }
}

#[test]
fn the_interval_covers_the_truth_as_often_as_it_says() {
    for pair in [
        PAIR,
        SimulatedClocks { rounds: 12, ..PAIR },
        SimulatedClocks { step: 4_000_000, ..PAIR },
        SimulatedClocks { correlation: 0.6, ..PAIR },
        SimulatedClocks { clock_ppm: 400.0, against_ppm: -400.0, rounds: 60, ..PAIR },
    ] {
        let coverage = pair.coverage();
        println!("{} rounds, step {}, correlation {}: {coverage} %", pair.rounds, pair.step, pair.correlation);
        assert!((92.0..=98.0).contains(&coverage), "{coverage} %");
    }
}

#[test]
fn a_second_clock_of_the_same_rate_does_not_drift() {
    let (clock, _) = PAIR.run(1);
    let drift = between(&clock, &clock).unwrap();
    assert!(drift.rate.get().abs() < 1e-12);
    assert!(drift.low.get() < 0.0 && drift.high.get() > 0.0, "no interval is infinitely narrow");
    assert_eq!(drift.rounds + drift.left_out, PAIR.rounds);
    assert!(drift.left_out > 0);
}

#[test]
fn swapping_the_clocks_turns_the_sign() {
    let (clock, against) = PAIR.run(2);
    let (there, back) = (between(&clock, &against).unwrap(), between(&against, &clock).unwrap());
    let product = (1.0 + there.rate.get() * 1e-6) * (1.0 + back.rate.get() * 1e-6);
    assert!((product - 1.0).abs() < 1e-12, "{there:?} {back:?}");
}

#[test]
fn too_little_is_no_answer() {
    let (clock, against) = PAIR.run(3);
    assert_eq!(between(&clock[..FEWEST_ROUNDS - 1], &against), None);
    assert_eq!(between(&[], &[]), None);
    let frozen = vec![clock[0]; 20];
    assert_eq!(between(&frozen, &frozen), None);
}
