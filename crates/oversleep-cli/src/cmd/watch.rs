//! `watch`: shows a measurement or a recording as it happens.
//!
//! There are four kinds of threads: those that sleep; the coordinator that collects their samples now and then, as in
//! every measurement; the main one, which draws four times a second at the lowest priority, on a processor where no
//! thread sleeps if there is one; and one that reads keys.
//! Samples reach the main thread by a channel, so a slow terminal delays no other thread.

mod draw;
mod replay;
mod screen;
mod source;

use crate::args::{ConditionArgs, KeepArgs, LateArgs, LateTier, OfMachines, PlanArgs, values};
use crate::failure::Failure;
use crate::{interrupt, show};
use clap::{Args as ClapArgs, ColorChoice, ValueHint};
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::report::Screen;
use oversleep_lab::session::MeasureRequest;
use oversleep_recording::plan::Kind;
use oversleep_sys::units::Nanos;
use screen::Shown;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn run(args: &WatchArgs) -> Result<(), Failure> {
    let request = args.request()?;
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            "watch needs a terminal as standard input and output; `measure` and `report` print without one",
        ));
    }
    let colour = terminal(args.color).colour;
    if let Some(file) = &args.file {
        let recording = replay::read(file, args.partial)?;
        let ended = on_signals(Stop::default())?;
        return screen::run(replay::Replay::new(recording), Shown { colour, live: false, on_late: None }, &ended);
    }
    let stop = Stop::default();
    let ended = on_signals(stop.clone())?;
    let (measuring, watched) = source::Measuring::start(args, &request, stop)?;
    let drawn = screen::run(watched, Shown { colour, live: true, on_late: args.late.on_late }, &ended);
    // What was measured is shown and kept, even if drawing failed.
    let results = measuring.finish()?;
    show::print(Err(results.text(terminal(args.color))))?;
    show::next(&results, false);
    drawn
}

/// Returns a flag that Ctrl-C, SIGTERM and SIGHUP set together with `stop`. (A run may stop for other reasons: then the
/// flag is not set, and the results stay on the screen.) A second signal restores the terminal and ends the process.
fn on_signals(stop: Stop) -> Result<Arc<AtomicBool>, Failure> {
    let ended = Arc::new(AtomicBool::new(false));
    let mark = Arc::clone(&ended);
    let first = move || {
        mark.store(true, Ordering::Relaxed);
        stop.stop();
    };
    interrupt::on_first_and_later(first, ratatui::restore)?;
    Ok(ended)
}

fn terminal(color: ColorChoice) -> Screen {
    crate::args::OutputFormat { json: false, color }.screen()
}

#[derive(ClapArgs)]
pub(crate) struct WatchArgs {
    /// A recording to replay; without one this machine is measured
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = [
        "experiment", "method", "request", "count", "duration", "interval", "from", "to", "on_late",
        "out", "no_save",
    ])]
    pub(crate) file: Option<PathBuf>,
    /// Of a damaged file, use what comes before the damage
    #[arg(long, requires = "file")]
    pub(crate) partial: bool,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) machine: ConditionArgs<OfMachines>,
    #[command(flatten)]
    pub(crate) late: LateArgs,
    #[command(flatten)]
    pub(crate) late_tier: LateTier,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    /// When to use colour
    #[arg(help_heading = "Output", long, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

/// How long `watch` measures without `--duration` or `--count`.
const HOUR: Nanos = Nanos::from_secs(3_600);

impl WatchArgs {
    /// Returns the measurement that these arguments ask for: as `measure` does, but an hour long by default.
    pub(crate) fn request(&self) -> Result<MeasureRequest, Failure> {
        if self.plan.prints_lines() || self.plan.as_published || self.plan.debug {
            return Err(Failure::usage("watch prints no lines; leave --experiment wall-second to `measure`"));
        }
        values::check_policies(&self.plan.conditions.requested)?;
        let mut request = self.plan.request();
        request.conditions.extend(&self.machine.requested);
        if request.experiment() == Some(Kind::Periodic) && request.methods.len() > 1 {
            return Err(Failure::usage(
                "watch keeps one schedule; name one method (`measure -i` keeps the schedules of several, one after another)",
            ));
        }
        let lasts = matches!(request.experiment(), None | Some(Kind::Periodic));
        if lasts && request.repeats.is_none() && request.duration.is_none() {
            request.duration = Some(HOUR);
        }
        Ok(request)
    }
}
