//! Two kernels side by side.

use super::{Told, carry_out};
use crate::failure::Failure;
use oversleep_lab::report;
use oversleep_sim::Kernel;
use std::io::{self, Write};

pub(super) fn run(told: &Told<'_>, one: &Kernel, two: &Kernel) -> Result<(), Failure> {
    let output = &told.args.measure.output;
    if output.csv || told.args.measure.keep.out.is_some() {
        return Err(Failure::usage("--vs shows figures of two kernels; run them one by one for samples or a file"));
    }
    let (a, b) = (carry_out(told, one, None)?, carry_out(told, two, None)?);
    let mut out = anstream::stdout().lock();
    if output.json {
        let both = [&a, &b].map(|(meta, note, cells)| report::json::document(meta, note, cells));
        serde_json::to_writer_pretty(&mut out, &both).map_err(io::Error::from)?;
        return Ok(writeln!(out)?);
    }
    writeln!(out, "A  {}\nB  {}\n", one.name(), two.name())?;
    write!(out, "{}", report::versus::report(&a.2, &b.2, output.look()))?;
    Ok(out.flush()?)
}
