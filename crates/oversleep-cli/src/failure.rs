//! Failures of a command: one line of text and an exit code.

mod cyclictest;
mod foreign;

use super::args::Args;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use oversleep_lab::import::ImportError;
use oversleep_lab::import::csv::CsvError;
use oversleep_lab::session::{DiagnoseError, InputError, Interface, RequestError, RunError, method};
use oversleep_recording::text::{is_invisible, shortened};
use oversleep_sim::ParameterError;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

/// What went wrong, by what the program's caller can do about it.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check that was asked for failed (exit 1). Its lines are already shown.
    Check,
    /// A command that was asked for ended with this status, which becomes ours. It has printed the reason itself.
    Command(u8),
    /// The request makes no sense (exit 2).
    Usage(String),
    /// Something could not be measured, read or written (exit 3).
    Trouble(String),
    /// The reader of standard output has gone, as with `| head`: nothing is printed (exit 0).
    ReaderGone,
    /// Help or the version was asked for and shown (exit 0).
    Shown,
}

impl Failure {
    pub(crate) fn usage(text: impl Display) -> Self {
        Self::Usage(text.to_string())
    }

    pub(crate) fn trouble(text: impl Display) -> Self {
        Self::Trouble(text.to_string())
    }

    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::ReaderGone | Self::Shown => 0,
            Self::Check => 1,
            Self::Command(code) => *code,
            Self::Usage(_) => 2,
            Self::Trouble(_) => 3,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Check | Self::Command(_) | Self::ReaderGone | Self::Shown => None,
            Self::Usage(text) | Self::Trouble(text) => Some(text),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        match error {
            InputError::NoHome | InputError::Copy(_) => Self::usage(error),
            // What the command says of the table is wrong, not a line of it.
            InputError::Import(ImportError::Table { ref why, .. })
                if matches!(**why, CsvError::Instant { .. } | CsvError::Asked { .. }) =>
            {
                Self::usage(error)
            }
            error => Self::trouble(error),
        }
    }
}

/// Returns a usage error in one line with clap's tip; help and version are shown.
impl From<clap::Error> for Failure {
    fn from(mut error: clap::Error) -> Self {
        if !error.use_stderr() {
            return match error.print().and_then(|()| io::stdout().flush()) {
                Ok(()) => Self::Shown,
                Err(error) => error.into(),
            };
        }
        let usage = error.remove(ContextKind::Usage).map(|usage| usage.to_string()).unwrap_or_default();
        let instead = foreign::instead(&error, &usage).map(|instead| format!("; {instead}"));
        let hint = instead.or_else(|| hint(&error, &usage));
        if hint.is_some() && [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand].contains(&error.kind()) {
            // Words of ours that are only spelt alike would mislead.
            for kind in [
                ContextKind::SuggestedArg,
                ContextKind::SuggestedSubcommand,
                ContextKind::Suggested,
                ContextKind::SuggestedValue,
            ] {
                error.remove(kind);
            }
        }
        if matches!(error.get(ContextKind::ValidValue), Some(ContextValue::Strings(values)) if values.len() > MOST_LISTED)
        {
            error.remove(ContextKind::ValidValue);
        }
        Self::Usage(in_one_line(&error.render().to_string()) + &hint.unwrap_or_default())
    }
}

/// Returns what to say if the words, program's name included, are cyclictest's command line rather than ours.
pub(crate) fn of_cyclictest(words: &[String]) -> Option<Failure> {
    cyclictest::instead(words.get(1..)?, &oversleep_os::cpu::online()).map(Failure::Usage)
}

/// Most values that an error lists: nobody reads a longer list.
const MOST_LISTED: usize = 12;

