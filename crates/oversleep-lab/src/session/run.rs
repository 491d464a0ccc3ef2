//! Runs of a plan on this machine or on a simulated kernel, with files, late sleeps and subscribers.

use super::diagnose::DiagnosePlan;
use super::late::{LateActor, LateRequest};
use super::recording_file::{Keep, RecordingFile};
use super::results::Results;
use super::sinks::LateWatch;
use super::sinks::{EarlyWarning, Sinks};
use super::{Notice, TraceRequest};
use oversleep_capture::late::Watch;
use oversleep_capture::runtimes::{self, StartError};
use oversleep_capture::sleeps::{self, Observer, SleepRunSettings, Stop};
use oversleep_capture::{attach, clocks, stalls, trace};
use oversleep_os::trace::Setup;
use oversleep_recording::file::WriteError;
use oversleep_recording::plan::Plan;
use oversleep_recording::trace::Tier;
use oversleep_recording::{End, Meta, Note, Origin, Sink, Unobtained};
use oversleep_sim::{FrequencyChange, Kernel, Simulation};
use oversleep_sys::units::Nanos;
use std::io;
use std::path::{Path, PathBuf};

/// How often samples are collected when watching for late sleeps: often enough to find a late sleep's trace still
/// there.
const COLLECT_FOR_LATE: Nanos = Nanos::from_millis(100);

/// Takes the path of a recording that was opened.
pub type Opened<'a> = &'a dyn Fn(Option<&Path>);

/// A runner of plans: how a plan is run, and where its samples go besides the figures.
pub struct Runner<'a> {
    /// Name and version of the program, for the recording.
    pub tool: &'a str,
    /// Where the recording is kept.
    pub keep: Keep,
    /// Whether all samples are also kept in memory: for short runs.
    pub in_memory: bool,
    /// Takes every sample and note as it is collected.
    pub subscriber: Option<&'a mut dyn Sink>,
    /// Handle that ends the run early.
    pub stop: Stop,
    /// Duration after which the run ends.
    pub time_limit: Option<Nanos>,
    /// How often samples are collected and flushed.
    pub flush_every: Option<Nanos>,
    /// Threshold and actions for late sleeps; `None` to not watch for them.
    pub late: Option<LateRequest>,
    /// Path whose stem the files around late sleeps begin with, if no recording is kept.
    pub beside: Option<PathBuf>,
    /// Takes the path of the recording before the first sample; `None` if there is no recording.
    pub opened: Option<Opened<'a>>,
    /// Takes lines about the run that are not results: where the file is, what could not be kept.
    pub notice: Notice<'a>,
}

impl<'a> Runner<'a> {
    /// Returns a runner that keeps only the figures and does not end early.
    pub fn new(tool: &'a str, notice: Notice<'a>) -> Self {
        Self {
            tool,
            keep: Keep::Nowhere,
            in_memory: false,
            subscriber: None,
            stop: Stop::default(),
            time_limit: None,
            flush_every: None,
            late: None,
            beside: None,
            opened: None,
            notice,
        }
    }

    /// Runs a plan on this machine.
    ///
    /// # Errors
    /// If a file asked for by name cannot be made or written, or no thread can be started. Methods and conditions that
    /// are unavailable are noted in the recording.
    pub fn measure(self, plan: Plan, observer: &mut dyn Observer) -> Result<Results, RunError> {
        let flush_every = self.flush_every.or(self.late.as_ref().map(|_| COLLECT_FOR_LATE));
        let settings =
            SleepRunSettings { stop: self.stop.clone(), time_limit: self.time_limit, flush_every, counting: None };
        let meta = Meta { time_limit: self.time_limit, ..describe(plan, self.tool) };
        self.with_sinks(&meta, Watching::Samples { simulated: false }, |meta, sinks| {
            let settings = SleepRunSettings { counting: sinks.counting(), ..settings };
            sleeps::run(&meta.plan, &settings, sinks, observer).map(drop).map_err(RunError::Thread)
        })
    }

    /// Runs a plan on a simulated kernel. The clock changes its frequency at `changes`.
    ///
    /// # Errors
    /// If a file asked for by name cannot be made or written.
    pub fn simulate(self, kernel: &Kernel, plan: &Plan, changes: &[FrequencyChange]) -> Result<Results, RunError> {
        let meta = oversleep_sim::meta(kernel, plan);
        self.with_sinks(&meta, Watching::Samples { simulated: true }, |_, sinks| {
            // A cell that ends before its plan is complete is noted in the recording.
            let _ = Simulation::new(kernel, plan, plan.seed).changes(changes).run(sinks);
            Ok(())
        })
    }

