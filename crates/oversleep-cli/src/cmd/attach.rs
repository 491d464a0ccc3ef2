//! `attach`: records the timed waits of a program that nobody changed.

use crate::args::AttachArgs;
use crate::failure::Failure;
use crate::say::say;
use crate::{running, show};
use oversleep_lab::capture::attach::Target;
use oversleep_lab::session::Runner;
use oversleep_os::program;
use oversleep_recording::End;
use std::process::Command;

pub(crate) fn run(args: &AttachArgs) -> Result<(), Failure> {
    let target = target(args)?;
    if !args.quiet
        && let Target::Running(program) = &target
    {
        let until = if args.duration.is_some() { "" } else { "; Ctrl-C ends the recording, not the program" };
        say!("recording the waits of {} ({}){until}", program.command, program.pid);
        if program.is_stopped() {
            say!("it is stopped: until it is continued, it makes no waits");
        }
    }
    let run = Runner { keep: args.keep.place()?, time_limit: args.duration, ..running::run()? };
    let results = run.attach(target)?;
    if let Some(attached) =
        results.attached.as_ref().filter(|attached| attached.program.started && !attached.program.ended)
    {
        say!("{} ({}) goes on", attached.program.command, attached.program.pid);
    }
    if results.note.end == Some(End::Interrupted) {
        say!("interrupted; this is what was seen until then");
    }
    show::print(if args.shown.json { Ok(results.json()) } else { Err(results.text(args.shown.screen())) })
}

fn target(args: &AttachArgs) -> Result<Target, Failure> {
    if let Some((name, arguments)) = args.command.split_first() {
        let words: Vec<_> = args.command.iter().map(|word| word.to_string_lossy()).collect();
        let mut command = Command::new(name);
        command.args(arguments);
        return Ok(Target::Start { command, line: words.join(" ") });
    }
    let found = program::find(args.program.as_deref().unwrap_or_default());
    found.map(Target::Running).map_err(|refusal| Failure::trouble(refusal.reason().to_owned()))
}
