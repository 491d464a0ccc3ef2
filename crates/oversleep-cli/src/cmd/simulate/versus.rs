//! `simulate --vs`: two kernels side by side.

use super::{Request, carry_out};
use crate::failure::Failure;
use crate::show::{json, print};
use oversleep_lab::report;
use oversleep_sim::Kernel;

pub(super) fn run(request: &Request<'_>, one: &Kernel, two: &Kernel) -> Result<(), Failure> {
    let output = &request.args.output;
    if output.csv || request.args.out.out.is_some() {
        return Err(Failure::usage(
            "--vs shows the figures of two kernels; for samples or a file simulate one at a time",
        ));
    }
    let (a, b) = (carry_out(request, one, None)?, carry_out(request, two, None)?);
    if output.json() {
        let both = [a.document(), b.document()];
        return json(&mut anstream::stdout().lock(), &both);
    }
    let figures = report::versus::text(&a.cells, &b.cells, output.screen());
    print(Err(format!("A  {}\nB  {}\n\n{figures}", one.name(), two.name())))
}
