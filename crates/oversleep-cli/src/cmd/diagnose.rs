//! `diagnose`: changes one condition at a time and says how much each change matters.

use super::measure::Samples;
use crate::args::{DiagnoseArgs, names};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::say::say;
use crate::{running, show};
use oversleep_lab::session::{Runner, plan_diagnosis};
use oversleep_recording::End;

pub(crate) fn run(args: &DiagnoseArgs) -> Result<(), Failure> {
    args.output.checks.before(false, None)?;
    let run = running::run()?;
    let request = args.request();
    let plan = plan_diagnosis(&request)?;
    names::say_stand_ins(std::slice::from_ref(&args.method));
    if !args.output.quiet {
        plan.announcement(&request).iter().for_each(|line| say!("{line}"));
    }
    let mut csv = Samples::new(&args.output, &plan.plan);
    let mut bar = Bar::new(args.output.quiet);
    let run = Runner { keep: args.keep.place()?, subscriber: csv.sink(), ..run };
    let results = run.diagnose(plan, &mut bar)?;
    bar.clear();
    match results.note.end {
        Some(End::Interrupted) => say!("interrupted; this is what was measured until then"),
        Some(End::TimeOver) => {
            say!("time ran out before all blocks were slept: sleeps lasted longer than they should");
        }
        _ => {}
    }
    let found = results.variants().ok_or_else(|| Failure::trouble("the samples were not kept"))?;
    if args.output.csv {
        csv.close(&results)?;
    } else {
        show::print(if args.output.json() { Ok(found.json()) } else { Err(found.text(args.output.screen())) })?;
    }
    let interrupted = matches!(results.note.end, Some(End::Interrupted));
    if !found.enough() && !interrupted {
        return Err(Failure::trouble("too few blocks were slept to compare anything; give a longer -d, or less load"));
    }
    show::judge(&results, &args.output.checks)
}
