//! What `measure` can be told.

use super::{Keep, LateArgs, LateTier, Output, TraceOptions, values};
use crate::args::values::Cpus;
use crate::failure::Failure;
use clap::{Args as ClapArgs, ValueEnum};
use oversleep_lab::session::{self, MeasureRequest};
use oversleep_recording::plan::{LoadKind, Pattern, Phase, Policy};
use oversleep_sys::units::Nanos;

/// The classic experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Experiment {
    /// Herman 2004: sleep to the next second of the wall clock; one signed error per line (200 times)
    Herman,
    /// Rizzo 2009: error against requested duration, 1 µs to 10 s, for usleep, nanosleep, select and poll
    Rizzo,
    /// O'Neill 2003: 14 requests from 0 to 1000 ms, 50 times each, beside 0 to 5 busy threads
    Oneill,
    /// An absolute schedule, as cyclictest keeps: 1 ms for 10 s, every period accounted for
    Periodic,
}

#[derive(ClapArgs)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub(crate) struct MeasureArgs {
    /// One of the classic experiments, with its published defaults
    #[arg(long, short, value_enum)]
    pub(crate) experiment: Option<Experiment>,
    /// Methods, as `oversleep list` names them; or `all` [default: nanosleep]
    #[arg(long, short, value_delimiter = ',', value_name = "NAME")]
    pub(crate) method: Vec<String>,
    /// Requests, such as 250us,1ms; a range such as 200us..60ms draws each sleep's anew [default: 1ms]
    #[arg(long, short, value_delimiter = ',', value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) request: Vec<Pattern>,
    /// Sleeps of each cell; periods of a schedule
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) repeats: Option<u64>,
    /// With --experiment periodic: its period [default: 1ms]
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) period: Option<Nanos>,
    /// With --experiment rizzo: the shortest request of the sweep
    #[arg(long, value_parser = values::request, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) from: Option<Nanos>,
    /// With --experiment rizzo: the longest request of the sweep
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) to: Option<Nanos>,
    /// End the run after this time, whatever is left
    #[arg(long, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Nanos>,
    /// Collect and flush samples this often, up to every second: for tests of what a killed run leaves
    #[arg(long, hide = true, value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) flush_every: Option<Nanos>,
    /// Scheduling policies: other, batch, idle, fifo:80, rr:10, deadline:100us/1ms
    #[arg(long, short, value_delimiter = ',', value_name = "POLICY")]
    pub(crate) policy: Vec<Policy>,
    /// Niceness, -20 to 19
    #[arg(long, allow_hyphen_values = true, value_parser = clap::value_parser!(i32).range(-20..=19))]
    pub(crate) nice: Option<i32>,
    /// Processors the threads may use, such as 0 or 0-3
    #[arg(long, short, value_parser = values::cpus, value_name = "CPUS")]
    pub(crate) affinity: Option<Cpus>,
    /// With --affinity: each thread on one of those processors, in turn
    #[arg(long, requires = "affinity")]
    pub(crate) one_cpu_each: bool,
    /// Timer slacks, such as 1ns,50us
    #[arg(long, value_delimiter = ',', value_parser = values::positive, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) slack: Vec<Nanos>,
    /// Lock the process's memory
    #[arg(long)]
    pub(crate) mlock: bool,
    /// Hold the processors' wake-up latency to this (through `/dev/cpu_dma_latency`)
    #[arg(long, value_parser = values::request, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) latency_hold: Option<Nanos>,
    /// Busy threads beside the sleepers, such as 0,1,2
    #[arg(long, short, value_delimiter = ',', value_name = "N")]
    pub(crate) load: Vec<u16>,
    /// With --load: what busy threads do [default: spin]
    #[arg(long, value_enum)]
    pub(crate) load_kind: Option<Kind>,
    /// How many threads sleep at once
    #[arg(long, short, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Between two sleeps: back-to-back, random, random:10ms
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<Phase>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// With --experiment herman: lines exactly as he printed them (%.6f)
    #[arg(long)]
    pub(crate) as_published: bool,
    /// With --experiment herman: lines with the wall-clock time in front
    #[arg(long)]
    pub(crate) debug: bool,
    #[command(flatten)]
    pub(crate) trace: TraceOptions,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) late_tier: LateTier,
    #[command(flatten)]
    pub(crate) keep: Keep,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// What a busy thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Counts
    Spin,
    /// Walks memory
    Memory,
    /// Makes system calls
    Syscalls,
    /// Sleeps on short timers
    Timers,
}

impl Experiment {
    const fn request(self) -> session::Experiment {
        match self {
            Self::Herman => session::Experiment::Herman,
            Self::Rizzo => session::Experiment::Rizzo,
            Self::Oneill => session::Experiment::Oneill,
            Self::Periodic => session::Experiment::Periodic,
        }
    }
}

impl Kind {
    const fn request(self) -> LoadKind {
        match self {
            Self::Spin => LoadKind::Spin,
            Self::Memory => LoadKind::Memory,
            Self::Syscalls => LoadKind::Syscalls,
            Self::Timers => LoadKind::Timers,
        }
    }
}

impl MeasureArgs {
    /// Returns what is to be slept.
    pub(crate) fn request(&self) -> MeasureRequest {
        MeasureRequest {
            experiment: self.experiment.map(Experiment::request),
            methods: self.method.clone(),
            requests: self.request.clone(),
            repeats: self.repeats,
            period: self.period,
            from: self.from,
            to: self.to,
            policies: self.policy.clone(),
            nice: self.nice,
            affinity: self.affinity.clone().map(|cpus| cpus.0),
            one_cpu_each: self.one_cpu_each,
            slacks: self.slack.clone(),
            lock_memory: self.mlock,
            latency_hold: self.latency_hold,
            loads: self.load.clone(),
            load_kind: self.load_kind.map(Kind::request),
            threads: Some(self.threads),
            phase: self.phase,
            seed: Some(self.seed),
            trace: self.trace.trace.then(|| self.trace.evidence.request(self.late.on_late.is_some())),
        }
    }

    /// Refuses options that concern the lines of Herman's experiment where there are none, and those that tracing has no
    /// use for.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let herman = self.experiment == Some(Experiment::Herman);
        for (given, option) in [(self.as_published, "--as-published"), (self.debug, "--debug")] {
            if given && !herman {
                return Err(Failure::usage(format!("{option} is for --experiment herman; leave it out here")));
            }
        }
        if self.trace.trace && self.late_tier.late_tier.is_some() {
            return Err(Failure::usage("with --trace, --tier says which evidence is used; leave --late-tier out"));
        }
        if self.trace.trace && self.flush_every.is_some() {
            return Err(Failure::usage("--flush-every is not for --trace"));
        }
        Ok(())
    }
}
