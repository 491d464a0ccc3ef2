//! Traced measurements: sleeping with the kernel's own account, keeping it, and showing where the lateness went.

use crate::args::{Keep, LateArgs};
use crate::failure::Failure;
use crate::files::Kept;
use crate::say::say;
use crate::session::{describe, on_signals};
use crate::show;
use oversleep_lab::analysis::Summariser;
use oversleep_lab::analysis::attribution::{late_sleeps, trace_documents};
use oversleep_lab::capture::trace::{Settings, refusal, run};
use oversleep_lab::report::breakdown::{self, Json};
use oversleep_lab::report::check::FailIf;
use oversleep_lab::report::{self, Look};
use oversleep_recording::plan::Plan;
use oversleep_recording::{End, Meta, Recording};
use std::io::{self, Write};
use std::path::PathBuf;

/// What a traced run is told besides its plan.
pub(super) struct Tracing<'a> {
    pub(super) late: &'a LateArgs,
    pub(super) keep: &'a Keep,
    /// The name that files around late sleeps begin with, where no recording is kept.
    pub(super) beside: Option<PathBuf>,
    pub(super) csv: bool,
    pub(super) json: bool,
    /// Whether JSON holds every sleep's breakdown.
    pub(super) every: bool,
    pub(super) look: Look,
    pub(super) fail_if: &'a [FailIf],
}

impl Tracing<'_> {
    /// Sleeps, keeps, shows. Nothing is printed while sleeping.
    pub(super) fn run(&self, plan: Plan, settings: &Settings) -> Result<(), Failure> {
        let refused: Vec<_> = plan.traced_pairs().iter().filter_map(|(_, traced)| refusal(traced)).collect();
        if let Some(why) = refused.first().filter(|_| refused.len() == plan.traced_pairs().len()) {
            return Err(Failure::trouble(why));
        }
        let meta = describe(plan);
        let kept = Kept::create(self.keep, &meta)?;
        let stop = on_signals()?;
        let late = show::Late::of_traced(self.late, &meta.plan, &stop, kept.path().or_else(|| self.beside.clone()));
        let settings = Settings { rule: self.late.rule(Some(settings.best)), stop, ..settings.clone() };
        let mut sink = show::All {
            kept,
            late,
            summary: Summariser::new(&meta),
            csv: self.csv.then(|| show::csv(&meta)),
            recording: Some(Recording::new(meta.clone())),
            lines: None,
        };
        let end = run(&meta.plan, &settings, &mut sink);
        sink.finish_deeds();
        let show::All { kept, summary, csv, recording, .. } = sink;
        kept.finish();
        let Some(recording) = recording else { return Ok(()) };
        if let Some(csv) = csv {
            csv.finish()?;
            let missing = report::notes::unavailable(&meta, &recording.note, Look::PLAIN);
            missing.lines().for_each(|line| say!("{line}"));
        } else {
            show(&recording, self.json, self.every, self.look)?;
        }
        verdict(&meta, &recording, &end)?;
        show::limits(&summary.finish(), self.fail_if)
    }
}

/// Whether anything was traced, and what cut it short.
fn verdict(meta: &Meta, recording: &Recording, end: &End) -> Result<(), Failure> {
    let traced: u64 = recording.note.traced_sleeps.iter().map(|block| block.sleeps).sum();
    let is_traced = |cell: u32| recording.note.tracing.iter().any(|tracing| tracing.cell == cell);
    for (_, cell) in meta.plan.traced_pairs() {
        if let Some(why) = refusal(cell).filter(|_| !is_traced(cell.id)) {
            say!("{} is not traced: {why}", cell.method);
        }
    }
    let by_itself = recording.note.late.is_some_and(|late| late.stopped);
    let pairs = meta.plan.traced_pairs();
    let planned = meta.plan.turns.iter().filter(|turn| pairs.iter().any(|(_, traced)| traced.id == turn.cell));
    let planned: u64 = planned.map(|turn| turn.sleeps).sum();
    let cut = match end {
        End::Interrupted if traced < planned && !by_itself => Some("interrupted"),
        End::TimeOver => Some("the time was over"),
        _ => None,
    };
    if let Some(cut) = cut {
        say!("{cut}; this is what was traced until then: {traced} of {planned} sleeps");
    }
    if traced == 0 && !by_itself {
        return Err(Failure::trouble("no sleep was traced; the lines above say why"));
    }
    Ok(())
}

/// Shows what a traced recording says: the same for the run that made it as for its file.
pub(super) fn show(recording: &Recording, json: bool, every: bool, look: Look) -> Result<(), Failure> {
    let traces = trace_documents(recording, every);
    let late = late_sleeps(&recording.meta.plan, &recording.note);
    let mut out = anstream::stdout().lock();
    if json {
        let document = serde_json::to_value(Json::new(&traces, late.as_ref())).map_err(io::Error::from)?;
        writeln!(out, "{document:#}")?;
    } else {
        write!(out, "{}", breakdown::text(&traces, late.as_ref(), look))?;
    }
    Ok(out.flush()?)
}
