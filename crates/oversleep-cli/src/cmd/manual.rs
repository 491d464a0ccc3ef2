//! Completions and manual pages, made from the command line's own description.

use crate::args::Args;
use crate::failure::Failure;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io;
use std::path::Path;

/// A completion script on standard output.
#[allow(clippy::unnecessary_wraps)] // every command answers alike
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    clap_complete::generate(shell, &mut Args::command(), "oversleep", &mut io::stdout());
    Ok(())
}

/// A page for the program and one for each command.
pub(crate) fn pages(folder: &Path) -> Result<(), Failure> {
    clap_mangen::generate_to(Args::command(), folder)
        .map_err(|error| Failure::trouble(format!("cannot write manual pages to {}: {error}", folder.display())))
}
