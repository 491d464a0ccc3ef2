//! Two kernels side by side.

use super::{Told, carry_out};
use crate::failure::Failure;
use crate::show::json;
use oversleep_lab::figures::CellSummary;
use oversleep_sim::Kernel;
use oversleep_sys::units::Nanos;
use std::io::Write;

pub(super) fn run(told: &Told<'_>, one: &Kernel, two: &Kernel) -> Result<(), Failure> {
    let output = &told.args.measure.output;
    if output.csv || told.args.measure.keep.out.is_some() {
        return Err(Failure::usage("--vs shows figures of two kernels; run them one by one for samples or a file"));
    }
    let (a, b) = (carry_out(told, one, None)?, carry_out(told, two, None)?);
    let mut out = anstream::stdout().lock();
    if output.json {
        let both = [a.document(), b.document()];
        return json(&mut out, &both);
    }
    writeln!(out, "A  {}\nB  {}\n", one.name(), two.name())?;
    writeln!(
        out,
        "{:<28} {:>10} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "", "asked", "A mean", "B mean", "B - A", "A max", "B max"
    )?;
    for (a, b) in a.cells.iter().zip(&b.cells) {
        writeln!(out, "{}", row(a, b))?;
    }
    Ok(out.flush()?)
}

fn row(a: &CellSummary, b: &CellSummary) -> String {
    let asked = a.cell.pattern.typical().to_string();
    let shown = |value: Option<Nanos>| value.map_or("-".to_owned(), |value| value.to_string());
    let (of_a, of_b) = (a.raw.mean_ns.map(Nanos::from_f64), b.raw.mean_ns.map(Nanos::from_f64));
    let difference = of_a.zip(of_b).map(|(a, b)| b - a);
    let load = a.cell.conditions.load.map_or(String::new(), |load| format!(" beside {}", load.threads));
    format!(
        "{:<28} {asked:>10} {:>12} {:>12} {:>12} {:>12} {:>12}",
        format!("{}{load}", a.cell.method),
        shown(of_a),
        shown(of_b),
        shown(difference),
        shown(a.raw.max),
        shown(b.raw.max),
    )
}
