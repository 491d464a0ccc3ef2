//! `diagnose`: changes one condition at a time and says how much each change matters.

use super::measure::Samples;
use crate::args::{ConditionArgs, ConditionOption, ConditionSet, KeepArgs, OutputArgs, chosen, names, values};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::say::notice;
use crate::{running, show};
use clap::Args as ClapArgs;
use oversleep_lab::session::{DiagnoseRequest, Runner, plan_diagnosis};
use oversleep_recording::End;
use oversleep_recording::plan::Plan;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_sys::units::Nanos;

pub(crate) fn run(args: &DiagnoseArgs) -> Result<(), Failure> {
    args.output.checks.before(false, None)?;
    let run = running::run()?;
    let request = args.request();
    let plan = plan_diagnosis(&request)?;
    names::say_stand_ins(std::slice::from_ref(&args.method));
    plan.announcement(&request).iter().for_each(|line| notice(line));
    let mut csv = Samples::new(&args.output, &plan.plan);
    let mut bar = Bar::new(args.output.quiet);
    let run = Runner { keep: args.keep.place()?, subscriber: csv.sink(), ..run };
    let results = run.diagnose(plan, &mut bar)?;
    bar.clear();
    match results.note.end {
        Some(End::Interrupted) => notice("interrupted; this is what was measured until then"),
        Some(End::TimeOver) => {
            notice("time ran out before all blocks were slept: sleeps lasted longer than they should");
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

/// Conditions of the baseline.
#[derive(Clone)]
pub(crate) struct OfBaseline;

impl ConditionSet for OfBaseline {
    fn options() -> Vec<ConditionOption> {
        chosen(&[
            (
                "policy",
                "Scheduling policy of the baseline: a number (FIFO with that priority), other, batch, idle, fifo:80, rr:10, deadline:100us/1ms",
            ),
            ("timer_slack", "Timer slack of the baseline, such as 1ns"),
            ("affinity", "Processors the baseline may use, such as 0 or 0-3"),
            ("load", "Number of busy threads during all sleeps: what would help here while the machine is that busy?"),
        ])
    }
}

#[derive(ClapArgs)]
pub(crate) struct DiagnoseArgs {
    /// The method, as `oversleep list` names it
    #[arg(long, short, default_value = DEFAULT_METHODS.diagnose.name(), value_name = "NAME", value_parser = names::METHOD, hide_possible_values = true)]
    pub(crate) method: String,
    /// How long to sleep
    #[arg(long, short, default_value = "1ms", value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) request: Nanos,
    /// About how long to run, such as 60s or 5min [default: 25s, with --load 40s, or the time for 12 blocks if that is longer]
    #[arg(long, short, value_name = "TIME", value_parser = values::duration_of_a_run, allow_hyphen_values = true)]
    pub(crate) duration: Option<Nanos>,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs<OfBaseline>,
    /// Trace some sleeps first, where the system allows it (see `oversleep measure --trace`): takes some seconds more
    #[arg(long)]
    pub(crate) trace: bool,
    /// Seed of the order in which variants take turns
    #[arg(long, value_name = "N", default_value_t = Plan::DEFAULT_SEED, value_parser = values::whole::<u64>(0..))]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl DiagnoseArgs {
    /// Returns the diagnosis that these arguments ask for.
    pub(crate) fn request(&self) -> DiagnoseRequest {
        DiagnoseRequest {
            method: self.method.clone(),
            request: self.request,
            time: self.duration,
            conditions: self.conditions.requested.first(),
            trace: self.trace,
            seed: self.seed,
        }
    }
}
