//! `attach`: records the timed waits of a program that nobody changed.

use crate::args::{KeepArgs, OutputFormat, values};
use crate::failure::Failure;
use crate::say::say;
use crate::{running, show};
use clap::{Args as ClapArgs, ValueHint};
use oversleep_lab::capture::attach::Target;
use oversleep_lab::session::Runner;
use oversleep_os::program;
use oversleep_recording::End;
use oversleep_sys::units::Nanos;
use std::ffi::OsString;
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

/// What `attach` accepts.
#[derive(ClapArgs)]
pub(crate) struct AttachArgs {
    /// Process ID, or the name of a program that runs once
    #[arg(
        value_name = "PID|NAME",
        required_unless_present = "command",
        conflicts_with = "command",
        allow_hyphen_values = true
    )]
    pub(crate) program: Option<String>,
    /// End the recording after this time [default: when the program ends]
    #[arg(long, short, value_parser = values::duration, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) duration: Option<Nanos>,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    /// Do not print what is recorded
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// A command to start and record, with its arguments
    #[arg(last = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,
}
