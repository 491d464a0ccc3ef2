//! What became of a step, and the table that closes a run.

use std::time::{Duration, Instant};

/// Passed, failed and skipped are three answers: a skip carries its reason and never counts as a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// One row of the closing table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
}

/// Runs `work` under a heading and times it.
pub(crate) fn timed(name: &str, work: impl FnOnce() -> Outcome) -> Row {
    println!("\n── {name}");
    let start = Instant::now();
    let outcome = work();
    let took = start.elapsed();
    println!("── {name}: {} ({:.1} s)", describe(&outcome), took.as_secs_f64());
    Row { name: name.to_owned(), outcome, took }
}

/// For a step made of several commands: the reason, with the name of the one that did not pass.
pub(crate) fn passed(outcome: Outcome, what: &str) -> Result<(), String> {
    match outcome {
        Outcome::Passed => Ok(()),
        Outcome::Failed(why) | Outcome::Skipped(why) => Err(format!("{what}: {why}")),
    }
}

/// A failure if there is anything in `faults`, which are printed one per line.
pub(crate) fn from_faults(faults: &[String]) -> Outcome {
    for fault in faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => Outcome::Passed,
        1 => Outcome::Failed("1 fault".to_owned()),
        n => Outcome::Failed(format!("{n} faults")),
    }
}

/// Prints the table; true if no row failed and at least one ran or was skipped.
pub(crate) fn report(rows: &[Row]) -> bool {
    print!("\n{}", table(rows));
    succeeded(rows)
}

fn succeeded(rows: &[Row]) -> bool {
    !rows.is_empty() && !rows.iter().any(|row| matches!(row.outcome, Outcome::Failed(_)))
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let line = |row: &Row| {
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

    fn row(name: &str, outcome: Outcome) -> Row {
        Row { name: name.to_owned(), outcome, took: Duration::from_millis(1500) }
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
    fn one_failure_fails_the_run_and_a_skip_does_not() {
        let skipped = || row("b", Outcome::Skipped("why".to_owned()));
        assert!(succeeded(&[row("a", Outcome::Passed), skipped()]));
        assert!(!succeeded(&[row("a", Outcome::Failed("why".to_owned())), skipped()]));
        assert!(!succeeded(&[]));
    }
}
