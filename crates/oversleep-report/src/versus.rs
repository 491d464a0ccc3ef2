//! Comparison of two kernels.

use super::style::{Screen, align, figure, table, table_text};
use oversleep_figures::CellSummary;
use oversleep_sys::units::Nanos;

/// Returns the figures of two runs of one plan as a table, one line per cell: `first` is A, `second` is B.
pub fn text(first: &[CellSummary], second: &[CellSummary], screen: Screen) -> String {
    let mut rows = table(&["method", "asked", "A mean", "B mean", "B − A", "A max", "B max"], screen);
    for (a, b) in first.iter().zip(second) {
        let load = a.cell.conditions.load.map_or_else(String::new, |load| format!(" beside {}", load.threads));
        let [of_a, of_b] = [a, b].map(|cell| cell.raw.mean_ns.map(Nanos::from_f64));
        rows.add_row([
            format!("{}{load}", a.cell.method),
            a.cell.pattern.typical().to_string(),
            figure(of_a),
            figure(of_b),
            figure(of_a.zip(of_b).map(|(a, b)| b - a)),
            figure(a.raw.max),
            figure(b.raw.max),
        ]);
    }
    align(&mut rows, &[0]);
    table_text(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_figures::Summariser;
    use oversleep_recording::plan::{Conditions, build};
    use oversleep_recording::{Meta, Origin, Sample, Sink};

    fn cells(late: i64) -> Vec<CellSummary> {
        let row = oversleep_recording::catalog::ROWS[0].id.row();
        let meta = Meta::new(
            "test",
            Origin::Live,
            build::load(row, 1, &[2], oversleep_recording::plan::LoadKind::Spin, &Conditions::default(), 1),
        );
        let mut summary = Summariser::new(&meta);
        let (requested, start) = (Nanos::MILLISECOND, Nanos::ZERO);
        summary.samples(&[Sample {
            cell: 1,
            thread: 0,
            sequence: 0,
            requested,
            deadline: None,
            start,
            end: start + requested + Nanos::from_micros(late),
            cpu_start: 0,
            cpu_end: 0,
            flags: oversleep_recording::Flags::default(),
            ..Sample::BLANK
        }]);
        summary.finish()
    }

    #[test]
    fn a_line_says_what_each_takes_and_the_difference() {
        let shown = text(&cells(60), &cells(50), Screen::PLAIN);
        let expected = [
            "method                   asked   A mean   B mean     B − A    A max    B max",
            "thread-sleep beside 2     0 ns        –        –         –        –        –",
            "thread-sleep beside 2  1.00 ms  60.0 µs  50.0 µs  -10.0 µs  60.0 µs  50.0 µs",
        ];
        assert_eq!(shown.lines().take(3).collect::<Vec<_>>(), expected);
    }
}
