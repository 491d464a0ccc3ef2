//! `cargo xtask check`: runs all tests and checks, in two tiers.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::steps::{self, Problem};
use crate::{generate, rules};

mod cargo;
mod python;
mod targets;
mod test;
mod web;

#[derive(Args)]
pub(crate) struct CheckOptions {
    /// Go on to the slow steps: other systems, other compilers, emulated machines, dependencies. Tests diagnose all
    /// recordings whose truth is known, and the sleep library's Python package is tested as a wheel.
    #[arg(long)]
    full: bool,
    /// Run these steps only, of whichever tier: STEP,STEP.
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    only: Vec<String>,
    /// List the steps.
    #[arg(long)]
    list: bool,
}

/// The workspace's root folder, and whether all steps run.
struct Root {
    path: PathBuf,
    full: bool,
}

impl Deref for Root {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// When a step runs: for every change, with the usual toolchain, Python and Node; or only with `--full`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tier {
    Quick,
    Full,
}

struct Step {
    tier: Tier,
    name: &'static str,
    about: &'static str,
    /// Runs the step; returns what is worth a line at the end, or why it failed or could not run.
    run: fn(&Root) -> Result<String, String>,
}

macro_rules! steps {
    ($($tier:ident $name:literal $about:literal $run:expr;)*) => {
        /// All steps in the order in which they run: within each tier, the quickest first.
        const STEPS: &[Step] = &[$(Step { tier: Tier::$tier, name: $name, about: $about, run: $run }),*];
    };
}

steps! {
    Quick "format" "cargo fmt --check" |root| quiet(cargo::format(root));
    Quick "platforms" "platform names only in oversleep-sys and oversleep-os"
        |root| faults(rules::borders::platforms(root));
    Quick "unsafe" "unsafe code only where it is allowed" |root| faults(rules::borders::unsafety(root));
    Quick "catalogue" "methods are named in the catalogue only" |root| faults(rules::catalogue::check(root));
    Quick "arrows" "rooms use only the rooms below them" |root| faults(rules::arrows::check(root));
    Quick "examples" "documents show examples as they are compiled" |root| faults(examples(root));
    Quick "locks" "lock files up to date, the benchmark's too" |root| quiet(cargo::locks(root));
    Quick "clippy" "lints, warnings denied, those of the fuzzing targets too" |root| quiet(cargo::clippy(root));
    Quick "tests" "all tests and doctests" test::check;
    Quick "gen" "generated files unchanged" |root| faults(generate::check(root));
    Quick "docs" "rustdoc, warnings denied" |root| quiet(cargo::docs(root));
    Quick "python" "the Python packages, tested from Python: put together, or in the full tier the library's from its wheel"
        |root| quiet(python::check(root));
    Full "deny" "licences, bans and sources of dependencies" |root| quiet(cargo::deny(root));
    Full "msrv" "the libraries compile with their stated rust-version" |root| quiet(cargo::msrv(root));
    Full "loom" "the library's shared clock in every order of threads" |root| quiet(cargo::loom(root));
    Full "miri" "the sleep library under Miri" |root| quiet(cargo::miri(root));
    Full "web" "the report page's program is what its sources give; its types and tests"
        |root| faults(web::bundle(root));
    Full "page" "report pages in a browser without network" |root| quiet(web::page(root));
    Full "peers" "lints of the benchmark of similar libraries, and of the asynchronous example"
        |root| quiet(cargo::peers(root));
    Full "targets" "lints of the code for platforms, for every other system" |root| quiet(targets::check(root));
    Full "engines" "our files read by other engines: DuckDB, polars, pyarrow, Prometheus, Perfetto, Spark"
        |root| script(root, "xtask/engines/run.sh");
    Full "fuzz" "random bytes for everything that reads files or other programs" |root| faults(cargo::fuzz(root));
    Full "tpause" "x86's timed pause (`tpause`) in an emulated processor" |root| script(root, "kernels/tpause.sh");
    Full "wine" "the Windows build's tests, C library and measurements under Wine"
        |root| script(root, "kernels/wine.sh");
    Full "arm64" "the arm64 build's tests, a measurement and a trace in an emulated machine"
        |root| script(root, "kernels/arm64.sh");
}

fn quiet(result: Result<(), String>) -> Result<String, String> {
    result.map(|()| String::new())
}

/// Prints errors, one a line; a failure with the first of them, if there are any.
fn faults(found: Result<Vec<String>, String>) -> Result<String, String> {
    let found = found?;
    for fault in &found {
        println!("{fault}");
    }
    match found.as_slice() {
        [] => Ok(String::new()),
        [fault] => Err(fault.clone()),
        [first, others @ ..] => Err(format!("{first} (and {} more)", others.len())),
    }
}

/// Runs a script; a step of a check that lacks something fails.
fn script(root: &Root, path: &str) -> Result<String, String> {
    steps::script(root, &[path]).map_err(|problem| match problem {
        Problem::Failed(why) | Problem::Impossible(why) => why,
    })
}

/// Documents, and the programs that they show.
const EXAMPLES: [(&str, &str); 4] = [
    ("README.md", "crates/oversleep/examples/frames.rs"),
    ("docs/guide/sleep-on-time.md", "crates/oversleep-capi/examples/ticker.c"),
    ("crates/oversleep-capi/README.md", "crates/oversleep-capi/examples/frames.cpp"),
    ("crates/oversleep/README.md", "benches/library/examples/tokio.rs"),
];

/// Returns an error for each example that its document does not show as it is compiled, apart from its first comment.
fn examples(root: &Path) -> Result<Vec<String>, String> {
    let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let mut faults = Vec::new();
    for (document, example) in EXAMPLES {
        let code = read(example)?;
        let code = code.split_once("\n\n").map_or(code.as_str(), |(_, code)| code);
        if !read(document)?.contains(&format!("\n{code}```\n")) {
            faults.push(format!("{document} does not show {example} as it is"));
        }
    }
    Ok(faults)
}

pub(crate) fn run(root: &Path, options: &CheckOptions) -> bool {
    let known = |name: &&String| STEPS.iter().all(|step| step.name != **name);
    if let Some(unknown) = options.only.iter().find(known) {
        eprintln!("no step is called `{unknown}`; `cargo xtask check --list` lists them");
        return false;
    }
    let wanted = |step: &&Step| match options.only.as_slice() {
        [] => options.full || options.list || step.tier == Tier::Quick,
        names => names.iter().any(|name| name == step.name),
    };
    let steps: Vec<&'static Step> = STEPS.iter().filter(wanted).collect();
    if options.list {
        for step in steps {
            println!("{:5?}  {:9}  {}", step.tier, step.name, step.about);
        }
        return true;
    }
    let root = Root { path: root.to_path_buf(), full: options.full };
    let run = |step: &'static Step| -> steps::Step<'_> {
        let root = &root;
        (step.name, step.about, Box::new(move || (step.run)(root).map_err(Problem::Failed)))
    };
    steps::run(&steps.into_iter().map(run).collect::<Vec<_>>())
}
