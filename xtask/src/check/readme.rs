//! Checks that the README shows two commands as readers will copy them, and that documents show examples as they are
//! compiled: Rust by clippy, C and C++ by the C library's tests.

use std::fs;
use std::path::Path;

use crate::outcome::{self, Outcome};

const COMMANDS: [&str; 2] = ["cargo run --release", "cargo xtask check"];

/// Documents, and the programs that they show.
const EXAMPLES: [(&str, &str); 4] = [
    ("README.md", "crates/oversleep/examples/frames.rs"),
    ("README.md", "crates/oversleep-capi/examples/ticker.c"),
    ("crates/oversleep-capi/README.md", "crates/oversleep-capi/examples/frames.cpp"),
    ("crates/oversleep/README.md", "benches/library/examples/tokio.rs"),
];

pub(super) fn check(root: &Path) -> Outcome {
    let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let found = || {
        let mut found = faults(&read("README.md")?);
        for (document, example) in EXAMPLES {
            if !shows(&read(document)?, &read(example)?) {
                found.push(format!("{document} does not show {example} as it is"));
            }
        }
        Ok(found)
    };
    found().map_or_else(Outcome::Failed, |found| outcome::from_faults(&found))
}

/// Returns whether a document shows the example as it is compiled, apart from its first comment.
fn shows(document: &str, example: &str) -> bool {
    let code = example.split_once("\n\n").map_or(example, |(_, code)| code);
    document.contains(&format!("\n{code}```\n"))
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
        let example = "//! What.\n\nfn main() {}\n";
        assert!(shows("text\n```\nfn main() {}\n```\n", example));
        for other in ["text\n```\nfn main() { }\n```\n", "```\nfn main() {}\n\n```\n", "```\npub fn main() {}\n```\n"] {
            assert!(!shows(other, example), "{other}");
        }
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
