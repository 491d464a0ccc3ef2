//! `clocks`: what reading the clocks of this machine costs, and how exact they are.

use crate::args::{KeepArgs, OutputFormat, values};
use crate::failure::Failure;
use crate::progress::new_bar;
use crate::running;
use clap::{Args as ClapArgs, ColorChoice};
use indicatif::ProgressBar;
use oversleep_lab::capture::clocks::{ClockOptions, Clocks, SurveyProgress};
use oversleep_lab::report::clocks as report;
use oversleep_lab::report::headline::of_clocks;
use oversleep_lab::session::Runner;
use oversleep_recording::catalog::{CLOCKS, ClockId};
use oversleep_sys::units::Nanos;

/// Measures the clocks. Results go to standard output, progress to standard error between measurements.
pub(crate) fn run(args: &ClocksArgs) -> Result<(), Failure> {
    let mut options = if args.quick { ClockOptions::quick() } else { ClockOptions::default() };
    options.readers = args.load.unwrap_or(0);
    options.drift = args.duration.unwrap_or(options.drift);
    let stop = running::on_signals()?;
    let bar = new_bar(args.quiet, 30);
    let run = Runner { keep: args.keep.place()?, ..running::unstoppable() };
    let results = run.clocks(&Clocks::open(&args.clock), &options, &mut |progress| {
        show(&bar, progress);
        !stop.stopped()
    })?;
    bar.finish_and_clear();
    let Some(found) = results.clocks() else { return Ok(()) };
    crate::show::print(match () {
        () if args.as_published => Err(report::as_the_article(&found)),
        () if args.json => Ok(results.json()),
        () => {
            let screen = OutputFormat { json: false, color: ColorChoice::Auto }.screen();
            Err(results.shown(&of_clocks(&found), &report::text(&found, args.all_pairs), screen))
        }
    })
}

/// Draws the bar, between measurements.
fn show(bar: &ProgressBar, progress: SurveyProgress<'_>) {
    bar.set_length(1_000);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 1000
    bar.set_position((progress.done * 1_000.0) as u64);
    let seconds = (progress.remaining.get() + 999_999_999) / 1_000_000_000;
    bar.set_message(format!("{}, about {seconds} s left", progress.next));
}

/// What `clocks` accepts.
#[derive(ClapArgs)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub(crate) struct ClocksArgs {
    /// Only these clocks, such as monotonic,counter-ordered [default: every clock of this system]
    #[arg(long, short, value_delimiter = ',', value_parser = clock, value_name = "NAME")]
    pub(crate) clock: Vec<ClockId>,
    /// How long to follow the drift between clocks [default: 5s; with --quick 1s]
    #[arg(long, short, value_parser = drift, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) duration: Option<Nanos>,
    /// Make fewer calls: about 4 s instead of 25
    #[arg(long)]
    pub(crate) quick: bool,
    /// Also measure what a reading costs while this many threads read the same clock
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) load: Option<u16>,
    /// Print only the rows of the OS X clocks article, in its format
    #[arg(long, conflicts_with_all = ["json", "load"])]
    pub(crate) as_published: bool,
    /// Show the drift between all pairs, including clocks that repeat others
    #[arg(long, conflicts_with_all = ["json", "as_published"])]
    pub(crate) all_pairs: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
}

fn clock(name: &str) -> Result<ClockId, String> {
    let known = || CLOCKS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    ClockId::from_name(name).ok_or_else(|| format!("unknown clock '{name}'; use one of {}", known()))
}

/// Parses for how long to follow the drift: 200 ms to 24 h. A day is far beyond what drift needs; less than 200 ms has
/// too few rounds for an interval.
fn drift(text: &str) -> Result<Nanos, String> {
    let time = values::duration(text)?;
    if (Nanos::from_millis(200)..=Nanos::from_secs(86_400)).contains(&time) {
        Ok(time)
    } else {
        Err("drift can be followed for 200ms to 24h".to_owned())
    }
}
