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
        let place = self.place(from) + (self.place(to) - self.place(from)) * share;
        match self.scale {
            Scale::Linear => place,
            Scale::Log => libm::exp10(place),
            Scale::Early => -libm::exp10(-place),
            Scale::TwoSided => (1e3 * (libm::exp10(place.abs()) - 1.0)).copysign(place),
        }
    }

    /// Returns the marks within the axis, in the order of their positions.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let span = self.to - self.from;
        let first = match span {
            ..0.8 => 2,
            0.8..3.0 => 3,
            _ => 4,
        };
        let candidates = match self.scale {
            Scale::Linear => self.even(),
            Scale::Log => powers(0, false),
            Scale::Early => powers(0, false).into_iter().map(|(value, digit)| (-value, digit)).collect(),
            // Near zero the axis is nearly linear, and marks are close together.
            Scale::TwoSided => powers(first, true),
        };
        // Of a logarithmic axis, more marks are labelled the fewer decades it has.
        let logarithmic = self.scale != Scale::Linear;
        let wanted = |digit: u8| match digit {
            1 => true,
            2 | 5 => logarithmic && span < 1.5,
            _ => logarithmic && span < 0.5 && self.scale != Scale::TwoSided,
        };
        let mark =
            |(value, major): (f64, u8)| Mark { at: self.at(value), label: wanted(major).then(|| self.label(value)) };
        let mut marks: Vec<Mark> = candidates.into_iter().map(mark).collect();
        marks.retain(|mark| (-1e-9..=1.0 + 1e-9).contains(&mark.at));
        marks.sort_by(|a, b| a.at.total_cmp(&b.at));
        marks
    }

    fn even(&self) -> Vec<(f64, u8)> {
        let raw = (self.to - self.from) / 7.0;
        let power = libm::exp10(libm::log10(raw).floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= raw).unwrap_or(raw);
        let first = (self.from / step - 1e-9).ceil();
        (0..40)
            .map(|index| (first + f64::from(index)) * step)
            .take_while(|v| *v <= self.to + step * 1e-9)
            .map(|v| (v, 1))
            .collect()
    }

    fn label(&self, value: f64) -> String {
        let text = match self.counts {
            AxisQuantity::Seconds => format!("{} s", (value * 1e6).round() / 1e6),
            AxisQuantity::Sleeps => format!("{value:.0}"),
            AxisQuantity::Numbers => format!("{}", (value * 1e6).round() / 1e6),
            // In whatever unit.
            AxisQuantity::Time if Nanos::from_f64(value) == Nanos::ZERO => "0".to_owned(),
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
        assert_eq!(labels(&Axis::new("", AxisQuantity::Time, Scale::Early, -2e6, -5e4)), ["−1 ms", "−100 µs"]);
        assert_eq!(
            labels(&Axis::new("", AxisQuantity::Time, Scale::TwoSided, -4e2, 4e2)),
            ["−200 ns", "−100 ns", "0", "100 ns", "200 ns"]
        );
        let close = Axis::new("", AxisQuantity::Time, Scale::Early, -5.5e6, -3.2e6);
        assert_eq!(labels(&close), ["−5 ms", "−4 ms"]);
        let even = Axis::new("time", AxisQuantity::Seconds, Scale::Linear, 0.0, 15.0);
        assert!(even.marks().len() >= 4);
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
