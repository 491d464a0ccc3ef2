//! Arguments of `measure`.

use super::{KeepArgs, LateArgs, OutputArgs, PlanArgs, TraceOptions, WorkArgs, values};
use crate::args::values::Cpus;
use crate::failure::Failure;
use clap::{ArgGroup, Args as ClapArgs};
use oversleep_lab::session::MeasureRequest;
use oversleep_recording::plan::{LoadKind, PriorityClass, Qos};
use oversleep_sys::units::Nanos;

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("csv or work").args(["csv", "work"])))]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
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
    pub(crate) output: OutputArgs,
}

/// Conditions that only a machine has.
#[derive(ClapArgs)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct MachineArgs {
    /// Processors the sleeping threads may use, such as 0 or 0-3
    #[arg(long, short = 'a', value_parser = values::cpus, value_name = "CPUS")]
    pub(crate) cpus: Option<Cpus>,
    /// With --cpus: give each thread one of those processors, in turn
    #[arg(long, requires = "cpus")]
    pub(crate) one_cpu_each: bool,
    /// With --load: what busy threads do: spin, memory (walk memory), syscalls, timers (sleep shortly) or, with --command, runtime (inside that program) [default: spin]
    #[arg(long, value_parser = values::load_kind(), value_name = "KIND", hide_possible_values = true)]
    pub(crate) load_kind: Option<LoadKind>,
    /// Lock the process's memory
    #[arg(long)]
    pub(crate) mlock: bool,
    /// Hold the processors' wake-up latency at or below this (through `/dev/cpu_dma_latency`)
    #[arg(long, value_parser = values::request, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) latency_hold: Option<Nanos>,
    /// Windows: timer resolutions to ask for, such as 0.5ms,1ms,15.625ms; each makes rows of its own
    #[arg(long, value_delimiter = ',', value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) timer_resolution: Vec<Nanos>,
    /// Windows: the priority class of the process: idle, below-normal, normal, above-normal, high, realtime
    #[arg(long, value_name = "CLASS")]
    pub(crate) priority_class: Option<PriorityClass>,
    /// Windows: have the multimedia scheduler raise the threads' priority for this task, such as "Pro Audio"
    #[arg(long, value_name = "TASK")]
    pub(crate) multimedia_task: Option<String>,
    /// macOS: the quality-of-service class of the threads: user-interactive, user-initiated, default, utility, background
    #[arg(long, value_name = "CLASS")]
    pub(crate) qos: Option<Qos>,
    /// Windows, macOS: keep the system from throttling the process's timers (power throttling, App Nap)
    #[arg(long)]
    pub(crate) no_throttling: bool,
}

impl MachineArgs {
    /// Refuses `--load-kind runtime` where no other program sleeps.
    pub(crate) fn refuse_inside(&self) -> Result<(), Failure> {
        if self.load_kind == Some(LoadKind::Runtime) {
            let why = "--load-kind runtime is busy inside another program: it needs --command (`measure`, `runtimes`)";
            return Err(Failure::usage(why));
        }
        Ok(())
    }

    /// Returns `request` with these conditions added.
    pub(crate) fn of(&self, request: MeasureRequest) -> MeasureRequest {
        let Self { cpus, one_cpu_each, load_kind, mlock, latency_hold, .. } = self;
        MeasureRequest {
            affinity: cpus.clone().map(|cpus| cpus.0),
            one_cpu_each: *one_cpu_each,
            lock_memory: *mlock,
            latency_hold: *latency_hold,
            timer_resolutions: self.timer_resolution.clone(),
            priority_class: self.priority_class,
            multimedia_task: self.multimedia_task.clone(),
            qos: self.qos,
            unthrottled: self.no_throttling,
            load_kind: *load_kind,
            ..request
        }
    }
}

impl MeasureArgs {
    /// Returns the measurement that these arguments ask for.
    pub(crate) fn request(&self) -> MeasureRequest {
        let trace = self.trace.request(self.late.on_late.is_some());
        MeasureRequest { trace, ..self.machine.of(self.plan.request()) }
    }

    /// Refuses options that would have no effect.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.plan.check()?;
        values::check_policies(&self.plan.conditions.policy)?;
        self.work.check(self.plan.interval)?;
        // What a command sleeps is known when it has slept.
        let keeps_schedule = self.plan.keeps_schedule() || self.command.is_some();
        self.output.checks.before(keeps_schedule, self.work.work)?;
        if self.trace.tier.is_some() && !self.trace.trace && self.late.on_late.is_none() {
            return Err(Failure::usage(
                "--tier needs --trace or --on-late: without them there is no evidence to choose",
            ));
        }
        if self.plan.interval.is_some() && self.plan.experiment.is_none() && self.command.is_some() {
            // The message names --interval, which was given, rather than the experiment that --interval implies.
            return Err(Failure::usage("--command keeps no schedule; leave out --interval"));
        }
        if self.trace.trace && self.flush_every.is_some() {
            return Err(Failure::usage("--flush-every cannot be used with --trace"));
        }
        if self.command.is_none() {
            self.machine.refuse_inside()?;
        }
        Ok(())
    }
}
