//! Checks that the README shows two commands as readers will copy them, and that the library's README shows the example
//! for asynchronous programs as it is compiled.

use std::fs;
use std::path::Path;

use crate::outcome::{self, Outcome};

const COMMANDS: [&str; 2] = ["cargo run --release", "cargo xtask check"];

const LIBRARY: &str = "crates/oversleep/README.md";
const EXAMPLE: &str = "benches/library/examples/tokio.rs";

pub(super) fn check(root: &Path) -> Outcome {
    let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let found = || {
        let mut found = faults(&read("README.md")?);
        found.extend(not_shown(&read(LIBRARY)?, &read(EXAMPLE)?));
        Ok(found)
    };
    found().map_or_else(Outcome::Failed, |found| outcome::from_faults(&found))
}

/// Returns an error if the README does not show the example as it is compiled, apart from its first comment.
fn not_shown(readme: &str, example: &str) -> Option<String> {
    let code = example.split_once("\n\n").map_or(example, |(_, code)| code);
    (!readme.contains(code)).then(|| format!("{LIBRARY} does not show {EXAMPLE} as it is"))
}

/// Returns an error for each command that is not on a line of its own.
fn faults(text: &str) -> Vec<String> {
    let missing = COMMANDS.iter().filter(|command| !text.lines().any(|line| line.trim() == **command));
    missing.map(|command| format!("README.md: no line is `{command}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_shown_as_it_is_compiled() {
        assert_eq!(not_shown("text\n```\nfn main() {}\n```\n", "//! What.\n\nfn main() {}\n"), None);
        assert!(not_shown("text\n```\nfn main() { }\n```\n", "//! What.\n\nfn main() {}\n").is_some());
    }

    #[test]
    fn both_commands_must_stand_on_their_own_line() {
        assert_eq!(faults("    cargo run --release\n\n    cargo xtask check\n"), Vec::<String>::new());
        assert_eq!(
            faults("cargo run --release\nrun cargo xtask check\n"),
            ["README.md: no line is `cargo xtask check`"]
        );
    }
}
