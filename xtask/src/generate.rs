//! Generated files: written by `gen`, compared by `gen --check`.

use std::fs;
use std::path::Path;

use clap::Args;

use crate::outcome::{self, Outcome};
use crate::schema;

#[derive(Args)]
pub(crate) struct Options {
    /// Change nothing; fail if a generated file differs from what would be written.
    #[arg(long)]
    check: bool,
}

/// A file made from data: path from the workspace root, and its full text.
pub(crate) struct Generated {
    pub(crate) path: &'static str,
    pub(crate) text: fn() -> String,
}

/// Every generated file; a new one is one line.
const GENERATED: &[Generated] = &[
    Generated { path: "docs/PLATFORMS.md", text: crate::platforms::render },
    Generated { path: "docs/schema/measure.json", text: schema::measure },
    Generated { path: "docs/schema/check-up.json", text: schema::checkup },
    Generated { path: "docs/schema/explain.json", text: schema::explain },
    Generated { path: "docs/schema/diagnose.json", text: schema::diagnose },
    Generated { path: "docs/schema/list-methods.json", text: schema::list_methods },
    Generated { path: "docs/schema/list-presets.json", text: schema::list_presets },
    Generated { path: "docs/schema/simulate-sweep.json", text: schema::simulate_sweep },
    Generated { path: "docs/schema/simulate-vs.json", text: schema::simulate_vs },
];

pub(crate) fn run(root: &Path, options: &Options) -> bool {
    let row = outcome::timed("generated files", || if options.check { check(root) } else { write(root) });
    outcome::report(&[row])
}

/// Fails for every file that is missing or differs.
pub(crate) fn check(root: &Path) -> Outcome {
    if GENERATED.is_empty() {
        return Outcome::Skipped("no generated file is registered in xtask/src/generate.rs".to_owned());
    }
    outcome::from_faults(&drifted(root, GENERATED))
}

fn drifted(root: &Path, files: &[Generated]) -> Vec<String> {
    files.iter().filter_map(|file| drift(root, file)).collect()
}

/// Line ends are compared as `\n`: a checkout may have turned them round.
fn drift(root: &Path, file: &Generated) -> Option<String> {
    let kept = match fs::read_to_string(root.join(file.path)) {
        Ok(kept) => kept.replace("\r\n", "\n"),
        Err(error) => return Some(format!("{}: {error}; run `cargo xtask gen`", file.path)),
    };
    let made = (file.text)();
    if kept == made {
        return None;
    }
    let same = kept.lines().zip(made.lines()).take_while(|(kept, made)| kept == made).count();
    Some(format!("{}:{}: differs from what is generated; run `cargo xtask gen`", file.path, same + 1))
}

fn write(root: &Path) -> Outcome {
    let faults: Vec<String> = GENERATED
        .iter()
        .filter_map(|file| fs::write(root.join(file.path), (file.text)()).err().map(|e| format!("{}: {e}", file.path)))
        .collect();
    outcome::from_faults(&faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: Generated = Generated { path: "page.md", text: || "one\ntwo\n".to_owned() };

    #[test]
    fn a_changed_line_and_a_missing_file_are_drift() {
        let root = tempfile::tempdir().expect("a temporary folder");
        assert!(drifted(root.path(), &[FILE])[0].starts_with("page.md: "));
        fs::write(root.path().join("page.md"), "one\r\ntwo\r\n").expect("file");
        assert_eq!(drifted(root.path(), &[FILE]), Vec::<String>::new());
        fs::write(root.path().join("page.md"), "one\nthree\n").expect("file");
        assert!(drifted(root.path(), &[FILE])[0].starts_with("page.md:2: "));
    }
}
