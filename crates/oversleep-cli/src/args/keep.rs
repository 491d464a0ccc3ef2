//! Arguments that say where the recording goes.

use super::{DocumentForm, FormatName, PARQUET, is_parquet};
use crate::failure::Failure;
use clap::{Args as ClapArgs, ValueHint};
use oversleep_lab::session::{self, is_standard};
use std::path::{Path, PathBuf};

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

/// Endings of other forms that nothing here writes: the Arrow file format, and the usual ones of data and text.
const OTHER_FORMS: [&str; 10] = ["arrow", "feather", "ipc", "json", "txt", "tsv", "xlsx", "xml", "yaml", "pdf"];

/// Refuses a file whose ending names another form, many of which are made from a recording afterwards: it would hold an Arrow
/// stream.
fn refuse_other_form(path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    let later =
        |command| format!("; `oversleep {command} -o {shown}` makes that file of the last recording afterwards");
    let later = match (DocumentForm::of_ending(path), FormatName::of_ending(path)) {
        (Some(_), _) => later("report"),
        (None, Some(FormatName::Recording)) => return Ok(()),
        (None, Some(_)) => later("export"),
        (None, None) if is_parquet(path) => format!("; afterwards, {PARQUET}"),
        (None, None) => match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase) {
            Some(ending) if ending == "json" => {
                "; afterwards, `oversleep report --json` prints its figures, and `oversleep export -o FILE.jsonl` writes its sleeps"
                    .to_owned()
            }
            Some(ending) if OTHER_FORMS.contains(&ending.as_str()) => String::new(),
            _ => return Ok(()),
        },
    };
    Err(Failure::usage(format!("--out {shown}: a recording is an Arrow stream, so end its name in .arrows{later}")))
}

impl OutArgs {
    /// Returns the file that `--out` names; without it, that no recording is kept.
    pub(crate) fn place(&self) -> Result<session::Keep, Failure> {
        match &self.out {
            None => Ok(session::Keep::Nowhere),
            Some(path) if is_standard(path) || path == Path::new("/dev/stdout") => Err(Failure::usage(
                "--out - or /dev/stdout: standard output is for the results, so name a file (./- is a file of that name); \
                 to write every sample to standard output, use --no-save --csv",
            )),
            Some(path) => {
                refuse_other_form(path)?;
                Ok(session::Keep::File { path: path.clone(), replace: self.force })
            }
        }
    }
}
