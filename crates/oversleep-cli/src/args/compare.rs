//! Arguments of `compare`.

use super::output::work_needed;
use super::{DocumentForm, OutputFormat, values};
use crate::failure::Failure;
use crate::input::{refuse_overwriting, refuse_replacing};
use crate::say::{notice, say};
use clap::{Args as ClapArgs, ValueHint};
use oversleep_lab::import::csv::Mapping;
use oversleep_lab::session::{ComparableRun, ShiftLimit, last_recordings, most_runs};
use oversleep_sys::units::Nanos;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Two sides, as recordings or as options of `measure`.
#[derive(ClapArgs)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub(crate) struct CompareArgs {
    /// Recordings of side A; with two files and no `--`, A and B [default: the last two in the state folder]
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub(crate) a: Vec<PathBuf>,
    /// Recordings of side B
    #[arg(value_name = "B", last = true, conflicts_with = "run", value_hint = ValueHint::FilePath)]
    pub(crate) b: Vec<PathBuf>,
    /// The n-th recordings of both sides were made side by side: compare each with the other
    #[arg(long, conflicts_with = "run")]
    pub(crate) paired: bool,
    /// Exit with status 1 if a figure of B lies beyond A's by more than this, such as 'p99>+10%', 'p50>+2us' or 'max>+1ms' (a
    /// maximum is judged only by its value), or if B has more late, skipped or missed periods of its schedule, in percentage
    /// points: 'late>+1%', 'skipped>+0.1%', with --work 'missed>+1%'; with 3 if the recordings cannot tell, as one a side never
    /// can; may be repeated
    #[arg(long, value_name = "CHECK")]
    pub(crate) fail_if: Vec<ShiftLimit>,
    /// Of schedules: compare how many periods left less than this time for their work after the wake-up, such as 8ms
    #[arg(long, value_name = "TIME", value_parser = values::positive, allow_hyphen_values = true)]
    pub(crate) work: Option<Nanos>,
    /// Of tables with names of their own: which column holds what, as `explain` takes it; it holds for all tables named
    #[arg(long, value_name = "FIELD=COLUMN:UNIT,...", conflicts_with = "run")]
    pub(crate) columns: Option<Mapping>,
    /// Print Markdown, to paste into an issue tracker: the verdicts, what differs between the machines, tables
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Write a file, by its ending: a page of all recordings, of --run the first four of each side (.html), a picture of the shifts (.svg, .png), or text (.md)
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "json")]
    pub(crate) out: Option<PathBuf>,
    /// With --out: replace the file if it exists
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// With --run: go on until the medians' intervals reach no further than this to either side
    #[arg(long, value_parser = values::positive, value_name = "TIME")]
    pub(crate) resolve: Option<Nanos>,
    /// With --run: begin no further block A B B A that would end after this time, but measure three blocks at least,
    /// which the intervals need [default: 60s]
    #[arg(long, short, value_parser = values::positive, value_name = "TIME")]
    pub(crate) duration: Option<Nanos>,
    /// Measure both sides in turns A B B A, with these options of `measure`; must come last
    #[arg(long, num_args = 1.., allow_hyphen_values = true, value_name = "A-OPTIONS -- B-OPTIONS", conflicts_with = "a")]
    pub(crate) run: Option<Vec<OsString>>,
    #[command(flatten)]
    pub(crate) shown: OutputFormat,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The two sides of a comparison, A first.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sides<T> {
    /// Recordings that exist.
    Files([Vec<T>; 2]),
    /// Options of `measure`, with which each side is yet to be measured.
    Measure([Vec<OsString>; 2]),
}

impl CompareArgs {
    /// Refuses a file of `--out` that has a form no comparison has, exists, or is one of those compared.
    pub(crate) fn check_out(&self, sides: &Sides<PathBuf>) -> Result<(), Failure> {
        let Some(out) = &self.out else { return Ok(()) };
        let form = DocumentForm::of_out(out)?;
        if self.markdown && form != DocumentForm::Markdown {
            return Err(Failure::usage(format!(
                "--markdown writes Markdown, but the name after --out, {}, asks for another form",
                out.display()
            )));
        }
        if let Sides::Files(sides) = sides {
            refuse_overwriting(Some(out), sides.iter().flatten().map(PathBuf::as_path))?;
        }
        refuse_replacing(Some(out), self.force)
    }

