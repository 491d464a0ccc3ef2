//! Simulated kernels as text: the presets, and results of one plan on kernels that differ in one parameter.

use super::columns::{self, Column};
use super::style::{self, Screen, align, figure, table, table_text};
use oversleep_figures::CellSummary;
use oversleep_recording::document::{PresetFacts, Presets, Swept, SweptCell, SweptResult, ValueOrigin};
use oversleep_recording::plan::{Cell, Plan};
use oversleep_sys::units::Nanos;

/// Length of the longest bar, in characters.
const BAR: usize = 40;

/// Returns one line per preset, with the number of its parameters that rest on a fit or on an assumption.
pub fn presets(document: &Presets, screen: Screen) -> String {
    let values = |f: &dyn Fn(&PresetFacts) -> String| -> Vec<String> { document.presets.iter().map(f).collect() };
    let count = |preset: &PresetFacts, known| {
        preset.parameters.values().filter(|parameter| parameter.from == known).count().to_string()
    };
    let columns = [
        Column::words("preset", values(&|preset| preset.name.clone())),
        Column::words("kernel", values(&|preset| preset.title.clone())).breakable(),
        Column::figures("fitted", values(&|preset| count(preset, ValueOrigin::Fit))).expendable(1),
        Column::figures("assumed", values(&|preset| count(preset, ValueOrigin::Assumed))).expendable(0),
    ];
    let meaning = "fitted: parameters fitted to a published number; assumed: general knowledge, not looked up; \
                   `oversleep list presets --json` names each";
    format!("{}\n{}", columns::fitted(&columns, screen), screen.lines(0, &screen.aside(meaning)))
}

/// Returns one table per cell of the plan, with one row per kernel: its figures, and its mean as a bar.
pub fn sweep(document: &Swept, plan: &Plan, screen: Screen) -> String {
    let heading = screen.heading(&format!("{}, oversleep over {}", document.kernel, document.parameter));
    let cells = plan.cells.iter().enumerate().map(|(index, cell)| swept_cell(document, index, cell, screen));
    format!("{heading}\n{}", cells.collect::<String>())
}

fn swept_cell(document: &Swept, index: usize, cell: &Cell, screen: Screen) -> String {
    let header = [&document.parameter, "n", "early", "min", "mean", "sd", "max", "resleeps", "mean, logarithmic"];
    let mut table = style::table(&header, screen);
    let means = document.rows.iter().filter_map(|row| slept(&row.result, index)?.mean_ns);
    let scale = means.fold((f64::INFINITY, 0.0_f64), |(low, high), mean| {
        let mean = mean.as_f64().max(1.0);
        (low.min(mean), high.max(mean))
    });
    for row in &document.rows {
        let mut columns = vec![row.value.clone()];
        match (&row.result, slept(&row.result, index)) {
            (SweptResult::Refused { refused }, _) => columns.extend(empty(refused)),
            (SweptResult::Slept { cut, .. }, Some(figures)) => {
                let cut = cut.iter().find(|cut| cut.cell == cell.id).map(|cut| cut.why.as_str());
                columns.extend(row_of(figures, cut.unwrap_or_default(), scale));
            }
            (SweptResult::Slept { .. }, None) => columns.extend(empty("")),
        }
        table.add_row(columns);
    }
    align(&mut table, &[8]);
    let name = screen.heading(&format!("{} {}", cell.method, cell.pattern.typical()));
    format!("\n{name}\n{}", table_text(&table))
}

fn slept(result: &SweptResult, index: usize) -> Option<&SweptCell> {
    match result {
        SweptResult::Refused { .. } => None,
        SweptResult::Slept { cells, .. } => cells.get(index),
    }
}

/// Returns a row without figures, with the reason.
fn empty(why: &str) -> [String; 8] {
    let mut columns = [const { String::new() }; 8];
    why.clone_into(&mut columns[7]);
    columns
}

/// Returns a row with a kernel's figures, its bar, and why it ended early, if it did.
fn row_of(cell: &SweptCell, cut: &str, scale: (f64, f64)) -> [String; 8] {
    let bar = cell.mean_ns.map_or(0, |mean| bar(mean, scale));
    [
        cell.n.to_string(),
        cell.early.to_string(),
        figure(cell.min_ns),
        figure(cell.mean_ns),
        figure(cell.sd_ns),
        figure(cell.max_ns),
        cell.resleeps.to_string(),
        format!("{} {cut}", "█".repeat(bar)).trim().to_owned(),
    ]
}

