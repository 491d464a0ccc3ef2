//! Carrying out a plan on this machine, with everything around it: file, progress, Ctrl-C, exit code.

use crate::args::{Keep, LateArgs, LateTier, Output};
use crate::failure::Failure;
use crate::files::Kept;
use crate::interrupt;
use crate::progress::Bar;
use crate::say::say;
use crate::show;
use oversleep_lab::analysis::Summariser;
use oversleep_lab::analysis::patterns::diagnose;
use oversleep_lab::capture::sleeps::{self, Settings, Stop};
use oversleep_lab::report::{self, Look};
use oversleep_recording::plan::Plan;
use oversleep_recording::trace::Tier;
use oversleep_recording::{End, Meta, Origin, Recording, Sink};
use oversleep_sys::units::Nanos;

/// What a plan's run is told besides the plan.
pub(crate) struct Session<'a> {
    pub(crate) keep: &'a Keep,
    pub(crate) output: &'a Output,
    pub(crate) late: &'a LateArgs,
    pub(crate) late_tier: &'a LateTier,
    pub(crate) time_limit: Option<Nanos>,
    pub(crate) flush_every: Option<Nanos>,
    pub(crate) show: Show,
}

/// What is shown at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    /// Nothing: everything was printed on the way.
    Nothing,
    /// The figures.
    Figures,
    /// The figures and what they say of the causes. Keeps every sample in memory, so for short runs.
    Causes,
}

/// How often samples are collected where late sleeps are watched for.
const HEAR_OF_LATE: Nanos = Nanos::from_millis(100);

impl Session<'_> {
    /// Measures, keeps, shows. `lines`, if any, gets every sample as well, as it is collected.
    pub(crate) fn run(&self, plan: Plan, lines: Option<&mut dyn Sink>) -> Result<(), Failure> {
        let meta = describe(plan);
        let kept = Kept::create(self.keep, &meta)?;
        let stop = on_signals()?;
        let best = self.late_tier.late_tier.unwrap_or(Tier::Events);
        let late = show::Late::new(self.late, Some(best), &meta.plan, &stop, kept.path());
        // A late sleep is to be heard of while its trace is still there.
        let flush_every = self.flush_every.or(late.as_ref().map(|_| HEAR_OF_LATE));
        let settings = Settings { stop, time_limit: self.time_limit, flush_every };
        let mut sink = show::All {
            kept,
            late,
            summary: Summariser::new(&meta),
            csv: self.output.csv.then(|| show::csv(&meta)),
            recording: (self.show == Show::Causes).then(|| Recording::new(meta.clone())),
            lines,
        };
        let mut bar = Bar::new(self.output.quiet);
        let end = sleeps::run(&meta.plan, &settings, &mut sink, &mut bar)
            .map_err(|error| Failure::trouble(format!("cannot start a thread to sleep in: {error}")))?;
        bar.clear();
        sink.finish_late();
        if end == End::Interrupted && !sink.summary.notes().late.is_some_and(|late| late.stopped) {
            say!("interrupted; this is what was measured until then");
        }
        let show::All { kept, summary, csv, recording, .. } = sink;
        kept.finish();
        if let Some(csv) = csv {
            csv.finish()?;
            // Standard output is the samples' alone.
            let missing = report::notes::unavailable(&meta, summary.notes(), Look::PLAIN);
            missing.lines().for_each(|line| say!("{line}"));
            return show::verdict(&summary.finish(), self.output);
        }
        if self.show == Show::Nothing {
            return Ok(());
        }
        let note = summary.notes().clone();
        let diagnosis = recording.map(|recording| diagnose(&recording));
        show::results(&meta, &note, &summary.finish(), diagnosis.as_ref(), self.output)
    }
}

/// What is known before the first sample.
pub(crate) fn describe(plan: Plan) -> Meta {
    Meta {
        format: Meta::FORMAT,
        tool: concat!("oversleep ", env!("CARGO_PKG_VERSION")).to_owned(),
        origin: Origin::Live,
        started: Some(jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        plan,
        machine: oversleep_os::sysinfo::read(),
        unavailable: Vec::new(),
    }
}

/// A stop that Ctrl-C, SIGTERM and SIGHUP set off. A second one ends the process.
pub(crate) fn on_signals() -> Result<Stop, Failure> {
    let stop = Stop::default();
    let handle = stop.clone();
    interrupt::on_first(move || handle.stop())?;
    Ok(stop)
}