/// Returns an error if `measure` is given cyclictest's `-h N`, for which clap would show the help and ignore the number.
pub(crate) fn histogram_asked(words: &[String]) -> Option<Failure> {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let ours = words.iter().take_while(|word| *word != "--");
    let mut pairs = ours.clone().zip(ours.skip(1).map(String::as_str).chain([""]));
    let asked = words.iter().any(|word| word == "measure")
        && pairs.any(|(word, next)| {
            word.strip_prefix("-h").is_some_and(|with| number(if with.is_empty() { next } else { with }))
        });
    asked.then(|| {
        Failure::usage("-h shows the help; cyclictest's -h N is here `oversleep report --plot distribution` afterwards")
    })
}

/// Number of characters of a message that are shown: arguments and files quoted in it can be of any length.
const LONGEST: usize = 4_000;

/// Returns the text with invisible characters escaped: those in a file's name or a value could break the line or move
/// the cursor.
pub(crate) fn on_one_line(text: &str) -> String {
    let shown = |c: char| if is_invisible(c) { c.escape_default().to_string() } else { c.to_string() };
    shortened(text.trim_end(), LONGEST).chars().map(shown).collect()
}

/// Joins the lines of clap's message, which come without usage, into one. Its words stay as they are.
fn in_one_line(text: &str) -> String {
    // The tip on how to pass a misspelt option as a value does not help.
    let noise = |line: &str| line.starts_with("For more information") || line.starts_with("tip: to pass '");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !noise(line));
    let mut out = String::new();
    for line in lines {
        let line = line.trim_start_matches("error: ");
        // A colon announces the list after it; brackets explain the text before them.
        let joint = match out.chars().last() {
            None => "",
            Some(':') => " ",
            Some(_) if line.starts_with('[') => " ",
            Some(_) if line.starts_with(['<', '-']) => ", ",
            Some(_) => "; ",
        };
        out += joint;
        out += line;
    }
    out
}

/// Errors of writing to standard output; errors on other files have messages of their own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::trouble(format!("cannot write to standard output: {error}")),
        }
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::usage(error.text(Interface::CommandLine))
    }
}

impl From<DiagnoseError> for Failure {
    fn from(error: DiagnoseError) -> Self {
        let text = error.text(Interface::CommandLine);
        match error {
            DiagnoseError::Refused(_) => Self::Trouble(text),
            _ => Self::Usage(text),
        }
    }
}

impl From<ParameterError> for Failure {
    fn from(error: ParameterError) -> Self {
        Self::usage(error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::trouble(error)
    }
}

/// The form of `compare` that measures both sides.
const COMPARE_RUN: &str = "compare [OPTIONS] --run A-OPTIONS -- B-OPTIONS";

/// Returns a hint about a common mistake.
fn hint(error: &clap::Error, usage: &str) -> Option<String> {
    let text = |kind| text(error, kind);
    match error.kind() {
        ErrorKind::UnknownArgument
            if usage.contains("-- <CMD>")
                && !text(ContextKind::InvalidArg).is_some_and(|word| word.starts_with('-')) =>
        {
            Some("; the command goes after --".to_owned())
        }
        ErrorKind::UnknownArgument
            if usage.contains("oversleep explain")
                && !text(ContextKind::InvalidArg).is_some_and(|word| word.starts_with('-')) =>
        {
            Some("; `explain` takes one recording, and `oversleep compare A B` compares two".to_owned())
        }
        ErrorKind::UnknownArgument if usage.contains("oversleep [OPTIONS]") => {
            let command = Args::command_with(text(ContextKind::InvalidArg)?)?;
            Some(format!("; it is an option of `oversleep {command}`"))
        }
        ErrorKind::UnknownArgument
            if ["oversleep trace", "oversleep diagnose"].iter().any(|name| usage.contains(name))
                && ["-i", "--interval"].contains(&text(ContextKind::InvalidArg)?) =>
        {
            let why = "these sleeps keep no schedule: -r TIME says how long each is; `oversleep measure -i TIME --on-late TIME` keeps one \
                       and says what delayed late wake-ups";
            Some(format!("; {why}"))
        }
        ErrorKind::UnknownArgument if usage.contains("oversleep compare") => {
            let option = text(ContextKind::InvalidArg)?;
            let of_measure = Args::command_with(option).is_some_and(|command| command == "measure");
            of_measure.then(|| format!("; {option} is an option of `measure`, which compare takes last: {COMPARE_RUN}"))
        }
        ErrorKind::UnknownArgument => {
            let option = text(ContextKind::InvalidArg).filter(|word| word.starts_with('-'))?;
            let command = Args::command_with(option)?;
            Some(format!("; {option} is an option of `oversleep {command}`"))
        }
        ErrorKind::ArgumentConflict if text(ContextKind::PriorArg).is_some_and(|prior| prior.starts_with("--run")) => {
            Some(format!("; with --run no recordings are named, as both sides are measured: {COMPARE_RUN}"))
        }
        ErrorKind::ArgumentConflict if usage.contains("oversleep export") => {
            let given = [text(ContextKind::InvalidArg)?, text(ContextKind::PriorArg)?];
            let both = ["--json", "--out"].iter().all(|name| given.iter().any(|text| text.starts_with(name)));
            both.then(|| "; the figures go to standard output: --json > FILE.json".to_owned())
        }
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            if Path::new(word).is_file() {
                return Some(format!("; to show a recording: oversleep report {word}"));
            }
            let similar = error.get(ContextKind::SuggestedSubcommand).is_some();
            (!similar).then(|| "; `oversleep --help` lists the commands".to_owned())
        }
        ErrorKind::InvalidValue if text(ContextKind::InvalidArg) == Some("[WHAT]") => {
            let name = text(ContextKind::InvalidValue)?;
            let row = method(name).ok()?;
            Some(format!("; {name} is measured as {}: oversleep measure -m {}", row.name, row.name))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            without_value(text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue))
        }
        _ => None,
    }
}

