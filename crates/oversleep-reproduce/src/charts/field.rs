//! The published figures over the simulated ones.

use crate::field::Compared;
use oversleep_recording::document::{Chart, ChartAxis, ChartMark, ChartSeries};

/// Returns the chart of each published figure over its simulated one, with the spread that its preset states.
pub(crate) fn field<'a>(compared: impl Iterator<Item = &'a Compared>) -> Chart {
    let (mut points, mut ends) = (Vec::new(), Vec::new());
    for figure in compared {
        let published = figure.at.time.as_f64();
        points.push((figure.simulated, published));
        ends.extend([(figure.simulated, figure.spread.0.max(1.0)), (figure.simulated, figure.spread.1)]);
    }
    let line = |points, name: &str, mark| ChartSeries { name: name.to_owned(), mark, points };
    Chart {
        title: "Published by others: how long sleeps lasted, over what the presets give".to_owned(),
        x: ChartAxis::log_times("simulated", 2e4, 6e9),
        y: ChartAxis::log_times("published", 2e3, 6e9),
        series: vec![
            line(points, "published", ChartMark::Dots),
            line(ends, "ends of the preset's spread", ChartMark::Dots),
            line(vec![(2e4, 2e4), (6e9, 6e9)], "equal", ChartMark::Guide),
        ],
    }
}
