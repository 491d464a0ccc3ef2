//! `cargo xtask check`: the one test command.

use std::path::Path;

use clap::Args;

use crate::outcome::{self, Outcome, Row};
use crate::{generate, targets};

mod borders;
mod cargo;
mod catalogue;
mod emulated;
mod exceptions;
mod lengths;
mod manifests;
mod miri;
mod python;
mod readme;
mod tokens;
mod wine;

#[derive(Args)]
pub(crate) struct Options {
    /// Run this step alone; may be given more than once.
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// List the steps.
    #[arg(long)]
    list: bool,
}

/// A step yields a row for each thing it checked.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Path) -> Vec<Row>,
}

/// In the order they run: what fails soonest and cheapest first.
const STEPS: &[Step] = &[
    Step { name: "format", about: "cargo fmt --check", run: |root| one("format", || cargo::format(root)) },
    Step {
        name: "lengths",
        about: "no source file above 400 lines",
        run: |root| one("lengths", || lengths::check(root)),
    },
    Step {
        name: "platforms",
        about: "platform names only in oversleep-sys and oversleep-os",
        run: |root| one("platforms", || borders::platforms(root)),
    },
    Step {
        name: "unsafe",
        about: "unsafe code only behind its borders",
        run: |root| one("unsafe", || borders::unsafety(root)),
    },
    Step {
        name: "catalogue",
        about: "methods named only in the catalogue and their own files",
        run: |root| one("catalogue", || catalogue::check(root)),
    },
    Step { name: "readme", about: "README gives the two commands", run: |root| one("readme", || readme::check(root)) },
    Step { name: "gen", about: "generated files unchanged", run: |root| one("gen", || generate::check(root)) },
    Step { name: "clippy", about: "lints, warnings denied", run: |root| one("clippy", || cargo::clippy(root)) },
    Step {
        name: "peers",
        about: "lints of the benchmark beside its peers, and of the asynchronous example",
        run: |root| one("peers", || cargo::peers(root)),
    },
    Step { name: "tests", about: "all tests and doctests", run: |root| one("tests", || cargo::tests(root)) },
    Step {
        name: "python",
        about: "the Python package, installed and tested from Python",
        run: |root| one("python", || python::check(root)),
    },
    Step { name: "docs", about: "rustdoc, warnings denied", run: |root| one("docs", || cargo::docs(root)) },
    Step {
        name: "msrv",
        about: "compiles with the stated rust-version",
        run: |root| one("msrv", || cargo::msrv(root)),
    },
    Step { name: "miri", about: "the sleep library under Miri", run: |root| one("miri", || miri::check(root)) },
    Step {
        name: "loom",
        about: "the library's shared state in every order of threads",
        run: |root| one("loom", || cargo::loom(root)),
    },
    Step { name: "targets", about: "compiles for every system", run: targets::run },
    Step {
        name: "wine",
        about: "the Windows build's tests and a measurement under Wine",
        run: |root| one("wine", || wine::check(root)),
    },
    Step {
        name: "arm64",
        about: "the arm64 build's tests, a measurement and a trace in an emulated machine",
        run: |root| one("arm64", || emulated::arm64::check(root)),
    },
    Step {
        name: "tpause",
        about: "x86's timed rest in an emulated processor that has it",
        run: |root| one("tpause", || emulated::tpause::check(root)),
    },
    Step { name: "deny", about: "licences, bans and sources of dependencies", run: cargo::deny },
];

pub(crate) fn run(root: &Path, options: &Options) -> bool {
    if options.list {
        for step in STEPS {
            println!("{:10} {}", step.name, step.about);
        }
        return true;
    }
    match chosen(&options.only) {
        Ok(steps) => outcome::report(&steps.iter().flat_map(|step| (step.run)(root)).collect::<Vec<Row>>()),
        Err(unknown) => {
            eprintln!("no step is called `{unknown}`; `cargo xtask check --list` lists them");
            false
        }
    }
}

/// The steps named, in the table's order; all of them if none is named.
fn chosen(only: &[String]) -> Result<Vec<&'static Step>, String> {
    if let Some(unknown) = only.iter().find(|name| STEPS.iter().all(|step| step.name != name.as_str())) {
        return Err(unknown.clone());
    }
    Ok(STEPS.iter().filter(|step| only.is_empty() || only.iter().any(|name| name == step.name)).collect())
}

fn one(name: &str, work: impl FnOnce() -> Outcome) -> Vec<Row> {
    vec![outcome::timed(name, work)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_step_is_refused_and_none_means_all() {
        assert_eq!(chosen(&["clipy".to_owned()]).err().as_deref(), Some("clipy"));
        assert_eq!(chosen(&[]).map(|steps| steps.len()).ok(), Some(STEPS.len()));
        let two = chosen(&["docs".to_owned(), "format".to_owned()]).unwrap_or_default();
        assert_eq!(two.iter().map(|step| step.name).collect::<Vec<_>>(), ["format", "docs"]);
    }
}
