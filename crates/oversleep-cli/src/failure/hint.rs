//! Hints about common mistakes, which clap's message does not give.

use crate::args::Args;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use oversleep_lab::session::method;
use std::path::Path;

/// The form of `compare` that measures both sides.
const COMPARE_RUN: &str = "compare [OPTIONS] --run A-OPTIONS -- B-OPTIONS";

/// Returns a hint about a common mistake.
pub(super) fn hint(error: &clap::Error, usage: &str) -> Option<String> {
    let text = |kind| text(error, kind);
    match error.kind() {
        ErrorKind::UnknownArgument
            if usage.contains(" -- <CMD>")
                && !text(ContextKind::InvalidArg).is_some_and(|word| word.starts_with('-')) =>
        {
            Some("; the command goes after --".to_owned())
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
pub(super) fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
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
