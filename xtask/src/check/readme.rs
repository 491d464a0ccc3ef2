//! The README promises two commands; a reader copies them as they stand.

use std::fs;
use std::path::Path;

use crate::outcome::{self, Outcome};

const COMMANDS: [&str; 2] = ["cargo run --release", "cargo xtask check"];

pub(super) fn check(root: &Path) -> Outcome {
    match fs::read_to_string(root.join("README.md")) {
        Ok(text) => outcome::from_faults(&faults(&text)),
        Err(error) => Outcome::Failed(format!("README.md: {error}")),
    }
}

/// A command counts only on a line of its own.
fn faults(text: &str) -> Vec<String> {
    let missing = COMMANDS.iter().filter(|command| !text.lines().any(|line| line.trim() == **command));
    missing.map(|command| format!("README.md: no line is `{command}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_commands_must_stand_on_their_own_line() {
        assert_eq!(faults("    cargo run --release\n\n    cargo xtask check\n"), Vec::<String>::new());
        assert_eq!(
            faults("cargo run --release\nrun cargo xtask check\n"),
            ["README.md: no line is `cargo xtask check`"]
        );
    }
}
