//! Plots between two axes.

use super::Subject;
use super::axis::{Axis, AxisQuantity, Scale};
use super::counted;
use super::figure::{Figure, Layer, Shape};
use super::series::{COLOURS, of_cells, outlined, stroke};
use oversleep_recording::document::{Bins, CellFigures, DriftLine, PageRecording, PageSeries};
use oversleep_recording::{Flags, Sample};
use std::collections::{BTreeMap, BTreeSet};

/// Number of points below which each has its series' marker; more are a cloud.
const FEW: usize = 3_000;

/// Returns clouds of samples, one layer per series; few samples have a marker for each series.
fn clouds(data: &Subject<'_>, point: impl Fn(&Sample, i64) -> (f64, f64)) -> Vec<Layer> {
    let series = &data.recording.series;
    let series_of = of_cells(series, data.recording.cells.len());
    let mut values: Vec<Vec<(f64, f64)>> = vec![Vec::new(); series.len()];
    for sample in data.samples.iter().filter(|sample| !sample.flags.has(Flags::FAILED)) {
        let cell = sample.cell as usize;
        let (Some(Some(place)), Some(origin)) = (series_of.get(cell), data.origins.get(cell)) else { continue };
        values[*place].push(point(sample, *origin));
    }
    let few = values.len() > 1 && values.iter().map(Vec::len).sum::<usize>() < FEW;
    let shape = |values| if few { Shape::Dots(values) } else { Shape::Cloud(values) };
    let layers = series.iter().zip(values);
    layers.map(|(it, values)| Layer { name: it.name.clone(), colour: it.colour, shape: shape(values) }).collect()
}

/// Returns the smallest and the largest number.
pub(super) fn span(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |span, number| match span {
        None => Some((number, number)),
        Some((low, high)) => Some((low.min(number), high.max(number))),
    })
}

fn all(layers: &[Layer]) -> impl Iterator<Item = (f64, f64)> + '_ {
    layers.iter().flat_map(|layer| layer.values().iter().copied())
}

/// Returns an axis of oversleeps, with some room at its ends.
pub(super) fn lateness(title: &str, low: f64, high: f64) -> Axis {
    if high < 0.0 {
        return Axis::new(title, AxisQuantity::Time, Scale::Early, low * 1.3, high * 0.8);
    }
    if low < 0.0 {
        return Axis::new(title, AxisQuantity::Time, Scale::TwoSided, low * 1.2, high.max(1e3) * 1.3);
    }
    Axis::new(title, AxisQuantity::Time, Scale::Log, low.max(1.0) * 0.8, high.max(10.0) * 1.3)
}

/// Returns the axis of oversleeps against time: linear where each series' values are spread evenly, so that a straight rise is
/// straight, and logarithmic where a few values lie far from the others.
fn over_time(title: &str, layers: &[Layer]) -> Option<Axis> {
    let (low, high) = span(all(layers).map(|(_, y)| y))?;
    if !layers.iter().filter(|layer| !layer.values().is_empty()).all(|layer| is_even(layer, low, high)) {
        return Some(lateness(title, low, high));
    }
    let room = (high - low) * 0.08;
    // Zero is on the axis if that costs no more than half of it.
    let from = if low >= 0.0 && low < high / 2.0 { 0.0 } else { low - room };
    let to = if high <= 0.0 && high > low / 2.0 { 0.0 } else { high + room };
    Some(Axis::new(title, AxisQuantity::Time, Scale::Linear, from, to))
}

/// Returns whether a layer's values are spread evenly between the smallest and the largest of all layers: its middle half takes
/// at least a tenth of that, and not even a quarter of them is two decades below the largest.
fn is_even(layer: &Layer, low: f64, high: f64) -> bool {
    let mut values: Vec<f64> = layer.values().iter().map(|(_, y)| *y).collect();
    values.sort_by(f64::total_cmp);
    let [quarter, three_quarters] = [values[values.len() / 4], values[values.len() * 3 / 4]];
    three_quarters - quarter >= (high - low) / 10.0 && high > low && (low < 0.0 || quarter * 100.0 >= high)
}

