//! The shifts of a comparison as a picture: a row for each quantile of each pair of cells, with its interval and zero.

use super::axis::{Axis, AxisQuantity, Scale};
use super::rows::{MOST, PlotRow, RowShape, Rows};
use super::svg;
use crate::compare;
use oversleep_recording::document::{Compared, ErrorSource, QuantileShift};

/// Returns the picture as SVG; the error says why there is none.
pub fn shifts_svg(compared: &Compared) -> Result<String, String> {
    let all = compare::named_shifts(compared);
    let known = |shift: &QuantileShift| shift.error != ErrorSource::Buckets;
    let shown: Vec<_> = all.iter().filter(|(_, shift)| known(shift)).collect();
    let ends = shown.iter().flat_map(|(_, shift)| [shift.low_ns, shift.high_ns, 0.0]);
    let Some((low, high)) = ends.fold(None, |ends: Option<(f64, f64)>, at| {
        Some(ends.map_or((at, at), |(low, high)| (low.min(at), high.max(at))))
    }) else {
        return Err("no quantile of these recordings has a shift with an interval".to_owned());
    };
    let margin = ((high - low) * 0.05).max(1.0);
    let axis = Axis::new("how much later B is", AxisQuantity::Time, Scale::Linear, low - margin, high + margin);
    let place = |ns: f64| axis.at(ns).clamp(0.0, 1.0);
    let row = |(name, shift): &&(String, QuantileShift)| PlotRow {
        name: name.clone(),
        figure: compare::size(shift),
        shape: RowShape::Interval {
            zero: place(0.0),
            low: place(shift.low_ns),
            size: place(shift.size_ns),
            high: place(shift.high_ns),
        },
    };
    let lines = shown.iter().take(MOST).map(row).collect();
    let title = compare::sentence(compared);
    let more = shown.len().saturating_sub(MOST);
    Ok(svg::rows(&Rows { title, axis, lines, more, note: compare::why_undecided(compared) }, ""))
}
