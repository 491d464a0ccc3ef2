//! `remedies`: what `explain` predicts for a remedy from sleeps without it, against sleeps with it that were measured
//! in turns with them.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch};
use oversleep_lab::analysis::patterns::{Cause, diagnose};
use oversleep_lab::figures::quantile::{Fraction, of_sorted};
use oversleep_recording::Recording;
use oversleep_recording::document::{Predicted, PredictedQuantile};
use oversleep_recording::file::Reader;
use oversleep_sys::units::Nanos;
use std::path::Path;

/// Requests, and timer slacks before the remedy.
const REQUESTS: [&str; 3] = ["250us", "1ms", "4ms"];
const SLACKS: [&str; 2] = ["50us", "500us"];

/// Situations: name, options of both cells, and options that make the second cell the one with the remedy, a real-time
/// policy (without any, a slack of 1 ns).
const SITUATIONS: [(&str, &[&str], &[&str]); 5] = [
    ("slack 1 ns", &["-m", "nanosleep"], &[]),
    ("slack 1 ns, absolute", &["-m", "clock-nanosleep-abs"], &[]),
    ("slack 1 ns, pinned", &["-m", "nanosleep", "-a", "0"], &[]),
    ("slack 1 ns, beside load", &["-m", "nanosleep", "-l", "1"], &[]),
    ("FIFO", &["-m", "nanosleep"], &["-p", "other,1"]),
];

/// Goals: largest relative error of a median and of a 99th percentile, and the share of intervals that hold the
/// measured value.
const MEDIAN: f64 = 0.1;
const TAIL: f64 = 0.2;
const COVERED: f64 = 0.9;

pub(super) fn run(options: &Options) -> Result<(), String> {
    let ours = tool::named_or_release(options)?;
    println!("{}", sheet::place());
    let scratch = Scratch::new("remedies")?;
    let sleeps = if options.long { "10000" } else { "1000" };
    let mut sheet = Sheet::new(
        &format!("Predicted and measured effects of remedies: {sleeps} sleeps each, in turns"),
        &["remedy", "asked", "slack", "", "before", "predicted (95 %)", "measured", "off", "held"],
    );
    let mut totals = [Total::default(), Total::default()];
    for (situation, both, after) in SITUATIONS {
        for request in REQUESTS {
            for slack in SLACKS {
                eprintln!("remedies: {situation}, {request}, slack {slack}");
                let file = scratch.file("pair.arrows");
                let slacks = if after.is_empty() { format!("{slack},1ns") } else { slack.to_owned() };
                let fixed = ["measure", "-q", "--force", "-o", &file, "-r", request, "-n", sleeps, "--slack", &slacks];
                tool::run(&ours, &[&fixed[..], both, after].concat())?;
                let (predicted, measured) = pair(Path::new(&file), !after.is_empty())?;
                let quantile = |p| of_sorted(&measured, p);
                let rows = [
                    ("p50", predicted.and_then(|it| it.p50), quantile(Fraction::P50)),
                    ("p99", predicted.and_then(|it| it.p99), quantile(Fraction::P99)),
                ];
                for ((name, predicted, measured), total) in rows.into_iter().zip(&mut totals) {
                    let Some(measured) = measured else { continue };
                    let cells = total.add(predicted, measured);
                    sheet.row([situation, request, slack, name].map(str::to_owned).into_iter().chain(cells));
                }
            }
        }
    }
    for ((name, goal), total) in [("medians", MEDIAN), ("99th percentiles", TAIL)].into_iter().zip(&totals) {
        sheet.remark(total.text(name, goal));
    }
    sheet.print(options);
    Ok(())
}

/// Returns the prediction for the first cell's remedy, which may make the thread a real-time one, from only that cell,
/// and the second cell's latenesses in ns, sorted.
fn pair(file: &Path, real_time: bool) -> Result<(Option<Predicted>, Vec<i64>), String> {
    let mut reader = Reader::open(file).map_err(|error| error.to_string())?;
    let mut before = Recording::new(reader.meta().clone());
    reader.read_into(&mut before).map_err(|error| error.to_string())?;
    let cells: Vec<u32> = before.meta.plan.cells.iter().map(|cell| cell.id).collect();
    let [first, second] = cells[..] else { return Err(format!("{}: not two cells", file.display())) };
    let of_second = before.samples.iter().filter(|sample| sample.cell == second);
    let mut after: Vec<i64> = of_second.map(|sample| sample.oversleep().get()).collect();
    after.sort_unstable();
    before.samples.retain(|sample| sample.cell == first);
    before.meta.plan.cells.retain(|cell| cell.id == first);
    before.note.obtained.retain(|obtained| obtained.cell == first);
    let found = diagnose(&before);
    let slack = found.all().find(|finding| finding.cause() == Cause::TimerSlack);
    let remedy = slack.and_then(|slack| slack.remedy.iter().find(|remedy| remedy.makes_real_time() == real_time));
    let predicted = remedy.and_then(|remedy| remedy.predicted);
    Ok((predicted, after))
}

/// Counts of predictions.
#[derive(Default)]
struct Total {
    pairs: usize,
    predicted: usize,
    held: usize,
    off: Vec<f64>,
}

impl Total {
    /// Counts one pair; returns its fields of the table.
    fn add(&mut self, predicted: Option<PredictedQuantile>, measured: i64) -> [String; 5] {
        self.pairs += 1;
        let time = |ns: i64| Nanos::new(ns).to_string();
        let Some(PredictedQuantile { before_ns, after_ns, low_ns, high_ns }) = predicted else {
            return ["–".into(), "–".into(), time(measured), "–".into(), "–".into()];
        };
        let off = after_ns as f64 / measured as f64 - 1.0;
        let held = (low_ns..=high_ns).contains(&measured);
        self.predicted += 1;
        self.held += usize::from(held);
        self.off.push(off.abs());
        [
            time(before_ns),
            format!("{} ({} to {})", time(after_ns), time(low_ns), time(high_ns)),
            time(measured),
            format!("{:+.0} %", 100.0 * off),
            if held { "yes" } else { "no" }.to_owned(),
        ]
    }

    fn text(&self, name: &str, goal: f64) -> String {
        let Self { pairs, predicted, held, off } = self;
        let within = off.iter().filter(|off| **off <= goal).count();
        let middle = tool::median(off).map_or(f64::NAN, |(middle, ..)| middle);
        format!(
            "{name}: {predicted} of {pairs} predicted; {within} within {:.0} % (median {:.0} %); {held} intervals hold what was \
             measured (goal {:.0} %).",
            100.0 * goal,
            100.0 * middle,
            100.0 * COVERED
        )
    }
}
