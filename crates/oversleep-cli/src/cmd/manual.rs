//! Completions and manual pages, made from the command line's own description.

use crate::args::Args;
use crate::failure::Failure;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::Path;

/// A completion script on standard output.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "oversleep", &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}

/// A page for the program and one for each command.
pub(crate) fn pages(folder: &Path) -> Result<(), Failure> {
    clap_mangen::generate_to(Args::command(), folder)
        .map_err(|error| Failure::trouble(format!("cannot write manual pages to {}: {error}", folder.display())))
}
