//! Charts of Rizzo's error against HZ and duration with each fix, and of usleep and select.

use super::Charts;
use crate::Fix;
use crate::fixes::{Fixes, ODD_SECOND};
use crate::runs::{Changes, Experiment};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::document::{Chart, ChartAxis, ChartMark, ChartSeries};
use oversleep_sim::ParameterError;
use oversleep_sys::units::Nanos;

/// Returns the largest error of forty sleeps: the mean on a fixed kernel can be below zero, which a logarithmic axis
/// cannot show.
fn error(preset: &str, set: Changes<'_>, method: MethodId, asked: Nanos) -> Result<f64, ParameterError> {
    Ok(Experiment::sleeps(preset, set, method, asked, 40).scattered().late()?.greatest())
}

/// Returns durations from 123 µs to 10 s, in ns.
fn durations() -> impl Iterator<Item = f64> {
    (0..=48).map(|step| 123e3 * 81_300_f64.powf(f64::from(step) / 48.0))
}

fn against_duration(
    name: &str,
    mark: ChartMark,
    set: Changes<'_>,
    method: MethodId,
) -> Result<ChartSeries, ParameterError> {
    let point = |asked: f64| Ok((asked, error("freebsd-8-hz5000", set, method, Nanos::from_f64(asked))?));
    let points = durations().map(point).collect::<Result<_, ParameterError>>()?;
    Ok(ChartSeries { name: name.to_owned(), mark, points })
}

fn against_hz(name: &str, mark: ChartMark, set: Changes<'_>) -> Result<ChartSeries, ParameterError> {
    let rates = (500_u32..=40_000).filter(|hz| 1_000_000 % hz == 0);
    let point = |hz: u32| {
        let text = hz.to_string();
        let set = [set, &[("hz", &*text)]].concat();
        Ok((f64::from(hz), error("freebsd-8-hz1000", &set, MethodId::Usleep, ODD_SECOND)?))
    };
    let points = rates.map(point).collect::<Result<_, ParameterError>>()?;
    Ok(ChartSeries { name: name.to_owned(), mark, points })
}

/// Factors by which the series are drawn beside their rate or duration: those of fixes 2 and 3 alone coincide with those of no
/// fix.
const BESIDE: [f64; 5] = [1.0, 0.96, 1.04, 0.92, 1.08];

/// Returns a series with its points drawn beside their places.
fn beside(mut series: ChartSeries, factor: f64) -> ChartSeries {
    series.points.iter_mut().for_each(|(x, _)| *x *= factor);
    series
}

/// Returns charts without a fix, with each fix alone and with all, or with the picked ones.
pub(crate) fn errors(picked: &[Fix]) -> Charts {
    let shown = Fixes::shown(picked);
    let several = |fixes: &&Fixes| !picked.is_empty() || fixes.count() != 2;
    let drawn: Vec<(&Fixes, f64)> = shown.iter().filter(several).zip(BESIDE).collect();
    let (mut by_hz, mut by_duration) = (Vec::new(), Vec::new());
    for (fixes, factor) in &drawn {
        let (set, name) = (fixes.changes(), fixes.name());
        by_hz.push(beside(against_hz(&name, ChartMark::Dots, &set)?, *factor));
        let series = against_duration(&name, ChartMark::Dots, &set, MethodId::Usleep)?;
        by_duration.push(beside(series, *factor));
    }
    let shift = match drawn.len() {
        0 | 1 => "",
        2 | 3 => "; the fixes are drawn 4 % beside it",
        _ => "; the fixes are drawn 4 or 8 % beside it",
    };
    Ok(vec![
        Chart {
            title: "FreeBSD 8: largest error of usleep of 1.234567 s against HZ, by fix".into(),
            x: ChartAxis::log_numbers(&format!("HZ, of the divisors of 1 000 000{shift}"), 450.0, 45_000.0),
            y: ChartAxis::log_times("largest error", 10e3, 100e6),
            series: by_hz,
        },
        Chart {
            title: "FreeBSD 8 at 5000 Hz: largest error of usleep against the duration, by fix".into(),
            x: ChartAxis::log_times(&format!("asked{shift}"), 100e3, 12e9),
            y: ChartAxis::log_times("largest error", 10e3, 100e6),
            series: by_duration,
        },
    ])
}

/// Returns the chart of usleep and select, with and without the drift.
pub(crate) fn select() -> Charts {
    const NO_DRIFT: Changes<'_> = &[("cal_stalls_per_s", "0")];
    Ok(vec![Chart {
        title: "FreeBSD 8 at 5000 Hz: usleep compares cached times and sleeps on, select does not".into(),
        x: ChartAxis::log_times("asked", 100e3, 10e9),
        y: ChartAxis::log_times("largest error", 10e3, 100e6),
        series: vec![
            against_duration("usleep", ChartMark::Line, &[], MethodId::Usleep)?,
            against_duration("select", ChartMark::Dashed, &[], MethodId::Select)?,
            against_duration("usleep, calibration fixed", ChartMark::Dotted, NO_DRIFT, MethodId::Usleep)?,
            against_duration("select, calibration fixed", ChartMark::DashDotted, NO_DRIFT, MethodId::Select)?,
        ],
    }])
}