/// Returns the name of the drawn quantity: lengths of stalls, or oversleeps.
pub(super) const fn quantity(recording: &PageRecording) -> &'static str {
    if recording.measured.stalls.is_some() { "length of stall" } else { "oversleep" }
}

/// Returns a plot of oversleep against time.
pub(super) fn time(data: &Subject<'_>) -> Option<Figure> {
    let layers = clouds(data, |sample, origin| {
        let since = sample.start.get().saturating_sub(origin);
        (since as f64 / 1e9, sample.oversleep().as_f64())
    });
    let (_, last) = span(all(&layers).map(|(x, _)| x))?;
    let x = Axis::new("time since the beginning", AxisQuantity::Seconds, Scale::Linear, 0.0, last.max(1e-6) * 1.01);
    Some(Figure { title: data.recording.headline.clone(), x, y: over_time(quantity(data.recording), &layers)?, layers })
}

/// Returns a plot of time slept against time requested, with a line for sleeps without lateness.
pub(super) fn request(data: &Subject<'_>) -> Option<Figure> {
    let mut layers = clouds(data, |sample, _| {
        let asked = sample.requested.as_f64();
        (asked, asked + sample.oversleep().as_f64())
    });
    let (low, high) = span(all(&layers).map(|(x, _)| x).filter(|asked| *asked > 0.0))?;
    if high < low * 1.01 {
        return None;
    }
    let (_, most) = span(all(&layers).map(|(_, y)| y))?;
    let ends = [low * 0.8, high * 1.25].map(|asked| (asked, asked));
    layers.push(Layer { name: Some("exactly what was asked".into()), colour: 0, shape: Shape::Guide(ends.to_vec()) });
    let axis = |title, to| Axis::new(title, AxisQuantity::Time, Scale::Log, low * 0.8, to);
    let (x, y) = (axis("asked", high * 1.25), axis("slept", most.max(high) * 1.4));
    Some(Figure { title: data.recording.headline.clone(), x, y, layers })
}

/// Returns a plot of oversleep, its 99th percentile if every cell has one and else its median, against processor time a sleep: a
/// point for each cell, and for each request a line through those that nothing surpasses in both.
pub(super) fn cost(data: &Subject<'_>) -> Option<Figure> {
    let PageRecording { cells, series, measured, .. } = data.recording;
    let slept = || measured.cells.iter().filter(|cell| cell.raw.n > 0 && cell.cost.is_some());
    let all_p99 = slept().all(|cell| cell.raw.p99.is_some());
    let point = |cell: &CellFigures| {
        let late = if all_p99 { cell.raw.p99 } else { cell.raw.p50 };
        Some((cell.cost?.processor_ns, late?.as_f64()))
    };
    let points = |cells: &[usize]| cells.iter().filter_map(|cell| point(&measured.cells[*cell])).collect();
    let dots =
        |one: &PageSeries| Layer { name: one.name.clone(), colour: one.colour, shape: Shape::Dots(points(&one.cells)) };
    let mut layers: Vec<Layer> = series.iter().map(dots).collect();
    let (cheapest, dearest) = span(all(&layers).map(|(cost, _)| cost))?;
    let (low, high) = span(all(&layers).map(|(_, late)| late))?;
    let requests: BTreeSet<_> = slept().map(|cell| cell.requested_ns).collect();
    let several = requests.len() > 1;
    for asked in requests.into_iter().take(COLOURS) {
        let same_request = (0..cells.len()).filter(|cell| measured.cells[*cell].requested_ns == asked);
        let best = undominated(same_request.filter_map(|cell| Some((cell, point(&measured.cells[cell])?))).collect());
        let names: Vec<&str> = best.iter().map(|(cell, _)| measured.cells[*cell].method.as_str()).take(NAMED).collect();
        let ellipsis = if best.len() > NAMED { ", …" } else { "" };
        let of_request = asked.filter(|_| several).map_or_else(String::new, |asked| format!(" of {asked}"));
        if best.len() > 1 {
            layers.push(Layer {
                name: Some(format!("least late for its cost{of_request}: {}{ellipsis}", names.join(", "))),
                colour: 0,
                shape: Shape::Guide(best.iter().map(|(_, point)| *point).collect()),
            });
        }
    }
    let title = if all_p99 { "oversleep, 99th percentile" } else { "oversleep, median" };
    let x = Axis::new("processor time a sleep", AxisQuantity::Time, Scale::Log, cheapest * 0.7, dearest * 1.4);
    Some(Figure { title: data.recording.headline.clone(), x, y: lateness(title, low, high), layers })
}

