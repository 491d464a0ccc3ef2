//! Arguments of `measure`.

use super::{
    ConditionArgs, KeepArgs, LateArgs, OfMachines, OutputArgs, OverArgs, PlanArgs, TraceOptions, WorkArgs, values,
};
use crate::failure::Failure;
use clap::{ArgGroup, Args as ClapArgs};
use oversleep_lab::session::MeasureRequest;
use oversleep_sys::units::Nanos;

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("csv or work").args(["csv", "work"])))]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) machine: ConditionArgs<OfMachines>,
    /// Have this command sleep instead, which prints a table of its sleeps (docs/RUNTIMES.md says how)
    #[arg(long, help_heading = "What to sleep", value_name = "CMD", value_parser = values::command_line, conflicts_with_all = ["method", "experiment"])]
    pub(crate) command: Option<String>,
    /// Collect and flush samples this often, up to every second: for tests of what a killed run leaves
    #[arg(long, hide = true, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) flush_every: Option<Nanos>,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) trace: TraceOptions,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    #[command(flatten)]
    pub(crate) over: OverArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl MeasureArgs {
    /// Returns the measurement that these arguments ask for.
    pub(crate) fn request(&self) -> MeasureRequest {
        let trace = self.trace.request(self.late.on_late.is_some());
        let mut request = MeasureRequest { trace, ..self.plan.request() };
        request.conditions.extend(&self.machine.requested);
        request
    }

    /// Refuses options that would have no effect.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.plan.check()?;
        values::check_policies(&self.plan.conditions.requested)?;
        self.work.check(self.plan.interval)?;
        self.over.refuse_beside(self.output.csv.then_some("--csv"))?;
        self.over.refuse_beside(self.trace.trace.then_some("--trace"))?;
        // What a command sleeps is known when it has slept.
        let keeps_schedule = self.plan.keeps_schedule() || self.command.is_some();
        self.output.checks.before(keeps_schedule, self.work.work)?;
        if self.trace.tier.is_some() && !self.trace.trace && self.late.on_late.is_none() {
            return Err(Failure::usage(
                "--tier needs --trace or --on-late: without them there are no tiers to choose from",
            ));
        }
        if self.plan.interval.is_some() && self.plan.experiment.is_none() && self.command.is_some() {
            // The message names --interval, which was given, rather than the experiment that --interval implies.
            return Err(Failure::usage("--command keeps no schedule; leave out --interval"));
        }
        if self.trace.trace && self.flush_every.is_some() {
            return Err(Failure::usage("--flush-every cannot be used with --trace"));
        }
        Ok(())
    }
}