    /// Runs a plan's traced cells and their untraced counterparts, on the calling thread.
    ///
    /// # Errors
    /// If a file asked for by name cannot be made or written, or none of the cells can be traced.
    pub fn trace(self, plan: Plan, request: &TraceRequest) -> Result<(Results, End), RunError> {
        let mut refused: Vec<_> = plan.traced_pairs().iter().filter_map(|(_, cell)| trace::refusal(cell)).collect();
        if !refused.is_empty() && refused.len() == plan.traced_pairs().len() {
            return Err(RunError::Refused(refused.remove(0).to_string()));
        }
        let best = request.tier.unwrap_or(Tier::Events);
        let settings = trace::TraceRunSettings {
            best,
            setup: Setup { explain: !request.marks_only, ..Setup::default() },
            rule: self.late.as_ref().map(|late| LateRequest { tier: Some(best), ..late.clone() }.rule(false)),
            stop: self.stop.clone(),
            time_limit: self.time_limit,
        };
        let meta = Meta { time_limit: self.time_limit, ..describe(plan, self.tool) };
        let mut end = End::Complete;
        let results = Self { in_memory: true, ..self }.with_sinks(&meta, Watching::Itself, |meta, sinks| {
            end = trace::run(&meta.plan, &settings, sinks);
            Ok(())
        })?;
        Ok((results, end))
    }

    /// Runs the baseline and the variants of a diagnosis, after its traced cells.
    ///
    /// # Errors
    /// As [`Runner::measure`].
    pub fn diagnose(self, plan: DiagnosePlan, observer: &mut dyn Observer) -> Result<Results, RunError> {
        let settings = SleepRunSettings {
            stop: self.stop.clone(),
            time_limit: Some(plan.time_limit),
            ..SleepRunSettings::default()
        };
        let traced = trace::TraceRunSettings { stop: self.stop.clone(), ..trace::TraceRunSettings::default() };
        let meta = Meta { unavailable: plan.unavailable, ..describe(plan.plan, self.tool) };
        let untraced = meta.plan.untraced();
        Self { in_memory: true, ..self }.with_sinks(&meta, Watching::Samples { simulated: false }, |meta, sinks| {
            if plan.trace {
                trace_first(&meta.plan, &traced, sinks);
            }
            sleeps::run(&untraced, &settings, sinks, observer).map(drop).map_err(RunError::Thread)
        })
    }

    /// Watches processors for stalls; `left` are the processors that are not watched.
    ///
    /// # Errors
    /// If a file asked for by name cannot be made or written, or a thread cannot be started.
    pub fn stalls(
        self,
        options: &stalls::StallOptions,
        left: &[u32],
        progress: &mut dyn FnMut(stalls::StallRunProgress),
    ) -> Result<Results, RunError> {
        let meta = describe(stalls::plan(options), self.tool);
        Self { stop: options.stop.clone(), ..self }.with_sinks(&meta, Watching::Itself, |_, sinks| {
            stalls::run(options, left, sinks, progress)
                .map(drop)
                .map_err(|refusal| RunError::Refused(refusal.to_string()))
        })
    }

    /// Records the timed waits of another program, until it ends, the time is over or somebody stops the run.
    ///
    /// # Errors
    /// If kernel events are not available, a command cannot be started, or a file asked for by name cannot be made or
    /// written.
    pub fn attach(self, target: attach::Target) -> Result<Results, RunError> {
        let settings =
            attach::AttachSettings { setup: Setup::default(), stop: self.stop.clone(), time_limit: self.time_limit };
        let meta = Meta { time_limit: self.time_limit, ..describe(attach::plan(), self.tool) };
        self.with_sinks(&meta, Watching::Itself, |_, sinks| {
            let ran = attach::run(target, &settings, sinks);
            ran.map(drop).map_err(|refusal| RunError::Refused(refusal.reason().to_owned()))
        })
    }

