//! The check-up, which runs without a command: any user, about 15 seconds.

use super::measure::{Samples, measured};
use crate::args::Args;
use crate::failure::Failure;
use crate::show;
use oversleep_lab::session::{MeasureRequest, Runner, plan};
use oversleep_recording::plan::Kind;
use oversleep_sys::units::Nanos;

/// Longest time of the check-up. Where sleeps take ten times what they ask for, it ends with fewer of them.
const LIMIT: Nanos = Nanos::from_secs(18);

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    args.output.checks.before(false, None)?;
    let request = MeasureRequest { experiment: Some(Kind::CheckUp), ..MeasureRequest::default() };
    let plan = plan(&request)?;
    let mut csv = Samples::new(&args.output, &plan);
    let run = Runner {
        keep: args.keep.place()?,
        in_memory: true,
        subscriber: csv.sink(),
        time_limit: Some(LIMIT),
        late: args.late.request(args.late_tier.tier),
        ..crate::running::run()?
    };
    let results = measured(run, plan, args.output.quiet)?;
    if args.output.csv {
        csv.close(&results)?;
        return show::judge(&results, &args.output.checks);
    }
    let Some(diagnosis) = results.diagnosis() else {
        return show::print_results(&results, args.output.shown, &args.output.checks);
    };
    show::print(if args.output.json() {
        Ok(results.json_with(&diagnosis))
    } else {
        Err(results.text_with(&diagnosis, args.output.screen()))
    })?;
    show::judge(&results, &args.output.checks)
}