/// Returns the cells than which no other is both cheaper and earlier, the cheapest first.
fn undominated(mut cells: Vec<(usize, (f64, f64))>) -> Vec<(usize, (f64, f64))> {
    cells.sort_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut earliest = f64::INFINITY;
    cells.retain(|(_, (_, late))| {
        let surpassed = *late >= earliest;
        earliest = earliest.min(*late);
        !surpassed
    });
    cells
}

/// Cells that the line of the best ones names.
const NAMED: usize = 3;

/// Returns a plot of the number of sleeps by oversleep, in the bins of the page; of counts, in their own buckets.
pub(super) fn distribution(data: &Subject<'_>) -> Option<Figure> {
    if !data.recording.counts.is_empty() {
        return counted::distribution(data.recording);
    }
    let PageRecording { cells, series, .. } = data.recording;
    let layer = |series: &PageSeries| {
        let mut bins: BTreeMap<i32, u64> = BTreeMap::new();
        for (bin, count) in series.cells.iter().flat_map(|cell| &cells[*cell].histogram) {
            *bins.entry(*bin).or_default() += count;
        }
        let shape = outlined(series, outline(&bins));
        Layer { name: series.name.clone(), colour: series.colour, shape }
    };
    let layers: Vec<Layer> = series.iter().map(layer).collect();
    let (low, high) = span(all(&layers).map(|(x, _)| x))?;
    let (_, most) = span(all(&layers).map(|(_, y)| y))?;
    let title = quantity(data.recording);
    let y = Axis::new("sleeps", AxisQuantity::Sleeps, Scale::Log, 0.5, most.max(2.0) * 1.5);
    Some(Figure { title: data.recording.headline.clone(), x: lateness(title, low, high), y, layers })
}

/// Returns the outline of bins: it rises at the beginning of each bin, and falls at its end if the next one is empty.
fn outline(bins: &BTreeMap<i32, u64>) -> Vec<(f64, f64)> {
    const NONE: f64 = 0.5;
    let edge = |bin: i32| libm::exp10(f64::from(bin) / f64::from(Bins::PER_DECADE));
    let bounds = |bin: i32| match bin {
        0 => (0.0, 1.0),
        1.. => (edge(bin - 1), edge(bin)),
        _ => (-edge(-bin), -edge(-bin - 1)),
    };
    let mut out = Vec::new();
    let mut last: Option<i32> = None;
    for (bin, count) in bins {
        let (from, to) = bounds(*bin);
        if last.is_none_or(|last| last + 1 != *bin) {
            out.extend(last.map(|last| (bounds(last).1, NONE)));
            out.push((from, NONE));
        }
        out.extend([(from, *count as f64), (to, *count as f64)]);
        last = Some(*bin);
    }
    out.extend(last.map(|last| (bounds(last).1, NONE)));
    out
}

/// Largest number of clocks whose drift is drawn: the page shows as many.
const CLOCKS: usize = 8;

