//! Outcomes of steps, and the table at the end of a run.

use std::time::{Duration, Instant};

use crate::deadline;

/// The outcome of a step. A skip has a reason and never counts as a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The step passed.
    Passed,
    /// The step failed or could not be finished, for this reason.
    Failed(String),
    /// The step was not run, for this reason.
    Skipped(String),
}

/// Beginning of the last line of output of a program that a step runs.
const LINE: &str = "outcome: ";

impl Outcome {
    /// Returns the line with which one of the project's programs reports its outcome to `xtask`.
    pub fn line(&self) -> String {
        let text = match self {
            Self::Passed => "passed".to_owned(),
            Self::Failed(why) => format!("failed: {}", one_line(why)),
            Self::Skipped(why) => format!("skipped: {}", one_line(why)),
        };
        format!("{LINE}{text}")
    }

    /// Parses such a line; `None` for any other text.
    pub fn from_line(line: &str) -> Option<Self> {
        let text = line.strip_prefix(LINE)?;
        match text.split_once(": ") {
            Some(("failed", why)) => Some(Self::Failed(why.to_owned())),
            Some(("skipped", why)) => Some(Self::Skipped(why.to_owned())),
            _ => (text == "passed").then_some(Self::Passed),
        }
    }
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join("; ")
}

/// The result of a step: a row of the table at the end.
#[derive(Debug)]
pub struct StepResult {
    /// Name of the step, or of a part of it.
    pub name: String,
    /// Its outcome.
    pub outcome: Outcome,
    /// Time that it took.
    pub took: Duration,
}

/// Prints a heading, runs `work` within the run's time and measures how long it takes.
pub fn timed(name: &str, work: impl FnOnce() -> Outcome) -> StepResult {
    println!("\n── {name}");
    let start = Instant::now();
    let outcome = deadline::within(work);
    let took = start.elapsed();
    println!("── {name}: {} ({:.1} s)", describe(&outcome), took.as_secs_f64());
    StepResult { name: name.to_owned(), outcome, took }
}

/// Returns an error with the name `what` if a command did not pass, for steps of several commands.
pub fn passed(outcome: Outcome, what: &str) -> Result<(), String> {
    match outcome {
        Outcome::Passed => Ok(()),
        Outcome::Failed(why) | Outcome::Skipped(why) => Err(format!("{what}: {why}")),
    }
}

/// Number of characters of the first fault in the table at the end, which is what is left of a log that is cut off.
const SHOWN: usize = 300;

/// Prints the faults, one per line; returns a failure, with the first of them, if there are any.
pub fn from_faults(faults: &[String]) -> Outcome {
    for fault in faults {
        println!("{fault}");
    }
    let Some(first) = faults.first() else { return Outcome::Passed };
    let others = match faults.len() - 1 {
        0 => String::new(),
        others => format!(" (and {others} more)"),
    };
    Outcome::Failed(format!("{}{others}", one_line(first).chars().take(SHOWN).collect::<String>()))
}

/// Prints the table; returns whether there is a row and none failed.
pub fn report(rows: &[StepResult]) -> bool {
    print!("\n{}", table(rows));
    succeeded(rows)
}

fn succeeded(rows: &[StepResult]) -> bool {
    !rows.is_empty() && !rows.iter().any(|row| matches!(row.outcome, Outcome::Failed(_)))
}

fn table(rows: &[StepResult]) -> String {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let line = |row: &StepResult| {
        let seconds = row.took.as_secs_f64();
        format!("{:width$}  {seconds:>7.1} s  {}", row.name, describe(&row.outcome))
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    let count = |wanted: fn(&Outcome) -> bool| rows.iter().filter(|row| wanted(&row.outcome)).count();
    let passed = count(|outcome| matches!(outcome, Outcome::Passed));
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let skipped = count(|outcome| matches!(outcome, Outcome::Skipped(_)));
    lines.push(format!("{passed} passed, {failed} failed, {skipped} skipped\n"));
    lines.join("\n")
}

fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Failed(why) => format!("FAILED: {why}"),
        Outcome::Skipped(why) => format!("skipped: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, outcome: Outcome) -> StepResult {
        StepResult { name: name.to_owned(), outcome, took: Duration::from_millis(1500) }
    }

    #[test]
    fn table_names_every_outcome_and_counts_a_skip_apart() {
        let rows = [
            row("format", Outcome::Passed),
            row("docs", Outcome::Failed("exit 101".to_owned())),
            row("msrv", Outcome::Skipped("no toolchain".to_owned())),
        ];
        let expected = "format      1.5 s  passed\n\
                        docs        1.5 s  FAILED: exit 101\n\
                        msrv        1.5 s  skipped: no toolchain\n\
                        1 passed, 1 failed, 1 skipped\n";
        assert_eq!(table(&rows), expected);
    }

    #[test]
    fn an_outcome_is_read_as_it_was_written() {
        let outcomes = [Outcome::Passed, Outcome::Failed("a: b".to_owned()), Outcome::Skipped("no x".to_owned())];
        for outcome in outcomes {
            assert_eq!(Outcome::from_line(&outcome.line()), Some(outcome));
        }
        assert_eq!(Outcome::Failed("a\nb".to_owned()).line(), "outcome: failed: a; b");
        assert_eq!(Outcome::from_line("outcome: passed, nearly"), None);
    }

    #[test]
    fn one_failure_fails_the_run_and_a_skip_does_not() {
        let skipped = || row("b", Outcome::Skipped("why".to_owned()));
        assert!(succeeded(&[row("a", Outcome::Passed), skipped()]));
        assert!(!succeeded(&[row("a", Outcome::Failed("why".to_owned())), skipped()]));
        assert!(!succeeded(&[]));
    }
}
