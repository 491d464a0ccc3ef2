//! Generated files: written by `gen`, compared by `gen --check`.

use std::fs;
use std::path::Path;

use clap::Args;

use crate::arrows;
use crate::outcome::{self, Outcome};
use crate::program;

#[derive(Args)]
pub(crate) struct GenerateOptions {
    /// Change nothing; fail if a generated file differs from what would be written.
    #[arg(long)]
    check: bool,
    /// These files alone, by their path from the workspace root.
    #[arg(value_name = "FILE")]
    files: Vec<String>,
}

/// A generated file: its path from the workspace root, and a function that returns its text.
pub(crate) struct Generated {
    pub(crate) path: &'static str,
    pub(crate) text: fn(&Path) -> Result<String, String>,
}

/// All generated files.
const GENERATED: &[Generated] = &[
    Generated { path: "docs/PLATFORMS.md", text: |root| program::document(root, "platforms") },
    Generated { path: "docs/figures/rooms.svg", text: arrows::drawn },
    Generated { path: "docs/schema/measure.json", text: |root| program::document(root, "measure") },
    Generated { path: "docs/schema/check-up.json", text: |root| program::document(root, "check-up") },
    Generated { path: "docs/schema/explain.json", text: |root| program::document(root, "explain") },
    Generated { path: "docs/schema/diagnose.json", text: |root| program::document(root, "diagnose") },
    Generated { path: "docs/schema/clocks.json", text: |root| program::document(root, "clocks") },
    Generated { path: "docs/schema/trace.json", text: |root| program::document(root, "trace") },
    Generated { path: "docs/schema/runtimes.json", text: |root| program::document(root, "runtimes") },
    Generated { path: "docs/schema/page.json", text: |root| program::document(root, "page") },
    Generated { path: "docs/schema/list-methods.json", text: |root| program::document(root, "list-methods") },
    Generated { path: "docs/schema/list-runtimes.json", text: |root| program::document(root, "list-runtimes") },
    Generated { path: "docs/schema/list-recordings.json", text: |root| program::document(root, "list-recordings") },
    Generated { path: "docs/schema/list-presets.json", text: |root| program::document(root, "list-presets") },
    Generated { path: "docs/schema/simulate-sweep.json", text: |root| program::document(root, "simulate-sweep") },
    Generated { path: "docs/schema/simulate-vs.json", text: |root| program::document(root, "simulate-vs") },
    Generated { path: "docs/schema/reproduce.json", text: |root| program::document(root, "reproduce") },
    Generated { path: "docs/schema/compare.json", text: |root| program::document(root, "compare") },
];

pub(crate) fn run(root: &Path, options: &GenerateOptions) -> bool {
    let unknown = options.files.iter().find(|name| GENERATED.iter().all(|file| file.path != name.as_str()));
    if let Some(unknown) = unknown {
        eprintln!("{unknown} is not a generated file; xtask/src/generate.rs lists them");
        return false;
    }
    let wanted = |file: &&Generated| options.files.is_empty() || options.files.iter().any(|name| name == file.path);
    let files: Vec<&Generated> = GENERATED.iter().filter(wanted).collect();
    let work = || outcome::from_faults(&if options.check { changed(root, &files) } else { written(root, &files) });
    outcome::report(&[outcome::timed("generated files", work)])
}

/// Fails for every file that is missing or differs from what would be generated.
pub(crate) fn check(root: &Path) -> Outcome {
    outcome::from_faults(&changed(root, &GENERATED.iter().collect::<Vec<_>>()))
}

fn changed(root: &Path, files: &[&Generated]) -> Vec<String> {
    files.iter().filter_map(|file| difference(root, file).err()).collect()
}

/// Compares a file with what is generated. Line ends count as `\n`, because a checkout may have converted them.
fn difference(root: &Path, file: &Generated) -> Result<(), String> {
    let told = |why: String| format!("{}: {why}", file.path);
    let made = (file.text)(root).map_err(told)?;
    let kept = fs::read_to_string(root.join(file.path)).map_err(|e| told(format!("{e}; run `cargo xtask gen`")))?;
    let kept = kept.replace("\r\n", "\n");
    if kept == made {
        return Ok(());
    }
    let same = kept.lines().zip(made.lines()).take_while(|(kept, made)| kept == made).count();
    Err(format!("{}:{}: differs from what is generated; run `cargo xtask gen`", file.path, same + 1))
}

fn written(root: &Path, files: &[&Generated]) -> Vec<String> {
    let one = |file: &Generated| {
        let text = (file.text)(root).map_err(|why| format!("{}: {why}", file.path))?;
        fs::write(root.join(file.path), text).map_err(|error| format!("{}: {error}", file.path))
    };
    files.iter().filter_map(|file| one(file).err()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: Generated = Generated { path: "page.md", text: |_| Ok("one\ntwo\n".to_owned()) };

    #[test]
    fn a_changed_line_and_a_missing_file_are_told() {
        let root = tempfile::tempdir().expect("a temporary folder");
        assert!(changed(root.path(), &[&FILE])[0].starts_with("page.md: "));
        fs::write(root.path().join("page.md"), "one\r\ntwo\r\n").expect("file");
        assert_eq!(changed(root.path(), &[&FILE]), Vec::<String>::new());
        fs::write(root.path().join("page.md"), "one\nthree\n").expect("file");
        assert!(changed(root.path(), &[&FILE])[0].starts_with("page.md:2: "));
        let broken = Generated { path: "page.md", text: |_| Err("why".to_owned()) };
        assert_eq!(changed(root.path(), &[&broken]), ["page.md: why"]);
    }
}
