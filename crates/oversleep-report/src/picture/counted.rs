//! Plot of another program's counts, in its own buckets.

use super::axis::{Axis, AxisQuantity, Scale};
use super::figure::{Figure, Layer, Shape, Stroke};
use super::plots::{lateness, span};
use super::series::COLOURS;
use oversleep_recording::document::{PageCounts, PageRecording};
use std::collections::BTreeMap;

/// Height at which a bucket begins and ends.
const NONE: f64 = 0.5;

/// Numbers of values, by the bounds of their bucket in ns; the upper one is the first value above it.
type Buckets = BTreeMap<(i64, i64), u64>;

/// Returns a plot of the number of values in each bucket; `None` if no file has buckets.
pub(super) fn distribution(recording: &PageRecording) -> Option<Figure> {
    let counts: Vec<&PageCounts> = recording.counts.iter().filter(|counts| !counts.buckets_ns.is_empty()).collect();
    let series: Vec<(Option<String>, Buckets)> = match counts.as_slice() {
        [] => return None,
        several if (2..=COLOURS).contains(&several.len()) => {
            several.iter().map(|one| (Some(one.label.clone()), merged(&[*one]))).collect()
        }
        all => vec![(None, merged(all))],
    };
    let bounds = |end: fn(&(i64, i64)) -> i64| {
        span(series.iter().flat_map(|(_, buckets)| buckets.keys()).map(|ends| end(ends) as f64))
    };
    let (low, _) = bounds(|ends| ends.0)?;
    let (least_end, high) = bounds(|ends| ends.1)?;
    // A logarithmic axis has no zero: a bucket from zero begins where a tenth of the shortest one ends.
    let low = if low == 0.0 { least_end / 10.0 } else { low };
    let most = series.iter().flat_map(|(_, buckets)| buckets.values()).max().copied().unwrap_or(0) as f64;
    let layer = |(colour, (name, buckets)): (usize, (Option<String>, Buckets))| Layer {
        name,
        colour,
        shape: Shape::Line(outline(&buckets, low), Stroke::Whole),
    };
    let first = counts.first()?.quantity;
    let title = if counts.iter().all(|one| one.quantity == first) { first.name() } else { "time" };
    let y = Axis::new("values", AxisQuantity::Sleeps, Scale::Log, NONE, most.max(2.0) * 1.5);
    let layers = series.into_iter().enumerate().map(layer).collect();
    Some(Figure { title: recording.headline.clone(), x: lateness(title, low, high), y, layers })
}

fn merged(counts: &[&PageCounts]) -> Buckets {
    let mut buckets = Buckets::new();
    for (low, high, count) in counts.iter().flat_map(|one| &one.buckets_ns) {
        *buckets.entry((low.get(), high.get().saturating_add(1))).or_default() += count;
    }
    buckets
}

/// Returns the outline of buckets, from `least` on: it rises at the beginning of each, and falls at its end unless the
/// next one begins there.
fn outline(buckets: &Buckets, least: f64) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    let mut end_before = None;
    for ((low, high), count) in buckets {
        let (from, to) = ((*low as f64).max(if *low == 0 { least } else { f64::MIN }), *high as f64);
        if end_before != Some(*low) {
            out.extend(out.last().map(|(end, _)| (*end, NONE)));
            out.push((from, NONE));
        }
        out.extend([(from, *count as f64), (to, *count as f64)]);
        end_before = Some(*high);
    }
    out.extend(out.last().map(|(end, _)| (*end, NONE)));
    out
}