    /// Reads clocks until `progress` returns `false` or everything is measured.
    ///
    /// # Errors
    /// If none of the clocks can be read, or a file asked for by name cannot be made or written.
    pub fn clocks(
        self,
        asked: &clocks::Clocks,
        options: &clocks::ClockOptions,
        progress: &mut dyn FnMut(clocks::SurveyProgress<'_>) -> bool,
    ) -> Result<Results, RunError> {
        if asked.is_empty() {
            let reason = |missing: &Unobtained| format!("{}: {}", missing.kind, missing.why);
            let reasons: Vec<_> = asked.unavailable.iter().map(reason).collect();
            return Err(RunError::Refused(reasons.join("; ")));
        }
        let meta = describe(clocks::plan(), self.tool);
        let stop = self.stop.clone();
        self.with_sinks(&meta, Watching::Itself, |_, sinks| {
            clocks::survey(asked, options, sinks, &mut |made| progress(made) && !stop.stopped());
            Ok(())
        })
    }

    /// Measures sleeps of other programs: timers of language runtimes, or a command that speaks the protocol of probes.
    ///
    /// # Errors
    /// If a file asked for by name cannot be made or written, or no thread can be started. Programs that are missing
    /// and those that fail are noted in the recording.
    pub fn runtimes(
        self,
        plan: Plan,
        launches: &[runtimes::Launch],
        extra: ExtraSleeps,
        progress: &mut dyn FnMut(runtimes::ProbeRunProgress<'_>),
    ) -> Result<Results, RunError> {
        let ExtraSleeps { warm_up, traced } = extra;
        let settings = runtimes::ProbeRunSettings {
            stop: self.stop.clone(),
            time_limit: self.time_limit,
            warm_up,
            traced,
            ..runtimes::ProbeRunSettings::default()
        };
        let meta = Meta { time_limit: self.time_limit, ..describe(plan, self.tool) };
        self.with_sinks(&meta, Watching::Samples { simulated: false }, |meta, sinks| {
            runtimes::run(&meta.plan, launches, &settings, sinks, progress).map(drop).map_err(RunError::from)
        })
    }

    fn with_sinks(
        self,
        meta: &Meta,
        watching: Watching,
        run: impl FnOnce(&Meta, &mut Sinks<'_>) -> Result<(), RunError>,
    ) -> Result<Results, RunError> {
        let file = RecordingFile::create(&self.keep, meta, &self.stop, self.notice, self.opened)?;
        if let Some(opened) = self.opened {
            opened(file.path());
        }
        let late = self.late.as_ref().map(|late| {
            // Segments are replaced one after the other, and traces beside them would stay.
            let kept = file.path().filter(|_| !matches!(self.keep, Keep::Segments(_)));
            let beside = kept.map(Path::to_owned).or(self.beside);
            let actor = LateActor::new(late, &self.stop, beside, self.notice);
            let (watch, simulated) = match watching {
                Watching::Samples { simulated } => (Some(Watch::new(late.rule(simulated), &meta.plan)), simulated),
                Watching::Itself => (None, false),
            };
            LateWatch::new(watch, actor, meta.plan.clone(), simulated)
        });
        let early = EarlyWarning::of_long(&meta.plan, self.notice);
        let mut sinks = Sinks::new(meta, file, self.in_memory, self.subscriber, late, early);
        if let Err(error) = run(meta, &mut sinks) {
            sinks.abandon();
            return Err(error);
        }
        sinks.finish_late();
        let (results, file) = sinks.finish();
        // What is not a file, such as a pipe, cannot be read again.
        let kept_in = file.finish(self.notice)?.filter(|path| path.is_file());
        Ok(Results { kept_in, ..results })
    }
}

/// Sleeps that programs make in addition to those of the plan.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExtraSleeps {
    /// Sleeps of each program before its first sample.
    pub warm_up: u64,
    /// Sleeps of each program and request after its last sample, with their system calls recorded.
    pub traced: u64,
}

impl ExtraSleeps {
    /// Number of sleeps per request that suffices to see which system calls a program makes.
    pub const TRACED: u64 = 20;
}

/// What looks for late sleeps.
#[derive(Clone, Copy)]
enum Watching {
    /// The session looks among the samples.
    Samples {
        /// Whether the run is simulated, so that there is no machine to trace.
        simulated: bool,
    },
    /// The run itself looks, if anything does.
    Itself,
}

/// Runs the traced cells, and notes what was unavailable.
fn trace_first(plan: &Plan, settings: &trace::TraceRunSettings, sinks: &mut Sinks<'_>) {
    let unavailable = if let Some(why) = trace::refusal(&plan.cells[0]) {
        vec![Unobtained::new("trace", &why)]
    } else {
        trace::pairs(plan, settings, sinks);
        let first = sinks.notes().tracing.first();
        let tiers = first.map_or(&[][..], |tracing| &tracing.refused).iter();
        tiers.map(|tier| Unobtained::new(&format!("trace by {}", tier.tier.name()), &tier.why)).collect()
    };
    sinks.note(&Note { unavailable, ..Note::default() });
}

/// Reason why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The recording's file cannot be made or written.
    #[error(transparent)]
    Keep(#[from] WriteError),
    /// No thread can be started.
    #[error("cannot start a thread to sleep in: {0}")]
    Thread(io::Error),
    /// No temporary folder can be made.
    #[error("cannot make a temporary folder in {}: {}", .within.display(), without_path(.error))]
    Folder {
        /// The folder in which it was to be.
        within: PathBuf,
        /// Reason.
        error: io::Error,
    },
    /// The machine does not allow this run; with the reason.
    #[error("{0}")]
    Refused(String),
}

impl From<StartError> for RunError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Thread(error) => Self::Thread(error),
            StartError::Folder { within, error } => Self::Folder { within, error },
        }
    }
}

/// Returns an error without the path that was tried: its last part is made up.
fn without_path(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" at path ").next().unwrap_or_default().to_owned()
}

/// Returns the head of a recording of this machine that begins now; `tool` is the name and version of the program.
pub fn describe(plan: Plan, tool: &str) -> Meta {
    let started = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let machine = oversleep_os::sysinfo::read();
    Meta { started: Some(started), machine, ..Meta::new(tool, Origin::Live, plan) }
}
