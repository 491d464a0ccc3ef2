//! O'Neill's scatter charts.

use super::data::{beside, kernel, late};
use super::draw::{Axis, Mark, Panel, Series};
use oversleep_lab::plan::build::ONEILL_REQUESTS_MS;
use oversleep_lab::source::sim::ParameterError;
use oversleep_os::units::Nanos;

pub(super) fn scatter() -> Result<Vec<Panel>, ParameterError> {
    let kernel = kernel("windows-98", &[])?;
    let panel = |title, threads: u16| {
        let points = ONEILL_REQUESTS_MS
            .iter()
            .flat_map(|&ms| {
                let late = late(&kernel, &beside(threads, Nanos::from_millis(ms), 50), 1);
                // Zero has no place on a logarithmic axis: at 0.5.
                let x = if ms == 0 { 0.5 } else { ms as f64 };
                late.into_iter().map(move |late| (x, ms as f64 + late / 1e6))
            })
            .collect();
        Panel {
            title,
            x: Axis::log("asked, ms (Sleep(0) at 0.5)", 0.3, 2_000.0),
            y: Axis::log("slept, ms", 0.005, 2_000.0),
            series: vec![Series { name: "Sleep".to_owned(), mark: Mark::Dots, points }],
        }
    };
    Ok(vec![
        panel("Windows 98: slept against asked, no other thread", 0),
        panel("The same beside four busy threads", 4),
    ])
}
