//! O'Neill's scatter charts.

use super::data::{beside, kernel, late};
use super::draw::{Axis, Mark, Panel, Series};
use oversleep_recording::plan::build::ONEILL_REQUESTS_MS;
use oversleep_sim::{Kernel, ParameterError};
use oversleep_sys::units::Nanos;
use plotters::prelude::SeriesLabelPosition;

/// Fifty sleeps of each request beside `threads` busy threads, a little to the side so that they stay apart.
fn slept(kernel: &Kernel, threads: u16, side: f64) -> Series {
    let of_request = |ms: i64| {
        let late = late(kernel, &beside(threads, Nanos::from_millis(ms), 51), u64::from(threads) + 1);
        // Zero has no place on a logarithmic axis: at 0.5.
        let x = if ms == 0 { 0.5 } else { ms as f64 } * side;
        late.into_iter().skip(1).map(move |late| (x, ms as f64 + late / 1e6)).collect::<Vec<_>>()
    };
    let points = ONEILL_REQUESTS_MS.into_iter().flat_map(of_request).collect();
    Series { name: format!("{threads} busy threads"), mark: Mark::Dots, points }
}

pub(super) fn scatter() -> Result<Vec<Panel>, ParameterError> {
    let kernel = kernel("windows-98", &[])?;
    let panel = |title, from, series| Panel {
        title,
        x: Axis::log("asked, ms (Sleep(0) at 0.5)", 0.3, 2_000.0),
        y: Axis::log("slept, ms", from, 2_000.0),
        legend: SeriesLabelPosition::UpperLeft,
        series,
    };
    let several = [(2, 0.92), (3, 1.0), (5, 1.08)];
    Ok(vec![
        panel("Windows 98: slept against asked, no other thread", 0.005, vec![slept(&kernel, 0, 1.0)]),
        panel(
            "The same beside busy threads",
            5.0,
            several.iter().map(|&(threads, side)| slept(&kernel, threads, side)).collect(),
        ),
    ])
}
