//! Two kernels side by side.

use super::{Told, carry_out};
use crate::failure::Failure;
use crate::show::json;
use oversleep_lab::report;
use oversleep_sim::Kernel;
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
    write!(out, "{}", report::versus::report(&a.cells, &b.cells, output.look()))?;
    Ok(out.flush()?)
}
