//! O'Neill's scatter charts.

use super::Charts;
use crate::runs::Experiment;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::document::{Chart, ChartAxis, ChartMark, ChartSeries};
use oversleep_recording::plan::build::LOAD_REQUESTS_MS;
use oversleep_sim::ParameterError;
use oversleep_sys::units::Nanos;

/// Returns fifty sleeps of each request beside busy threads, shifted by the factor `side` so that series do not
/// overlap.
fn slept(busy: u16, side: f64) -> Result<ChartSeries, ParameterError> {
    let mut points = Vec::new();
    for ms in LOAD_REQUESTS_MS {
        let run = Experiment::sleeps("windows-98", &[], MethodId::Sleep, Nanos::from_millis(ms), 51)
            .with_busy_threads(busy)
            .seeded(1 + ms.unsigned_abs() * 10 + u64::from(busy));
        // A logarithmic axis has no zero: `Sleep(0)` is drawn at half a millisecond.
        let x = if ms == 0 { 0.5e6 } else { ms as f64 * 1e6 } * side;
        points.extend(run.late()?.0.into_iter().skip(1).map(|late| (x, ms as f64 * 1e6 + late)));
    }
    let threads = if busy == 1 { "thread" } else { "threads" };
    Ok(ChartSeries { name: format!("{busy} busy {threads}"), mark: ChartMark::Dots, points })
}

pub(crate) fn timertest() -> Charts {
    let chart = |title: &str, shift: &str, from: f64, busy: &[(u16, f64)]| -> Result<Chart, ParameterError> {
        let mut series = busy.iter().map(|(busy, side)| slept(*busy, *side)).collect::<Result<Vec<_>, _>>()?;
        // From the first value that is on both axes.
        let least = from.max(0.9e6);
        let guide = vec![(least, least), (2e9, 2e9)];
        series.push(ChartSeries { name: "exactly what was asked".into(), mark: ChartMark::Guide, points: guide });
        Ok(Chart {
            title: title.to_owned(),
            x: ChartAxis::log_times(
                &format!("asked; Sleep(0) at 0.5 ms; the series of one request are drawn {shift} beside it"),
                0.3e6,
                2e9,
            ),
            y: ChartAxis::log_times("slept", from, 2e9),
            series,
        })
    };
    Ok(vec![
        chart(
            "Windows 98: slept against asked, alone and beside one busy thread",
            "4 %",
            5e3,
            &[(0, 0.96), (1, 1.04)],
        )?,
        chart("The same beside two to five", "4 and 12 %", 5e6, &[(2, 0.88), (3, 0.96), (4, 1.04), (5, 1.12)])?,
    ])
}
