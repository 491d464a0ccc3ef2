//! Arguments that say where the recording goes.

use crate::failure::Failure;
use crate::input::is_standard;
use clap::{Args as ClapArgs, ValueHint};
use oversleep_lab::session;
use std::path::PathBuf;

/// Where a measurement's recording goes.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "Recording")]
pub(crate) struct KeepArgs {
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// Keep no recording
    #[arg(long, conflicts_with_all = ["out", "force"])]
    pub(crate) no_save: bool,
}

/// A file that is asked for.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "Recording")]
pub(crate) struct OutArgs {
    /// Keep the recording in this file (see FILES)
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// With --out: replace the file if it exists
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

impl KeepArgs {
    /// Returns where the recording goes: nowhere with `--no-save`, into the file of `--out`, or else into the archive.
    pub(crate) fn place(&self) -> Result<session::Keep, Failure> {
        match self.out.place()? {
            _ if self.no_save => Ok(session::Keep::Nowhere),
            session::Keep::Nowhere => Ok(session::Keep::Archive),
            file => Ok(file),
        }
    }
}

impl OutArgs {
    /// Returns the file that `--out` names; without it, that no recording is kept.
    pub(crate) fn place(&self) -> Result<session::Keep, Failure> {
        match &self.out {
            None => Ok(session::Keep::Nowhere),
            Some(path) if is_standard(path) => Err(Failure::usage(
                "--out -: standard output is for the results, so name a file (./- is a file of that name); \
                 to write every sample to standard output, use --no-save --csv",
            )),
            Some(path) => Ok(session::Keep::File { path: path.clone(), replace: self.force }),
        }
    }
}