/// Returns the length of a mean's bar: 1 for the smallest mean, [`BAR`] for the largest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to BAR
fn bar(mean: Nanos, (low, high): (f64, f64)) -> usize {
    if high <= low {
        return 1;
    }
    let share = libm::log(mean.as_f64().max(low) / low) / libm::log(high / low);
    1 + (share.clamp(0.0, 1.0) * (BAR as f64 - 1.0)) as usize
}

/// Returns the figures of two runs of one plan as a table, one line per cell: `first` is A, `second` is B.
pub fn versus(first: &[CellSummary], second: &[CellSummary], screen: Screen) -> String {
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
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::document::{CutCell, ParameterValue, SourcedParameter, SweptRow};
    use oversleep_recording::plan::{Conditions, build};
    use oversleep_recording::{Meta, Origin, Sample, Sink};

    fn figures(mean: i64) -> SweptCell {
        let mean = Some(Nanos::from_micros(mean));
        let (n, early, resleeps) = (9, 1, 2);
        let (min_ns, mean_ns, sd_ns, max_ns) = (mean, mean, None, mean);
        let requested_ns = Some(Nanos::MILLISECOND);
        SweptCell { method: "nap".to_owned(), requested_ns, n, early, min_ns, mean_ns, sd_ns, max_ns, resleeps }
    }

    #[test]
    fn a_row_per_kernel_and_bars_from_the_least_mean_to_the_greatest() {
        let plan = build::wall_second(MethodId::Nanosleep.row(), 9, &Conditions::default(), 1);
        let row = |value: &str, result| SweptRow { value: value.to_owned(), result };
        let slept = |mean, cut| SweptResult::Slept { simulated_ns: Nanos::SECOND, cells: vec![figures(mean)], cut };
        let cut = vec![CutCell { cell: plan.cells[0].id, thread: 0, why: "hangs".to_owned() }];
        let rows = vec![
            row("100", slept(10_000, Vec::new())),
            row("1000", slept(1_000, cut)),
            row("-1", SweptResult::Refused { refused: "hz cannot be -1".to_owned() }),
        ];
        let document = Swept { format: 1, kernel: "darwin-7".to_owned(), parameter: "hz".to_owned(), rows };
        let shown = format!(
            "darwin-7, oversleep over hz\n\n\
             nanosleep 1.00 s\n  \
             hz  n  early      min     mean  sd      max  resleeps  mean, logarithmic\n \
             100  9      1  10.0 ms  10.0 ms   –  10.0 ms         2  {}\n\
             1000  9      1  1.00 ms  1.00 ms   –  1.00 ms         2  █ hangs\n  \
             -1                                                     hz cannot be -1\n",
            "█".repeat(BAR)
        );
        assert_eq!(sweep(&document, &plan, Screen::PLAIN), shown);
    }

    #[test]
    fn presets_say_how_much_of_them_is_fitted_or_assumed() {
        let number =
            |from| SourcedParameter { value: ParameterValue::Whole(1), from, source: String::new(), spread: None };
        let parameters = [
            ("hz", ValueOrigin::Src),
            ("cost", ValueOrigin::Fit),
            ("late", ValueOrigin::Fit),
            ("seed", ValueOrigin::Assumed),
        ];
        let preset = PresetFacts {
            name: "darwin-7".to_owned(),
            title: "Mac OS X 10.3".to_owned(),
            systems: String::new(),
            calls: String::new(),
            notes: None,
            parameters: parameters.into_iter().map(|(name, from)| (name.to_owned(), number(from))).collect(),
        };
        let shown = "preset    kernel         fitted  assumed\ndarwin-7  Mac OS X 10.3       2        1\n\nfitted: ";
        let text = presets(&Presets { format: 1, presets: vec![preset] }, Screen::PLAIN);
        assert!(text.starts_with(shown), "{text}");
    }

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
        let shown = versus(&cells(60), &cells(50), Screen::PLAIN);
        let expected = [
            "method                   asked   A mean   B mean     B − A    A max    B max",
            "thread-sleep beside 2     0 ns        –        –         –        –        –",
            "thread-sleep beside 2  1.00 ms  60.0 µs  50.0 µs  -10.0 µs  60.0 µs  50.0 µs",
        ];
        assert_eq!(shown.lines().take(3).collect::<Vec<_>>(), expected);
    }
}
