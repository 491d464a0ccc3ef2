//! `clocks`: what reading the clocks of this machine costs, and how exact they are.

use crate::args::{ClocksArgs, OutputFormat};
use crate::failure::Failure;
use crate::progress::new_bar;
use crate::running;
use clap::ColorChoice;
use indicatif::ProgressBar;
use oversleep_lab::capture::clocks::{ClockOptions, Clocks, SurveyProgress};
use oversleep_lab::report::clocks as report;
use oversleep_lab::report::header::header;
use oversleep_lab::session::Runner;

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
            Err(header(&results.meta, &results.note, &[], screen) + &report::text(&found, args.all_pairs))
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
