//! Commands that read a recording.

use super::{Checks, Shown};
use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

/// A recording, or another program's table of sleeps.
#[derive(ClapArgs)]
pub(crate) struct FileArgs {
    /// The recording; `-` for standard input [default: the last one in the state folder]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Of a damaged file, use what comes before the damage
    #[arg(long)]
    pub(crate) partial: bool,
}

/// What `explain` accepts.
#[derive(ClapArgs)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) input: FileArgs,
    #[command(flatten)]
    pub(crate) shown: Shown,
    #[command(flatten)]
    pub(crate) checks: Checks,
}

/// What `export` accepts.
#[derive(ClapArgs)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) input: FileArgs,
    /// Write every sample as CSV: the default
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write the figures as JSON instead
    #[arg(long)]
    pub(crate) json: bool,
}
