//! Charts of the changes to `DragonFly`: the rounding fix, the phase lock while it finds the phase, and once it is
//! locked.

use super::{Charts, over_time};
use crate::runs::Experiment;
use oversleep_recording::document::{Chart, ChartAxis, ChartMark};
use oversleep_sim::ParameterError;

const FIXED: &str = "dragonfly-1.0-tvtohz-fix";
const BARE: &str = "dragonfly-1.0-tvtohz-fix-herman";

pub(crate) fn rounding_fix() -> Charts {
    let run = |preset, seconds| Experiment::wall_second(preset, &[], seconds);
    let time = |from, to| ChartAxis::seconds("time since the beginning", from, to);
    Ok(vec![
        Chart {
            title: "Before and after the fix of tvtohz: a tick less, the same slope".into(),
            x: time(0.0, 2_200.0),
            y: ChartAxis::times("oversleep", 0.0, 22e6),
            series: vec![
                over_time("as it was", ChartMark::Line, &run("dragonfly-1.0", 2_200), 1)?,
                over_time("as committed", ChartMark::Dashed, &run(FIXED, 2_200), 1)?,
            ],
        },
        Chart {
            title: "Close, after the fall: without the extra tick but with cached time, some come early".into(),
            x: time(1_076.0, 1_090.0),
            y: ChartAxis::times("oversleep", -20e3, 150e3),
            series: vec![
                over_time("as committed (precise time)", ChartMark::Broad, &run(FIXED, 1_090), 1_076)?,
                over_time("the extra tick taken off, nothing else", ChartMark::Dots, &run(BARE, 1_090), 1_076)?,
            ],
        },
    ])
}

pub(crate) fn phase_lock() -> Charts {
    let starts = [
        ("0.5045", "from the first half of a tick", ChartMark::Line),
        ("0.506", "from the second half", ChartMark::Dashed),
        ("0.5081", "late in the second half", ChartMark::Dotted),
    ];
    let series = starts
        .iter()
        .map(|(start, name, mark)| {
            let set = [("tick_phase", "0"), ("wall_start_s", *start), ("daemon_ticks", "0")];
            over_time(name, *mark, &Experiment::wall_second("dragonfly-pll", &set, 700), 1)
        })
        .collect::<Result<_, ParameterError>>()?;
    Ok(vec![Chart {
        title: "The phase lock of January 2004 finds its phase".into(),
        x: ChartAxis::seconds("time since the beginning", 0.0, 700.0),
        y: ChartAxis::times("oversleep", -1e6, 12e6),
        series,
    }])
}

pub(crate) fn locked() -> Charts {
    let chart = |title: &str, preset: &str, from: u32| -> Result<Chart, ParameterError> {
        let run = Experiment::wall_second(preset, &[], u64::from(from) + 900);
        Ok(Chart {
            title: title.to_owned(),
            x: ChartAxis::seconds("time since the beginning", f64::from(from), f64::from(from + 900)),
            y: ChartAxis::times("oversleep", 0.0, 45e3),
            series: vec![over_time("", ChartMark::Dots, &run, from as usize)?],
        })
    };
    Ok(vec![
        chart("Locked at 100 Hz: a few microseconds, and the syncer every 30 s", "dragonfly-pll", 700)?,
        chart("Locked at 1000 Hz", "dragonfly-pll-hz1000", 100)?,
    ])
}
