//! `simulate --vary`: many kernels that differ in one parameter, in one table and one plot.

use super::{Request, awake};
use crate::failure::Failure;
use crate::show::{json, print};
use oversleep_lab::report::kernels;
use oversleep_sim::document::swept;
use oversleep_sim::{Arithmetic, Cut, Kernel, Sweep, sweep};

pub(super) fn run(request: &Request<'_>, kernel: &Kernel, over: &Sweep) -> Result<(), Failure> {
    let output = &request.args.output;
    if output.csv || request.args.out.out.is_some() {
        return Err(Failure::usage("--vary keeps statistics only; for samples or a file simulate one kernel"));
    }
    let rows = sweep(kernel, over, &request.plan, request.args.plan.seed, &request.changes, Arithmetic::Fixed);
    let document = swept(kernel, over, &request.plan, &rows);
    if output.json() {
        json(&mut anstream::stdout().lock(), &document)?;
    } else {
        print(Err(kernels::sweep(&document, &request.plan, output.screen())))?;
    }
    if rows.iter().all(|row| row.result.is_err()) {
        return Err(Failure::usage("none of these values makes a kernel; the lines above say why"));
    }
    let cut = rows.iter().filter_map(|row| row.result.as_ref().ok()).flat_map(|(_, outcome)| &outcome.cut);
    awake(cut.filter(|cut| cut.cut == Cut::Hangs).count(), "cell")
}
