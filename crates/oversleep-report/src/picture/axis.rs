//! Axes of plots: positions of values, from 0 to 1, and marks.

use oversleep_sys::units::Nanos;

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Linear.
    Linear,
    /// Logarithmic; times below 1 ns are at its beginning.
    Log,
    /// Logarithmic below zero, for times that are all negative; those above −1 ns are at its end.
    Early,
    /// Logarithmic on both sides of zero, nearly linear within a microsecond of it; for times.
    TwoSided,
}

/// Quantity on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AxisQuantity {
    /// Time in nanoseconds.
    Time,
    /// Time in seconds since the beginning.
    Seconds,
    /// Number of sleeps.
    Sleeps,
    /// Numbers without a unit.
    Numbers,
}

/// An axis of a plot.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) title: String,
    pub(super) counts: AxisQuantity,
    scale: Scale,
    from: f64,
    to: f64,
}

/// A mark: its position from 0 to 1, and its label unless it is a minor one.
pub(super) struct Mark {
    pub(super) at: f64,
    pub(super) label: Option<String>,
}

/// Least number of labels of an axis, and widest part of it, as a share, that may have none.
const LEAST: usize = 3;
const WIDEST: f64 = 0.4;

/// Returns the widest part of an axis without a label, at an end or between two labels.
fn widest_gap(marks: &[Mark]) -> f64 {
    let labelled = marks.iter().filter(|mark| mark.label.is_some()).map(|mark| mark.at);
    let (last, widest) = labelled.fold((0.0, 0.0), |(before, widest), at| (at, f64::max(widest, at - before)));
    f64::max(widest, 1.0 - last)
}

