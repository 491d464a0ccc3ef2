//! Statistics of a cell without samples: of constant size, and exact in sums.

use oversleep_sys::units::Nanos;

/// The statistics of a cell's oversleeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// ID of the cell.
    pub cell: u32,
    /// Number of sleeps.
    pub n: u64,
    /// Number of sleeps that ended before their time.
    pub early: u64,
    /// Smallest oversleep.
    pub min: Nanos,
    /// Largest oversleep.
    pub max: Nanos,
    /// Number of times that the kernel found a sleep not over and slept on.
    pub resleeps: u64,
    /// Number of drops of the oversleep by more than half a millisecond from one sleep to the next: teeth of a
    /// sawtooth.
    pub drops: u64,
    sum: i128,
    squares: u128,
    previous: Option<Nanos>,
}

impl Tally {
    /// Smallest drop from one sleep to the next that counts as a tooth of a sawtooth.
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
