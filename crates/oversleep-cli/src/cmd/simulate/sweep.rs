//! Many kernels that differ in one parameter: one table and one plot.

use super::Told;
use crate::failure::Failure;
use crate::show::json;
use oversleep_sim::document::swept;
use oversleep_sim::{Arithmetic, Kernel, Sweep, SweepRow, Tally, sweep};
use oversleep_sys::units::Nanos;
use std::fmt::Write as _;
use std::io::Write;

/// The width of the plot's bars.
const BAR: usize = 40;

pub(super) fn run(told: &Told<'_>, kernel: &Kernel, over: &Sweep) -> Result<(), Failure> {
    let output = &told.args.measure.output;
    if output.csv || told.args.measure.keep.out.is_some() {
        return Err(Failure::usage("--sweep keeps statistics only; run one kernel for samples or a file"));
    }
    let rows = sweep(kernel, over, &told.plan, told.args.measure.seed, &told.changes, Arithmetic::Fixed);
    let mut out = anstream::stdout().lock();
    if output.json {
        json(&mut out, &swept(kernel, over, &told.plan, &rows))?;
    } else {
        write!(out, "{}", text(kernel, over, &rows, told))?;
    }
    out.flush()?;
    if rows.iter().all(|row| row.result.is_err()) {
        return Err(Failure::usage("none of these values makes a kernel; the lines above say why"));
    }
    Ok(())
}

fn text(kernel: &Kernel, over: &Sweep, rows: &[SweepRow], told: &Told<'_>) -> String {
    let mut out = format!("{}, oversleep over {}\n", kernel.name(), over.parameter);
    for (cell, planned) in told.plan.cells.iter().enumerate() {
        let means = rows.iter().filter_map(|row| row.result.as_ref().ok()?.0.get(cell)?.mean());
        let (low, high) = means.fold((f64::INFINITY, 0.0_f64), |(low, high), mean| {
            let mean = mean.as_f64().max(1.0);
            (low.min(mean), high.max(mean))
        });
        let _ = writeln!(out, "\n{} {}", planned.method, planned.pattern.typical());
        let _ = writeln!(
            out,
            "{:>12} {:>8} {:>6} {:>10} {:>10} {:>10} {:>10} {:>8}  mean, logarithmic",
            over.parameter, "n", "early", "min", "mean", "sd", "max", "resleeps"
        );
        for row in rows {
            let _ = writeln!(out, "{:>12} {}", row.value, line(row, cell, (low, high)));
        }
    }
    out
}

fn line(row: &SweepRow, cell: usize, scale: (f64, f64)) -> String {
    let (tallies, outcome) = match &row.result {
        Ok(done) => done,
        Err(refused) => return refused.to_string(),
    };
    let Some(Tally { cell: id, n, early, min, max, resleeps, .. }) = tallies.get(cell) else { return String::new() };
    let cut = outcome.cut.iter().find(|cut| cut.cell == *id).map(|cut| format!("{:?}", cut.cut).to_lowercase());
    if *n == 0 {
        return cut.unwrap_or_else(|| "-".to_owned());
    }
    let shown = |value: Option<Nanos>| value.map_or("-".to_owned(), |value| value.to_string());
    let mean = tallies[cell].mean();
    format!(
        "{n:>8} {early:>6} {:>10} {:>10} {:>10} {:>10} {resleeps:>8}  {}{}",
        min.to_string(),
        shown(mean),
        shown(tallies[cell].sd()),
        max.to_string(),
        "#".repeat(bar(mean, scale)),
        cut.map_or(String::new(), |cut| format!(" {cut}")),
    )
}

/// How long the bar of a mean is: one for the least mean, all of it for the greatest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to BAR
fn bar(mean: Option<Nanos>, (low, high): (f64, f64)) -> usize {
    let value = mean.map_or(low, |mean| mean.as_f64().max(low));
    if high <= low {
        return 1;
    }
    let share = (value / low).ln() / (high / low).ln();
    1 + (share.clamp(0.0, 1.0) * (BAR as f64 - 1.0)) as usize
}