impl Axis {
    /// Returns an axis from one value to another.
    pub(super) fn new(title: &str, counts: AxisQuantity, scale: Scale, from: f64, to: f64) -> Self {
        let mut axis = Self { title: title.to_owned(), counts, scale, from: 0.0, to: 1.0 };
        (axis.from, axis.to) = (axis.place(from), axis.place(to));
        if axis.to <= axis.from {
            axis.to = axis.from + 1.0;
        }
        axis
    }

    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Log => libm::log10(value.max(if self.counts == AxisQuantity::Sleeps { 0.5 } else { 1.0 })),
            Scale::Early => -libm::log10((-value).max(1.0)),
            Scale::TwoSided => libm::log10(1.0 + value.abs() / 1e3).copysign(value),
        }
    }

    /// Returns the position of a value: 0 at the beginning, 1 at the end; values outside the axis are outside 0 to 1.
    pub(super) fn at(&self, value: f64) -> f64 {
        (self.place(value) - self.from) / (self.to - self.from)
    }

    /// Returns the value that lies between two others on the axis, at this share of the way.
    pub(super) fn between(&self, from: f64, to: f64, share: f64) -> f64 {
        self.value(self.place(from) + (self.place(to) - self.place(from)) * share)
    }

    /// Returns the value at a place: the inverse of `place`.
    fn value(&self, place: f64) -> f64 {
        match self.scale {
            Scale::Linear => place,
            Scale::Log => libm::exp10(place),
            Scale::Early => -libm::exp10(-place),
            Scale::TwoSided => (1e3 * (libm::exp10(place.abs()) - 1.0)).copysign(place),
        }
    }

    /// Returns the marks within the axis, in the order of their positions.
    ///
    /// Labels are as few as possible, but at least [`LEAST`] and without an unlabelled part wider than [`WIDEST`].
    pub(super) fn marks(&self) -> Vec<Mark> {
        let choices = self.choices();
        let labelled = |marks: &Vec<Mark>| marks.iter().filter(|mark| mark.label.is_some()).count();
        let enough = choices.iter().position(|marks| labelled(marks) >= LEAST && widest_gap(marks) <= WIDEST);
        // Where nothing has enough, as of counts up to two, the most labels are best.
        let best = enough.or_else(|| (0..choices.len()).max_by_key(|index| labelled(&choices[*index])));
        best.and_then(|index| choices.into_iter().nth(index)).unwrap_or_default()
    }

    /// Returns possible marks, those with the fewest labels first.
    fn choices(&self) -> Vec<Vec<Mark>> {
        let mut choices = Vec::new();
        if self.scale != Scale::Linear {
            choices.extend([&[1][..], &[1, 3], &[1, 2, 5]].map(|labelled| self.by_powers(labelled)));
        }
        choices.extend([7.0, 14.0].map(|count| self.even(count)));
        choices
    }

    /// Returns marks at 1 to 9 times powers of ten, with labels at those digits.
    fn by_powers(&self, labelled: &[u8]) -> Vec<Mark> {
        let candidates = match self.scale {
            Scale::Early => powers(0, false).into_iter().map(|(value, digit)| (-value, digit)).collect(),
            // Near zero the axis is nearly linear, and marks are close together.
            Scale::TwoSided => powers(
                match self.to - self.from {
                    ..0.8 => 2,
                    0.8..3.0 => 3,
                    _ => 4,
                },
                true,
            ),
            Scale::Linear | Scale::Log => powers(0, false),
        };
        let mark = |(value, digit): (f64, u8)| Mark {
            at: self.at(value),
            label: labelled.contains(&digit).then(|| self.label(value, false)),
        };
        let mut marks: Vec<Mark> = candidates.into_iter().map(mark).collect();
        marks.retain(|mark| (-1e-9..=1.0 + 1e-9).contains(&mark.at));
        marks.sort_by(|a, b| a.at.total_cmp(&b.at));
        marks
    }

    /// Returns at most `count` + 1 marks at even steps of the value, all with labels, which have more digits where some would be
    /// alike.
    fn even(&self, count: f64) -> Vec<Mark> {
        let [from, to] = [self.value(self.from), self.value(self.to)];
        let raw = (to - from) / count;
        let power = libm::exp10(libm::log10(raw).floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= raw).unwrap_or(raw);
        // Counts and nanoseconds are whole numbers.
        let is_whole = matches!(self.counts, AxisQuantity::Sleeps | AxisQuantity::Time);
        let step = if is_whole { step.max(1.0) } else { step };
        let first = (from / step - 1e-9).ceil();
        let values: Vec<f64> = (0..40)
            .map(|index| (first + f64::from(index)) * step)
            .take_while(|value| *value <= to + step * 1e-9)
            .collect();
        let labels =
            |all_digits| -> Vec<String> { values.iter().map(|value| self.label(*value, all_digits)).collect() };
        let short = labels(false);
        let has_equal = short.windows(2).any(|two| two[0] == two[1]);
        let labels = if has_equal { labels(true) } else { short };
        values.iter().zip(labels).map(|(value, label)| Mark { at: self.at(*value), label: Some(label) }).collect()
    }

    /// Returns the label of a value, of a time with three digits or with all.
    fn label(&self, value: f64, all_digits: bool) -> String {
        let text = match self.counts {
            AxisQuantity::Seconds => format!("{} s", (value * 1e6).round() / 1e6),
            AxisQuantity::Sleeps => format!("{value:.0}"),
            AxisQuantity::Numbers => format!("{}", (value * 1e6).round() / 1e6),
            // In whatever unit.
            AxisQuantity::Time if Nanos::from_f64(value) == Nanos::ZERO => "0".to_owned(),
            AxisQuantity::Time if all_digits => format!("{:#}", Nanos::from_f64(value)),
            AxisQuantity::Time => Nanos::from_f64(value).to_string().replace(".00 ", " ").replace(".0 ", " "),
        };
        text.replace('-', "−")
    }
}

