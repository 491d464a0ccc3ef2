//! `watch`: shows a measurement or a recording as it happens.
//!
//! There are four kinds of threads: those that sleep; the coordinator that collects their samples now and then, as in
//! every measurement; the main one, which draws four times a second at the lowest priority, on a processor where no
//! thread sleeps if there is one; and one that reads keys.
//! Samples reach the main thread by a channel, so a slow terminal delays no other thread.

mod draw;
mod drawing_cpus;
mod feed;
mod keys;
mod replay;
mod screen;
mod source;

use crate::args::WatchArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::show;
use clap::ColorChoice;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::report::Screen;
use screen::Shown;
use std::io::IsTerminal;
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
