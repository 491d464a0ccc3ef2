//! Herman's figures.

use super::data::{herman, kernel, late, mean};
use super::draw::{Axis, Mark, Panel, Series};
use oversleep_lab::source::sim::{Kernel, ParameterError};
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
        y: Axis::linear("late, ms", -1.0, 25.0),
        series: systems.iter().map(|(name, kernel)| over_time(name, kernel, 900, 1, 1e6, Mark::Line)).collect(),
    }])
}

pub(super) fn hz_sweep() -> Panels {
    let base = kernel("dragonfly-1.0-i8254", &[("wall_start_s", "0.3")])?;
    let wide: Vec<u32> = (0..=400).map(|i| (20.0 * 1_000_f64.powf(f64::from(i) / 400.0)).round() as u32).collect();
    let close: Vec<u32> = (800..=3_000).step_by(2).collect();
    let over = |rates: &[u32]| -> Result<[Series; 3], ParameterError> {
        let rows: Vec<(f64, Vec<f64>)> = rates
            .par_iter()
            .map(|hz| Ok((f64::from(*hz), late(&base.set("hz", &hz.to_string())?, &herman(400), 1))))
            .collect::<Result<_, ParameterError>>()?;
        let pick = |name: &str, of: fn(&[f64]) -> f64| Series {
            name: name.to_owned(),
            mark: Mark::Line,
            points: rows.iter().map(|(hz, late)| (*hz, of(&late[1..]) / 1e6)).collect(),
        };
        let greatest = |late: &[f64]| late.iter().copied().fold(f64::MIN, f64::max);
        let least = |late: &[f64]| late.iter().copied().fold(f64::MAX, f64::min);
        Ok([pick("mean", mean), pick("latest", greatest), pick("earliest", least)])
    };
    Ok(vec![
        Panel {
            title: "Lateness against HZ: better to about 1000, and no further",
            x: Axis::log("HZ", 20.0, 20_000.0),
            y: Axis::log("late, ms", 0.01, 100.0),
            series: over(&wide)?.into(),
        },
        Panel {
            title: "The same, close",
            x: Axis::linear("HZ", 800.0, 3_000.0),
            y: Axis::linear("late, ms", 0.0, 4.0),
            series: over(&close)?.into(),
        },
    ])
}

pub(super) fn rounding_fix() -> Panels {
    let names = [
        ("as it was", "dragonfly-1.0", 0.0),
        ("without the extra tick", "dragonfly-1.0-tvtohz-fix-herman", 0.0),
        ("as committed", "dragonfly-1.0-tvtohz-fix", 0.0),
    ];
    let series = names
        .iter()
        .map(|(label, name, _)| Ok(over_time(label, &kernel(name, &[])?, 2_200, 1, 1e6, Mark::Line)))
        .collect::<Result<_, ParameterError>>()?;
    Ok(vec![Panel {
        title: "Before and after the fix of tvtohz: a tick less, the same slope",
        x: Axis::linear("seconds", 0.0, 2_200.0),
        y: Axis::linear("late, ms", -1.0, 25.0),
        series,
    }])
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
            Ok(over_time(label, &kernel("dragonfly-pll", &changes)?, 700, 1, 1e6, Mark::Line))
        })
        .collect::<Result<_, ParameterError>>()?;
    Ok(vec![Panel {
        title: "The phase lock of January 2004 finds its phase",
        x: Axis::linear("seconds", 0.0, 700.0),
        y: Axis::linear("late, ms", -1.0, 12.0),
        series,
    }])
}

pub(super) fn locked() -> Panels {
    let panel = |title, name, from: f64| -> Result<Panel, ParameterError> {
        let kernel = kernel(name, &[])?;
        Ok(Panel {
            title,
            x: Axis::linear("seconds", from, from + 900.0),
            y: Axis::linear("late, µs", 0.0, 50.0),
            series: vec![over_time(name, &kernel, from as u64 + 900, from as usize, 1e3, Mark::Dots)],
        })
    };
    Ok(vec![
        panel("Locked at 100 Hz", "dragonfly-pll", 700.0)?,
        panel("Locked at 1000 Hz", "dragonfly-pll-hz1000", 100.0)?,
    ])
}