    /// Returns whether `--out` asks for a page.
    pub(crate) fn makes_page(&self) -> bool {
        self.out.as_deref().is_some_and(|out| DocumentForm::of_out(out).is_ok_and(|form| form == DocumentForm::Page))
    }

    /// Refuses checks of the periods with too little time for their work, unless it is known how long that takes.
    pub(crate) fn need_work(&self) -> Result<(), Failure> {
        match self.fail_if.iter().find(|check| check.needs_work() && self.work.is_none()) {
            Some(check) => Err(work_needed(check)),
            None => Ok(()),
        }
    }

    /// Refuses a recording without a schedule if something of its periods is asked for.
    pub(crate) fn check_periods(&self, run: &ComparableRun) -> Result<(), Failure> {
        let name = &run.name;
        if let Some(Err(why)) = self.work.map(|work| run.check_work(work)) {
            return Err(Failure::usage(format!("--work: {name}: {why}")));
        }
        let of_periods = self.fail_if.iter().find_map(|check| Some((check, check.share()?)));
        match of_periods.filter(|_| !run.keeps_schedule()) {
            Some((check, share)) => Err(Failure::usage(format!(
                "--fail-if '{check}': {name}: '{}' is a share of a schedule's periods (measure --interval); this recording has no schedule",
                share.name()
            ))),
            None => Ok(()),
        }
    }

    /// Returns both sides; without any argument, the last two recordings.
    pub(crate) fn sides(&self) -> Result<Sides<PathBuf>, Failure> {
        if let Some(words) = &self.run {
            let Some(at) = words.iter().position(|word| word == "--") else {
                return Err(Failure::usage(
                    "--run takes options of `measure` for both sides, with -- between: --run --slack 1ns -- --slack 50us",
                ));
            };
            return Ok(Sides::Measure([words[..at].to_vec(), words[at + 1..].to_vec()]));
        }
        // `requires = "run"` would not refuse these beside files: clap waives it where a conflicting argument is given.
        if self.resolve.is_some() || self.duration.is_some() {
            let option = if self.resolve.is_some() { "--resolve" } else { "--duration" };
            return Err(Failure::usage(format!("{option} is for --run: recordings are compared as they are")));
        }
        if let Some(option) = self.b.iter().find(|word| is_option(word)) {
            return Err(Failure::usage(format!(
                "{} is after --, where only recordings of side B are named; put options before the recordings: compare [OPTIONS] \
                 A… -- B…",
                option.display()
            )));
        }
        let sides = match (self.a.as_slice(), self.b.as_slice()) {
            ([], []) => {
                let mut last = last_recordings(2, &notice)?;
                let (a, b) = (last.remove(1), last.remove(0));
                say!("the last two recordings: {} and {}", a.display(), b.display());
                [vec![a], vec![b]]
            }
            ([], _) => {
                return Err(Failure::usage("side A is missing; its recordings come before --: compare A… -- B…"));
            }
            ([a, b], []) => [vec![a.clone()], vec![b.clone()]],
            (_, []) => {
                return Err(Failure::usage("side B is missing; write -- before its recordings: compare A… -- B…"));
            }
            (a, b) => [a.to_vec(), b.to_vec()],
        };
        if self.paired && sides[0].len() != sides[1].len() {
            let text = format!(
                "--paired needs as many recordings of A as of B, not {} and {}",
                sides[0].len(),
                sides[1].len()
            );
            return Err(Failure::usage(text));
        }
        let most = most_runs(self.paired);
        if sides.iter().any(|side| side.len() > most) {
            let paired = if self.paired { String::new() } else { format!("; with --paired, {}", most_runs(true)) };
            return Err(Failure::usage(format!("at most {most} recordings a side can be compared{paired}")));
        }
        Ok(Sides::Files(sides))
    }
}

/// Returns whether a word after `--` looks like an option and does not name a file.
fn is_option(word: &Path) -> bool {
    let text = word.as_os_str().to_string_lossy();
    text.len() > 1 && text.starts_with('-') && !word.exists()
}
