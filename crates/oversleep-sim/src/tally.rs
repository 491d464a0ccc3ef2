//! Statistics of a cell that keep no sample: flat in memory, exact in sums.

use oversleep_sys::units::Nanos;

/// What is kept of a cell's oversleeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// The cell.
    pub cell: u32,
    /// Sleeps.
    pub n: u64,
    /// Sleeps that ended before their time.
    pub early: u64,
    /// The least oversleep.
    pub min: Nanos,
    /// The greatest oversleep.
    pub max: Nanos,
    /// How often the kernel found a sleep not over and slept on.
    pub resleeps: u64,
    /// Drops of the oversleep by more than half a millisecond from one sleep to the next: the sawtooth's teeth.
    pub drops: u64,
    sum: i128,
    squares: u128,
    previous: Option<Nanos>,
}

impl Tally {
    /// A fall from one sleep to the next that counts as a tooth of the sawtooth.
    const DROP: Nanos = Nanos::new(500_000);

    pub(crate) fn new(cell: u32) -> Self {
        Self {
            cell,
            n: 0,
            early: 0,
            min: Nanos::MAX,
            max: Nanos::MIN,
            resleeps: 0,
            drops: 0,
            sum: 0,
            squares: 0,
            previous: None,
        }
    }

    pub(crate) fn add(&mut self, oversleep: Nanos, resleeps: u32) {
        self.n += 1;
        self.early += u64::from(oversleep < Nanos::ZERO);
        self.min = self.min.min(oversleep);
        self.max = self.max.max(oversleep);
        self.resleeps += u64::from(resleeps);
        let magnitude = u128::from(oversleep.get().unsigned_abs());
        self.sum += i128::from(oversleep.get());
        self.squares = self.squares.saturating_add(magnitude * magnitude);
        self.drops += u64::from(self.previous.is_some_and(|previous| previous - oversleep > Self::DROP));
        self.previous = Some(oversleep);
    }

    /// Returns the mean oversleep; `None` without sleeps.
    pub fn mean(&self) -> Option<Nanos> {
        (self.n > 0).then(|| Nanos::from_f64(self.sum as f64 / self.n as f64))
    }

    /// Returns the standard deviation; `None` with fewer than two sleeps.
    pub fn sd(&self) -> Option<Nanos> {
        if self.n < 2 {
            return None;
        }
        let (n, sum) = (self.n as f64, self.sum as f64);
        let variance = (self.squares as f64 - sum / n * sum) / (n - 1.0);
        Some(Nanos::from_f64(libm::sqrt(variance.max(0.0))))
    }
}
