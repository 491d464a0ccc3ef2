//! `watch`: a measurement or a recording as it happens.
//!
//! Three kinds of threads: those that sleep, the coordinator that collects their samples once in a while, as in every
//! measurement, and this one, which draws four times a second and is behind everybody else. What is collected goes to it by a
//! channel, so a slow terminal delays nobody.

mod draw;
mod feed;
mod keys;
mod replay;
mod screen;
mod source;

use crate::args::WatchArgs;
use crate::failure::Failure;
use crate::show;
use clap::ColorChoice;
use oversleep_lab::report::Screen;
use screen::Shown;
use std::io::IsTerminal;

pub(crate) fn run(args: &WatchArgs) -> Result<(), Failure> {
    let request = args.request()?;
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            "watch draws on a terminal, and standard input and output are none; `measure` and `report` print instead",
        ));
    }
    let colour = terminal(args.color).colour;
    if let Some(file) = &args.file {
        let recording = replay::read(file, args.partial)?;
        return screen::run(replay::Replay::new(recording), Shown { colour, live: false });
    }
    let (measuring, watched) = source::Measuring::start(args, &request)?;
    let drawn = screen::run(watched, Shown { colour, live: true });
    // What was measured is shown and kept, however the watching ended.
    let results = measuring.finish()?;
    show::print(Err(results.text(terminal(args.color))))?;
    show::next(results.kept_in.as_deref(), false);
    drawn
}

fn terminal(color: ColorChoice) -> Screen {
    crate::args::OutputFormat { json: false, color }.screen()
}