/// Returns 1 to 9 times each power of ten from `first`, with that digit; if `both`, also the negative values and zero.
fn powers(first: i32, both: bool) -> Vec<(f64, u8)> {
    let mut out = if both { vec![(0.0, 1)] } else { Vec::new() };
    for power in first..=13 {
        for digit in 1..10_u8 {
            let value = f64::from(digit) * libm::exp10(f64::from(power));
            out.push((value, digit));
            if both {
                out.push((-value, digit));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lie_on_the_axis_and_major_ones_are_labelled() {
        let axis = Axis::new("oversleep", AxisQuantity::Time, Scale::Log, 1e3, 1e6);
        let labels: Vec<String> = axis.marks().into_iter().filter_map(|mark| mark.label).collect();
        assert_eq!(labels, ["1 µs", "10 µs", "100 µs", "1 ms"]);
        assert!((axis.at(31_622.8) - 0.5).abs() < 1e-4);
        let both = Axis::new("oversleep", AxisQuantity::Time, Scale::TwoSided, -1e6, 1e6);
        assert!((both.at(0.0) - 0.5).abs() < 1e-12 && both.at(-5e5) < 0.5);
        let labels = |axis: &Axis| axis.marks().into_iter().filter_map(|mark| mark.label).collect::<Vec<_>>();
        assert_eq!(
            labels(&Axis::new("", AxisQuantity::Time, Scale::Early, -2e6, -5e4)),
            ["−1 ms", "−300 µs", "−100 µs"]
        );
        assert_eq!(labels(&Axis::new("", AxisQuantity::Time, Scale::TwoSided, -4e2, 4e2)), ["−100 ns", "0", "100 ns"]);
        let close = Axis::new("", AxisQuantity::Time, Scale::Early, -5.5e6, -3.2e6);
        assert_eq!(labels(&close), ["−5.50 ms", "−5 ms", "−4.50 ms", "−4 ms", "−3.50 ms"]);
        // Of a peak at 70 µs with a tail, and of eleven sleeps.
        assert_eq!(labels(&Axis::new("", AxisQuantity::Time, Scale::Log, 16e3, 741e3)), ["30 µs", "100 µs", "300 µs"]);
        assert_eq!(
            labels(&Axis::new("", AxisQuantity::Time, Scale::Log, 62e3, 155e3)),
            ["80 µs", "100 µs", "120 µs", "140 µs"]
        );
        assert_eq!(labels(&Axis::new("", AxisQuantity::Sleeps, Scale::Log, 0.5, 3.0)), ["1", "2", "3"]);
        // Three digits would make them alike.
        assert_eq!(
            labels(&Axis::new("", AxisQuantity::Time, Scale::Linear, 50_000_000.0, 50_006_000.0)),
            ["50 ms", "50.001 ms", "50.002 ms", "50.003 ms", "50.004 ms", "50.005 ms", "50.006 ms"]
        );
    }

    /// Wherever an axis begins and however far it reaches.
    #[test]
    fn every_axis_has_three_labels_and_no_wide_part_without_one() {
        let starts = || (0..15_i32).map(|step| 200.0 * libm::exp10(f64::from(step) * 0.41));
        let lengths = || (1..40_i32).map(|step| libm::exp10(f64::from(step) * 0.15));
        for (from, length) in starts().flat_map(|from| lengths().map(move |length| (from, length))) {
            for (scale, low, high) in [
                (Scale::Log, from, from * length),
                (Scale::Early, -from * length, -from),
                (Scale::TwoSided, -from, from * length),
                (Scale::Linear, from, from * length),
                (Scale::Linear, -from, from * length),
            ] {
                let marks = Axis::new("", AxisQuantity::Time, scale, low, high).marks();
                let labels: Vec<&String> = marks.iter().filter_map(|mark| mark.label.as_ref()).collect();
                let several = labels.len() >= 3 && labels.windows(2).all(|two| two[0] != two[1]);
                assert!(several && widest_gap(&marks) <= WIDEST, "{scale:?} from {low} to {high}: {labels:?}");
            }
        }
    }

    #[test]
    fn what_lies_half_way_on_the_axis_lies_half_way() {
        for (scale, from, to) in [
            (Scale::Linear, -5.0, 15.0),
            (Scale::Log, 1e3, 1e9),
            (Scale::TwoSided, -5e5, 1e6),
            (Scale::TwoSided, -1e6, 100.0),
            (Scale::Early, -1e9, -1e3),
        ] {
            let axis = Axis::new("", AxisQuantity::Time, scale, from, to);
            let middle = axis.between(from, to, 0.5);
            assert!((axis.at(middle) - 0.5).abs() < 1e-9, "{scale:?}: {middle}");
        }
    }
}
