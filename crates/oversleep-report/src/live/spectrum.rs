//! The distribution of oversleeps over time: one histogram for each quarter of a second.

use oversleep_sys::units::Nanos;
use std::collections::VecDeque;

/// Duration of one histogram.
pub const TIME_STEP: Nanos = Nanos::from_millis(250);
/// Number of histograms kept: an hour.
const KEPT: usize = 14_400;
/// Bins per decade, and number of decades, which begin at a microsecond.
const PER_DECADE: usize = 20;
const DECADES: usize = 6;
/// Number of bins: first one for early sleeps and one for oversleeps below a microsecond, then those of the decades.
const BINS: usize = PER_DECADE * DECADES + 2;

/// Histograms of oversleeps over time.
#[derive(Debug, Clone, Default)]
pub struct Spectrum {
    columns: VecDeque<[u32; BINS]>,
    /// Number of the first histogram that is kept, counted from the start.
    first: u64,
}

impl Spectrum {
    /// Least number of rows of a picture: one per decade.
    pub const FEWEST_ROWS: usize = DECADES;

    /// Counts a sleep that ended at `at`.
    pub(super) fn count(&mut self, at: Nanos, late: Nanos) {
        let number = (at.get().max(0) / TIME_STEP.get()).unsigned_abs();
        if self.columns.is_empty() {
            self.first = number;
        }
        // Threads and cells are collected one after another, so some sleeps are older than the last one.
        let Some(place) = number.checked_sub(self.first) else { return };
        let Ok(mut place) = usize::try_from(place) else { return };
        if place >= self.columns.len() + KEPT {
            // There was no sleep for more than an hour.
            self.columns.clear();
            (self.first, place) = (number, 0);
        }
        while self.columns.len() <= place {
            self.columns.push_back([0; BINS]);
            if self.columns.len() > KEPT {
                self.columns.pop_front();
                self.first += 1;
                place -= 1;
            }
        }
        let count = &mut self.columns[place][bin(late)];
        *count = count.saturating_add(1);
    }

    /// Returns the picture, row by row, as counts: `width` columns of `group` quarters of a second each, the most
    /// recent last, and `height` rows from a second at the top to a microsecond, then a row of early sleeps.
    pub fn picture(&self, width: usize, height: usize, group: usize) -> Vec<Vec<u64>> {
        let (height, group) = (height.max(1), group.max(1));
        let mut rows = vec![vec![0_u64; width]; height + 1];
        // Groups begin at multiples of their length, so that a column stays the same when the next one begins.
        let last = (self.first + self.columns.len() as u64).saturating_sub(1) / group as u64;
        for (number, column) in (self.first..).zip(&self.columns) {
            let back = last - number / group as u64;
            let Some(x) = usize::try_from(back).ok().and_then(|back| width.checked_sub(back + 1)) else { continue };
            for (bin, count) in column.iter().enumerate().filter(|(_, count)| **count > 0) {
                let y = match bin {
                    0 => height,
                    // Oversleeps below a microsecond are in the lowest row.
                    bin => height - 1 - (bin.saturating_sub(2) * height / (BINS - 2)),
                };
                rows[y][x] += u64::from(*count);
            }
        }
        rows
    }

    /// Returns the oversleep at the lower edge of a row of such a picture.
    pub fn edge(height: usize, row: usize) -> Nanos {
        let share = (height.saturating_sub(row + 1)) as f64 / height.max(1) as f64;
        Nanos::from_f64(1e3 * libm::exp10(share * DECADES as f64))
    }
}

fn bin(late: Nanos) -> usize {
    if late < Nanos::ZERO {
        return 0;
    }
    if late < Nanos::MICROSECOND {
        return 1;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 or more, and below 400
    let bin = (libm::log10(late.as_f64() / 1e3) * PER_DECADE as f64) as usize;
    (bin + 2).min(BINS - 1)
}
