//! Generated files: written by `gen`, compared by `gen --check`.

use std::fs;
use std::path::Path;

use clap::Args;

use crate::{child, toolchain};

#[derive(Args)]
pub(crate) struct GenerateOptions {
    /// Change nothing; fail if a generated file differs from what would be written.
    #[arg(long)]
    check: bool,
}

/// The generated files; each is the document that `benches/tool` writes under the name of its file.
const GENERATED: [&str; 19] = [
    "docs/PLATFORMS.md",
    "docs/schema/measure.json",
    "docs/schema/check-up.json",
    "docs/schema/explain.json",
    "docs/schema/explain-asked.json",
    "docs/schema/diagnose.json",
    "docs/schema/clocks.json",
    "docs/schema/trace.json",
    "docs/schema/runtimes.json",
    "docs/schema/page.json",
    "docs/schema/list-methods.json",
    "docs/schema/list-runtimes.json",
    "docs/schema/list-recordings.json",
    "docs/schema/list-presets.json",
    "docs/schema/simulate-sweep.json",
    "docs/schema/simulate-vs.json",
    "docs/schema/reproduce.json",
    "docs/schema/compare.json",
    "docs/schema/bounds.json",
];

pub(crate) fn run(root: &Path, options: &GenerateOptions) -> bool {
    let result = if options.check { check(root) } else { write(root) };
    match &result {
        Ok(faults) => faults.iter().for_each(|fault| println!("{fault}")),
        Err(why) => eprintln!("{why}"),
    }
    result.is_ok_and(|faults| faults.is_empty())
}

/// Returns an error for every file that is missing or differs from what would be generated. Line ends count as `\n`,
/// because a checkout may have converted them.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for (path, made) in GENERATED.iter().zip(documents(root)?) {
        let committed = fs::read_to_string(root.join(path)).unwrap_or_default().replace("\r\n", "\n");
        if committed != made {
            let same = committed.lines().zip(made.lines()).take_while(|(committed, made)| committed == made).count();
            faults.push(format!("{path}:{}: differs from what is generated; run `cargo xtask gen`", same + 1));
        }
    }
    Ok(faults)
}

fn write(root: &Path) -> Result<Vec<String>, String> {
    for (path, made) in GENERATED.iter().zip(documents(root)?) {
        fs::write(root.join(path), made).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(Vec::new())
}

/// Returns the text of each generated file. The generator is built as an example of the whole workspace, so that what
/// the tests built before is not built again with other features.
fn documents(root: &Path) -> Result<Vec<String>, String> {
    child::cargo(root, &["build", "--quiet", "--workspace", "--example", "document"])?;
    let program = toolchain::target_folder(root).join("debug").join("examples").join("document").display().to_string();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    GENERATED.iter().map(|path| child::output(root, &[&program, &name(Path::new(path))])).collect()
}
