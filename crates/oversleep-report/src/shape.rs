//! Distributions on an axis that all rows share, each as one line of text.

use oversleep_figures::Accumulator;
use oversleep_sys::units::Nanos;

/// The shared axis: logarithmic, in whole decades.
pub(super) struct Axis {
    /// Edges between bins, ascending.
    edges: Vec<i64>,
    /// Where each decade begins, and the end of the last one, ascending.
    decades: Vec<i64>,
    per_decade: usize,
}

/// Approximate number of columns of a shape.
const WIDTH: usize = 24;
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

impl Axis {
    /// Returns an axis for a line of text, wide enough for all values. Values below a microsecond share its first bin. If all
    /// are negative, the axis is, and those above −1 µs share its last bin.
    pub(super) fn over<'a>(rows: impl Iterator<Item = &'a Accumulator>) -> Self {
        Self::divided(rows, |decades| (WIDTH / decades).max(2))
    }

    /// Returns such an axis for a picture, with this number of bins per decade.
    pub(super) fn fine<'a>(rows: impl Iterator<Item = &'a Accumulator>, per_decade: usize) -> Self {
        Self::divided(rows, |_| per_decade)
    }

    fn divided<'a>(rows: impl Iterator<Item = &'a Accumulator>, per_decade: impl Fn(usize) -> usize) -> Self {
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for row in rows {
            if let (Some(min), Some(max)) = (row.min(), row.max()) {
                low = low.min(min);
                high = high.max(max);
            }
        }
        if low <= high && high < 0 {
            return Self::positive(high.saturating_neg(), low.saturating_neg(), per_decade).mirrored();
        }
        Self::positive(low, high, per_decade)
    }

    fn positive(low: i64, high: i64, per_decade: impl Fn(usize) -> usize) -> Self {
        let from = power_below(low.clamp(1_000, 1_000_000_000));
        let mut decades = vec![from, 10 * from];
        while decades.len() < 9 && decades.last().is_some_and(|end| *end < high) {
            decades.extend(decades.last().map(|end| 10 * end));
        }
        let count = decades.len() - 1;
        let per_decade = per_decade(count);
        let edge = |bin: usize| Nanos::from_f64(from as f64 * libm::exp10(bin as f64 / per_decade as f64)).get();
        Self { edges: (0..=count * per_decade).map(edge).collect(), decades, per_decade }
    }

    /// Returns the axis of the negative values.
    fn mirrored(self) -> Self {
        // A bin begins with its lower edge: that of −1 ms is for values from −1 ms on.
        let turned = |values: Vec<i64>| values.into_iter().rev().map(|value| -value).collect();
        Self { edges: turned(self.edges), decades: turned(self.decades), ..self }
    }

    /// Returns the number of bins of a shape: between consecutive edges, below the first edge and above the last.
    pub(super) fn bins(&self) -> usize {
        self.edges.len() + 1
    }

    /// Returns the number of samples in each bin.
    pub(super) fn counts(&self, row: &Accumulator) -> Vec<u64> {
        row.counts(&self.edges)
    }

    /// Returns the index of the bin that a value is in.
    pub(super) fn bin(&self, value: Nanos) -> usize {
        self.edges.partition_point(|edge| *edge <= value.get())
    }

    /// Returns whether a bin holds negative values.
    pub(super) fn is_early(&self, bin: usize) -> bool {
        bin.checked_sub(1).is_none_or(|before| self.edges[before] < 0)
    }

    /// Returns the first bin of each decade and the value where it begins; last, the end of the axis.
    pub(super) fn decades(&self) -> impl Iterator<Item = (usize, Nanos)> {
        (1..self.bins()).step_by(self.per_decade).zip(self.decades.iter().map(|value| Nanos::new(*value)))
    }

    /// Returns the axis' own line: where each decade begins. Labels that would touch others are left out, the longest first: the
    /// decades are evenly spaced, so those where a unit begins tell the rest.
    pub(super) fn labels(&self) -> String {
        let mut labels: Vec<(usize, String)> = self.decades().map(|(column, at)| (column, short(at.get()))).collect();
        let last = labels.iter().map(|(column, label)| column + label.chars().count()).max().unwrap_or(0);
        labels.sort_by_key(|(_, label)| label.chars().count());
        let mut line = vec![' '; last];
        for (column, label) in labels {
            let end = column + label.chars().count();
            if line[column - 1..last.min(end + 1)].iter().all(|place| *place == ' ') {
                line.splice(column..end, label.chars());
            }
        }
        line.into_iter().collect::<String>().trim_end().to_owned()
    }

    /// Returns the shape of a row. Heights are square roots of counts, so that a tail of one sample in a thousand is
    /// still visible. The first column is everything below the axis, including early wake-ups; the last is everything
    /// above it.
    pub(super) fn shape(&self, row: &Accumulator) -> String {
        let counts = self.counts(row);
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        counts.iter().map(|&count| bar(count, most)).collect()
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ height ≤ 8
fn bar(count: u64, most: u64) -> char {
    if count == 0 {
        return BARS[0];
    }
    let height = (8.0 * (count as f64 / most as f64).sqrt()).ceil() as usize;
    BARS[height.clamp(1, 8)]
}

fn power_below(value: i64) -> i64 {
    let mut power = 1;
    while power <= value / 10 {
        power *= 10;
    }
    power
}

fn short(ns: i64) -> String {
    match ns {
        ..0 => format!("−{}", short(ns.saturating_neg())),
        0..1_000 => format!("{ns}n"),
        1_000..1_000_000 => format!("{}µ", ns / 1_000),
        1_000_000..1_000_000_000 => format!("{}m", ns / 1_000_000),
        _ => format!("{}s", ns / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accumulate(values: &[i64]) -> Accumulator {
        let mut row = Accumulator::default();
        for &value in values {
            row.add(value);
        }
        row
    }

    #[test]
    fn rows_share_an_axis_of_whole_decades() {
        let (fast, slow) = (accumulate(&[1_200, 2_000]), accumulate(&[900_000, 2_000_000]));
        let axis = Axis::over([&fast, &slow].into_iter());
        assert_eq!(axis.labels(), " 1µ    10µ   100µ  1m    10m");
        let shape = axis.shape(&fast);
        assert_eq!(shape.chars().count(), 26);
        assert_eq!(shape.chars().filter(|&bar| bar == '█').count(), 2);
        assert!(axis.shape(&slow).trim_start().starts_with('█'));
    }

    #[test]
    fn where_labels_are_too_close_those_of_units_stay() {
        let wide = accumulate(&[1_200, 900_000_000, 90_000_000_000]);
        assert_eq!(Axis::over([&wide].into_iter()).labels(), " 1µ 10µ   1m 10m   1s 10s");
    }

    #[test]
    fn one_in_a_thousand_is_seen() {
        assert_eq!(bar(0, 1_000), ' ');
        assert_eq!(bar(1, 1_000), '▁');
        assert_eq!(bar(1_000, 1_000), '█');
    }

    #[test]
    fn early_wake_ups_stand_in_the_first_column() {
        let early = accumulate(&[-5_000_000, 3_000]);
        let axis = Axis::over([&early].into_iter());
        assert_eq!(axis.shape(&early).chars().next(), Some('█'));
    }

    #[test]
    fn rows_that_are_all_early_have_a_negative_axis() {
        let early = accumulate(&[-5_000_000, -2_000_000, -20_000, -500]);
        let axis = Axis::over([&early].into_iter());
        assert_eq!(axis.labels(), " −10m  −1m   −100µ −10µ  −1µ");
        let shape = axis.shape(&early);
        assert_eq!(shape.chars().count(), axis.bins());
        // One in the decade to −1 ms twice, one in that to −10 µs, one above −1 µs.
        assert_eq!(shape.chars().filter(|bar| *bar != ' ').count(), 4, "{shape}");
        assert_eq!((shape.chars().next(), shape.chars().last()), (Some(' '), Some('█')), "{shape}");
        // As soon as one is late, those that are early share the first column.
        let both = accumulate(&[-5_000_000, 2_000]);
        assert_eq!(Axis::over([&both].into_iter()).labels(), " 1µ                      10µ");
    }

    #[test]
    fn nothing_has_an_axis_too() {
        let axis = Axis::over(std::iter::empty());
        assert!(!axis.labels().is_empty());
        assert_eq!(axis.shape(&accumulate(&[])).trim(), "");
    }
}