/// Returns a plot of how far clocks ran ahead of the monotonic one; of many, of those that went furthest from it.
pub(super) fn drift(data: &Subject<'_>) -> Option<Figure> {
    let mut lines: Vec<&DriftLine> = data.recording.drift.iter().collect();
    let reach = |line: &DriftLine| line.points.iter().map(|(_, ahead)| ahead.get().unsigned_abs()).max();
    lines.sort_by_cached_key(|line| std::cmp::Reverse(reach(line)));
    let count = lines.len();
    lines.truncate(CLOCKS);
    let layer = |(colour, line): (usize, &&DriftLine)| {
        let points = line.points.iter().map(|(at, ahead)| (at.as_secs_f64(), ahead.as_f64())).collect();
        Layer { name: Some(line.clock.clone()), colour, shape: Shape::Line(points, stroke(colour)) }
    };
    let layers: Vec<Layer> = lines.iter().enumerate().map(layer).collect();
    let mut title = data.recording.headline.clone();
    if count > CLOCKS {
        title += &format!("\nShown: the {CLOCKS} of {count} clocks that went furthest from the monotonic one.");
    }
    let (_, last) = span(all(&layers).map(|(x, _)| x))?;
    let (low, high) = span(all(&layers).map(|(_, y)| y))?;
    let room = ((high - low) * 0.08).max(10.0);
    let x = Axis::new("time since the first reading", AxisQuantity::Seconds, Scale::Linear, 0.0, last.max(1e-6));
    let y = Axis::new("ahead of the monotonic clock", AxisQuantity::Time, Scale::Linear, low - room, high + room);
    Some(Figure { title, x, y, layers })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the axis of these oversleeps, a layer each, is linear: half way is the mean of its ends.
    fn is_linear(layers: &[&[f64]]) -> bool {
        let layer = |values: &&[f64]| Layer {
            name: None,
            colour: 0,
            shape: Shape::Cloud(values.iter().map(|late| (0.0, *late)).collect()),
        };
        let axis = over_time("", &layers.iter().map(layer).collect::<Vec<_>>()).expect("an axis");
        let (low, high) = (1e3, 1e6);
        (axis.between(low, high, 0.5) - f64::midpoint(low, high)).abs() < 1.0
    }

    #[test]
    fn what_is_spread_evenly_over_time_has_a_linear_axis() {
        let rising = |from: f64, step: f64| (0..1000).map(|n| from + step * f64::from(n)).collect::<Vec<_>>();
        let sawtooth = rising(10e6, 10e3);
        assert!(is_linear(&[&sawtooth]));
        // Though its shortest is four decades below its longest.
        assert!(is_linear(&[&rising(1e3, 10e3)]));
        assert!(is_linear(&[&rising(-5e6, 10e3)]) && is_linear(&[&rising(-9e6, 5e3)]));
        let tail: Vec<f64> = (0..1000).map(|n| if n % 100 == 0 { 800e3 } else { 70e3 + 20.0 * f64::from(n) }).collect();
        assert!(!is_linear(&[&tail]));
        let two_modes: Vec<f64> = (0..1000).map(|n| if n % 2 == 0 { 1e3 } else { 1e6 }).collect();
        assert!(!is_linear(&[&two_modes]));
        // Together two narrow series look spread.
        assert!(!is_linear(&[&rising(70e3, 1.0), &rising(1e6, 1.0)]));
        assert!(!is_linear(&[&[5e4; 100]]) && !is_linear(&[&[5e4]]));
    }

    #[test]
    fn only_what_nothing_surpasses_is_on_the_line() {
        let cells = vec![(0, (500.0, 1.0)), (1, (20.0, 30.0)), (2, (21.0, 80.0)), (3, (19.0, 80.0)), (4, (600.0, 1.0))];
        let best: Vec<usize> = undominated(cells).into_iter().map(|(cell, _)| cell).collect();
        assert_eq!(best, [3, 1, 0]);
    }
}
