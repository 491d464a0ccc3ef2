//! Charts of Herman's article: five systems, tick rates, and a clock whose frequency is changed.

use super::{Charts, by_second, over_time};
use crate::runs::{Changes, Experiment};
use oversleep_recording::document::{Chart, ChartAxis, ChartMark, ChartSeries};
use oversleep_sim::{FrequencyChange, ParameterError};

/// Herman's five systems, with the presets that simulate them.
pub(crate) const SYSTEMS: [(&str, &str); 5] = [
    ("DragonFly 1.0-CURRENT", "dragonfly-1.0"),
    ("FreeBSD 4.9-STABLE", "freebsd-4.9"),
    ("Linux 2.4.21", "linux-2.4"),
    ("Solaris 8", "solaris-8"),
    ("Darwin 7.0.0", "darwin-7"),
];

pub(crate) fn five_systems() -> Charts {
    let marks = [ChartMark::Line, ChartMark::Dashed, ChartMark::Dotted, ChartMark::DashDotted, ChartMark::Line];
    let run = |((name, preset), mark): (&(&str, &str), ChartMark)| {
        over_time(name, mark, &Experiment::wall_second(preset, &[], 900), 1)
    };
    let mut ticking: Vec<ChartSeries> = SYSTEMS.iter().zip(marks).map(run).collect::<Result<_, _>>()?;
    let darwin = ticking.split_off(SYSTEMS.len() - 1);
    let chart = |title: &str, y, series| Chart {
        title: title.to_owned(),
        x: ChartAxis::seconds("time since the beginning", 0.0, 900.0),
        y,
        series,
    };
    Ok(vec![
        chart(
            "Sleeping until the next second, on four systems with a tick of 10 ms",
            ChartAxis::times("oversleep", 8e6, 22e6),
            ticking,
        ),
        // A thousandth as late: on the axis of the others it would be a line at zero.
        chart(
            "The same on Darwin, which sets a timer for each sleep",
            ChartAxis::times("oversleep", 0.0, 50e3),
            darwin,
        ),
    ])
}

/// Returns the rates from `low` to `high` in geometric steps, without repetitions.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between low and high
fn geometric(low: u32, high: u32, steps: u32) -> Vec<u32> {
    let ratio = f64::from(high) / f64::from(low);
    let rate = |i: u32| (f64::from(low) * ratio.powf(f64::from(i) / f64::from(steps))).round() as u32;
    let mut rates: Vec<u32> = (0..=steps).map(rate).collect();
    rates.dedup();
    rates
}

/// Returns the mean oversleep at each rate, over 400 s that begin at a tick.
fn means(name: &str, mark: ChartMark, rates: &[u32]) -> Result<ChartSeries, ParameterError> {
    let point = |hz: &u32| -> Result<(f64, f64), ParameterError> {
        let text = hz.to_string();
        let set: Changes<'_> = &[("hz", &text), ("tick_phase", "0"), ("wall_start_s", "0.3")];
        let late = Experiment::wall_second("dragonfly-1.0-i8254", set, 400).late()?;
        Ok((f64::from(*hz), late.part(1..400).mean()))
    };
    let points = rates.iter().map(point).collect::<Result<_, _>>()?;
    Ok(ChartSeries { name: name.to_owned(), mark, points })
}

pub(crate) fn hz_sweep() -> Charts {
    let divisors = |from: u32, to: u32| (from..=to).filter(|hz| 1_000_000 % hz == 0).collect::<Vec<u32>>();
    let at = |(hz, mark): (&str, ChartMark)| {
        let set = [("hz", hz), ("tick_phase", "0"), ("wall_start_s", "0.3")];
        over_time(&format!("{hz} Hz"), mark, &Experiment::wall_second("dragonfly-1.0-i8254", &set, 300), 1)
    };
    let late = |from, to| ChartAxis::times("oversleep", from, to);
    Ok(vec![
        Chart {
            title: "Mean oversleep against HZ: better to about 1000, and no further".into(),
            x: ChartAxis::log_numbers("HZ", 18.0, 22_000.0),
            y: ChartAxis::log_times("mean oversleep", 50e3, 100e6),
            series: vec![
                means("any HZ", ChartMark::Dots, &geometric(20, 20_000, 600))?,
                means("HZ that divides 1 000 000", ChartMark::Dots, &divisors(20, 20_000))?,
            ],
        },
        Chart {
            title: "The same, close".into(),
            x: ChartAxis::numbers("HZ", 500.0, 3_000.0),
            y: ChartAxis::times("mean oversleep", 0.0, 6e6),
            series: vec![
                means("any HZ", ChartMark::Dots, &(500..=3_000).step_by(3).collect::<Vec<_>>())?,
                means("HZ that divides 1 000 000", ChartMark::Dots, &divisors(500, 3_000))?,
            ],
        },
        Chart {
            title: "Second after second, at some HZ".into(),
            x: ChartAxis::seconds("time since the beginning", 0.0, 300.0),
            y: late(0.0, 5e6),
            series: [
                ("500", ChartMark::Line),
                ("1000", ChartMark::Dashed),
                ("2000", ChartMark::Dotted),
                ("5000", ChartMark::DashDotted),
                ("10000", ChartMark::Line),
            ]
            .map(at)
            .into_iter()
            .collect::<Result<_, _>>()?,
        },
    ])
}

/// Returns the charts of a clock whose frequency changes after 300 of 900 s.
pub(crate) fn ntptime() -> Charts {
    let with = |ppm: f64, mark| -> Result<ChartSeries, ParameterError> {
        let run = Experiment::wall_second("dragonfly-1.0-i8254", &[("lat_exp_us", "0")], 900);
        let late = run.late_with(&[FrequencyChange { at_s: 300.0, ntp_ppm: ppm }])?;
        Ok(by_second(&format!("{ppm} ppm from 300 s on").replace('-', "−"), mark, &late, 1))
    };
    Ok(vec![Chart {
        title: "ntptime -f in mid-run: the clock's frequency sets the slope".into(),
        x: ChartAxis::seconds("time since the beginning", 0.0, 900.0),
        y: ChartAxis::times("oversleep", 0.0, 25e6),
        series: vec![
            with(0.0, ChartMark::Broad)?,
            with(-15.086, ChartMark::Line)?,
            with(-30.0, ChartMark::Dashed)?,
            with(10.0, ChartMark::Dotted)?,
        ],
    }])
}
