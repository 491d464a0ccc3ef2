//! Rizzo's error against HZ and duration, with each fix alone and together.

use super::data::{kernel, late, scattered};
use super::draw::{Axis, Mark, Panel, Series};
use oversleep_sim::{Kernel, ParameterError};
use oversleep_sys::units::Nanos;
use plotters::prelude::SeriesLabelPosition;
use rayon::prelude::*;

type Changes = &'static [(&'static str, &'static str)];

/// His fixes with the width of their lines, as changes to the kernel of 2009.
const FIXES: [(&str, u32, Changes); 5] = [
    ("no fix", 8, &[]),
    ("1: timer rate", 4, &[("cal_stalls_per_s", "0")]),
    ("2: cached time", 5, &[("tc_tick", "1")]),
    ("3: extra tick", 2, &[("round", "ceil")]),
    ("all three", 2, &[("cal_stalls_per_s", "0"), ("tc_tick", "1"), ("round", "ceil")]),
];

/// A second that is no multiple of anything: at whole milliseconds equal cached times decide by a hair.
const ODD_SECOND: i64 = 1_234_567;

/// The largest error of sixty sleeps in microseconds: the mean of the fixed kernel can be below zero, where a
/// logarithmic axis has no place.
fn error_us(kernel: &Kernel, request: Nanos) -> f64 {
    late(kernel, &scattered("usleep", request, 60), 1).into_iter().fold(f64::MIN, f64::max) / 1e3
}

pub(super) fn errors() -> Result<Vec<Panel>, ParameterError> {
    let rates: Vec<u32> = (500..=40_000).filter(|hz| 1_000_000 % hz == 0).collect();
    let against_hz = |(name, width, fix): &(&str, u32, Changes)| -> Result<Series, ParameterError> {
        let base = kernel("freebsd-8-hz1000", fix)?;
        let point = |hz: &u32| -> Result<(f64, f64), ParameterError> {
            Ok((f64::from(*hz), error_us(&base.set("hz", &hz.to_string())?, Nanos::from_micros(ODD_SECOND))))
        };
        let points = rates.par_iter().map(point).collect::<Result<_, _>>()?;
        Ok(Series { name: (*name).to_owned(), mark: Mark::Line(*width), points })
    };
    let against_duration = |(name, width, fix): &(&str, u32, Changes)| -> Result<Series, ParameterError> {
        let kernel = kernel("freebsd-8-hz5000", fix)?;
        let requests = (0..=48).map(|i| 123.0 * 81_300_f64.powf(f64::from(i) / 48.0));
        let points = requests.map(|us| (us / 1e6, error_us(&kernel, Nanos::from_f64(us * 1e3)))).collect();
        Ok(Series { name: (*name).to_owned(), mark: Mark::Line(*width), points })
    };
    Ok(vec![
        Panel {
            title: "FreeBSD 8: error of a sleep of 1.234567 s against HZ",
            x: Axis::log("HZ", 500.0, 40_000.0),
            y: Axis::log("largest error, µs", 10.0, 100_000.0),
            legend: SeriesLabelPosition::UpperLeft,
            series: FIXES.iter().map(against_hz).collect::<Result<_, _>>()?,
        },
        Panel {
            title: "FreeBSD 8 at 5000 Hz: error against the duration",
            x: Axis::log("duration, s", 1e-4, 10.0),
            y: Axis::log("largest error, µs", 10.0, 100_000.0),
            legend: SeriesLabelPosition::UpperLeft,
            series: FIXES.iter().map(against_duration).collect::<Result<_, _>>()?,
        },
    ])
}
