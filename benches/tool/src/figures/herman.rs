//! Herman's figures.

use super::data::{herman, kernel, late, mean};
use super::draw::{Axis, Mark, Panel, Series};
use oversleep_sim::{Kernel, ParameterError};
use plotters::prelude::SeriesLabelPosition;
use rayon::prelude::*;

type Panels = Result<Vec<Panel>, ParameterError>;

/// Lateness in `unit` nanoseconds, second after second, from second `from` on.
fn over_time(name: &str, kernel: &Kernel, seconds: u64, from: usize, unit: f64, mark: Mark) -> Series {
    let late = late(kernel, &herman(seconds), 1);
    let points = late.iter().enumerate().skip(from).map(|(i, late)| (i as f64, late / unit)).collect();
    Series { name: name.to_owned(), mark, points }
}

pub(super) fn five_systems() -> Panels {
    let freebsd = [("wall_start_s", "0.306"), ("tc_assumed_hz", "1000003900")];
    let systems = [
        ("DragonFly 1.0-CURRENT", kernel("dragonfly-1.0", &[])?),
        ("FreeBSD 4.9", kernel("freebsd-4.9", &freebsd)?),
        ("Linux 2.4.21", kernel("linux-2.4", &[("tick_phase", "0.3"), ("wall_start_s", "0.3")])?),
        ("Solaris 8", kernel("solaris-8", &[("tick_phase", "0.8"), ("wall_start_s", "0.3")])?),
        ("Darwin 7.0", kernel("darwin-7", &[])?),
    ];
    Ok(vec![Panel {
        title: "Sleeping until the next second, on five systems",
        x: Axis::linear("seconds", 0.0, 900.0),
        y: Axis::linear("late, ms", -1.0, 30.0),
        legend: SeriesLabelPosition::UpperRight,
        series: systems.iter().map(|(name, kernel)| over_time(name, kernel, 900, 1, 1e6, Mark::Line(2))).collect(),
    }])
}

/// Rates from `low` to `high` in `steps` geometric steps, each once.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between low and high
fn geometric(low: u32, high: u32, steps: u32) -> Vec<u32> {
    let ratio = f64::from(high) / f64::from(low);
    let rate = |i: u32| (f64::from(low) * ratio.powf(f64::from(i) / f64::from(steps))).round() as u32;
    let mut rates: Vec<u32> = (0..=steps).map(rate).collect();
    rates.dedup();
    rates
}

pub(super) fn hz_sweep() -> Panels {
    let base = kernel("dragonfly-1.0-i8254", &[("wall_start_s", "0.3")])?;
    let means = |name: &str, rates: Vec<u32>| -> Result<Series, ParameterError> {
        let point = |hz: &u32| -> Result<(f64, f64), ParameterError> {
            Ok((f64::from(*hz), mean(&late(&base.set("hz", &hz.to_string())?, &herman(400), 1)[1..]) / 1e6))
        };
        let points = rates.par_iter().map(point).collect::<Result<_, _>>()?;
        Ok(Series { name: name.to_owned(), mark: Mark::Dots, points })
    };
    let wide = geometric(20, 20_000, 600);
    let divisors = |from: u32, to: u32| (from..=to).filter(|hz| 1_000_000 % hz == 0).collect::<Vec<u32>>();
    let at = |hz: &str| Ok(over_time(&format!("{hz} Hz"), &base.set("hz", hz)?, 300, 1, 1e6, Mark::Line(2)));
    Ok(vec![
        Panel {
            title: "Mean lateness against HZ: better to about 1000, and no further",
            x: Axis::log("HZ", 18.0, 22_000.0),
            y: Axis::log("late, ms", 0.05, 100.0),
            legend: SeriesLabelPosition::LowerLeft,
            series: vec![means("any HZ", wide)?, means("HZ that divides 1 000 000", divisors(20, 20_000))?],
        },
        Panel {
            title: "The same, close",
            x: Axis::linear("HZ", 500.0, 3_000.0),
            y: Axis::linear("late, ms", 0.0, 6.0),
            legend: SeriesLabelPosition::UpperRight,
            series: vec![
                means("any HZ", (500..=3_000).step_by(3).collect())?,
                means("HZ that divides 1 000 000", divisors(500, 3_000))?,
            ],
        },
        Panel {
            title: "Second after second, at some HZ",
            x: Axis::linear("seconds", 0.0, 300.0),
            y: Axis::linear("late, ms", 0.0, 5.0),
            legend: SeriesLabelPosition::UpperRight,
            series: ["500", "1000", "2000", "5000", "10000"]
                .into_iter()
                .map(at)
                .collect::<Result<_, ParameterError>>()?,
        },
    ])
}

pub(super) fn rounding_fix() -> Panels {
    let (before, after) = (kernel("dragonfly-1.0", &[])?, kernel("dragonfly-1.0-tvtohz-fix", &[])?);
    let herman = kernel("dragonfly-1.0-tvtohz-fix-herman", &[])?;
    Ok(vec![
        Panel {
            title: "Before and after the fix of tvtohz: a tick less, the same slope",
            x: Axis::linear("seconds", 0.0, 2_200.0),
            y: Axis::linear("late, ms", -1.0, 25.0),
            legend: SeriesLabelPosition::UpperRight,
            series: vec![
                over_time("as it was", &before, 2_200, 1, 1e6, Mark::Line(2)),
                over_time("as committed", &after, 2_200, 1, 1e6, Mark::Line(2)),
            ],
        },
        Panel {
            title: "Close, after the fall: without the extra tick but with cached time, some come early",
            x: Axis::linear("seconds", 1_074.0, 1_086.0),
            y: Axis::linear("late, µs", -20.0, 100.0),
            legend: SeriesLabelPosition::UpperLeft,
            series: vec![
                over_time("as committed (precise time)", &after, 1_100, 1, 1e3, Mark::Dots),
                over_time("the extra tick taken off, nothing else", &herman, 1_100, 1, 1e3, Mark::Dots),
            ],
        },
    ])
}

pub(super) fn phase_lock() -> Panels {
    let starts = [
        ("0.5045", "from the first half of a tick"),
        ("0.506", "from the second half"),
        ("0.5081", "late in the second half"),
    ];
    let series = starts
        .iter()
        .map(|(start, label)| {
            let changes = [("tick_phase", "0"), ("wall_start_s", *start), ("daemon_ticks", "0")];
            Ok(over_time(label, &kernel("dragonfly-pll", &changes)?, 700, 1, 1e6, Mark::Line(2)))
        })
        .collect::<Result<_, ParameterError>>()?;
    Ok(vec![Panel {
        title: "The phase lock of January 2004 finds its phase",
        x: Axis::linear("seconds", 0.0, 700.0),
        y: Axis::linear("late, ms", -1.0, 12.0),
        legend: SeriesLabelPosition::UpperRight,
        series,
    }])
}

pub(super) fn locked() -> Panels {
    let panel = |title, name, from: u32| -> Result<Panel, ParameterError> {
        let kernel = kernel(name, &[])?;
        Ok(Panel {
            title,
            x: Axis::linear("seconds", f64::from(from), f64::from(from + 900)),
            y: Axis::linear("late, µs", 0.0, 45.0),
            legend: SeriesLabelPosition::UpperRight,
            series: vec![over_time(name, &kernel, u64::from(from) + 900, from as usize, 1e3, Mark::Dots)],
        })
    };
    Ok(vec![panel("Locked at 100 Hz", "dragonfly-pll", 700)?, panel("Locked at 1000 Hz", "dragonfly-pll-hz1000", 100)?])
}