/// Returns a text of clap's error, such as the argument that it is about.
fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns whether a word of the command line is `number` and a comma that may be a decimal one.
fn has_decimal_comma(word: &str, number: &str) -> bool {
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let rest = word.split_once('=').map_or(word, |(_, value)| value).strip_prefix(number);
    is_number
        && rest.is_some_and(|rest| {
            rest.strip_prefix(',').is_some_and(|part| part.starts_with(|first: char| first.is_ascii_digit()))
        })
}

/// Returns a hint about an option that needs a value here and none in cyclictest, or a unit here and none there.
fn without_value(option: &str, value: Option<&str>) -> Option<String> {
    let name = option.split(' ').next()?;
    let hint = match (name, value.unwrap_or_default()) {
        ("--method", _) => "`oversleep list` shows the methods (--mlock locks memory)".to_owned(),
        ("--threads", "") => "cyclictest's -t alone is one thread per processor: -t N -a 0-M --one-cpu-each".to_owned(),
        ("--cpus", "") => "cyclictest's -a alone is one thread per processor: -t N -a 0-M --one-cpu-each".to_owned(),
        ("--interval", number) if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() => {
            format!("cyclictest's -i is in microseconds: {number}us")
        }
        // The list was split at the comma before the number was read.
        ("--request", number) if std::env::args().any(|word| has_decimal_comma(&word, number)) => {
            "a comma begins another request; a decimal fraction has a point, as in 1.5ms".to_owned()
        }
        _ => return None,
    };
    Some(format!("; {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clap_says_in_several_lines_reads_well_in_one() {
        for (message, shown) in [
            (
                "error: the following required arguments were not provided:\n  <FILE>\n  --on-late <TIME>\n",
                "the following required arguments were not provided: <FILE>, --on-late <TIME>",
            ),
            (
                "error: invalid value 'x' for '<WHAT>'\n  [possible values: a, b]\n\n  tip: a similar value exists: 'a'\n",
                "invalid value 'x' for '<WHAT>' [possible values: a, b]; tip: a similar value exists: 'a'",
            ),
            (
                "error: invalid value 'x' for '-n': it is not a whole number\n\nFor more information, try '--help'.\n",
                "invalid value 'x' for '-n': it is not a whole number",
            ),
        ] {
            assert_eq!(in_one_line(message), shown);
        }
    }
}
