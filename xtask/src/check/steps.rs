//! The table of steps.

use std::path::Path;

use super::{
    borders, cargo, catalogue, deny, engines, fuzz, lengths, miri, msrv, programs, python, readme, semver, web,
};
use crate::outcome::{Outcome, StepResult};
use crate::{arrows, generate, program, targets};

/// When a step runs: always, or only with `--full`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tier {
    /// For every change: needs the usual toolchain and Python, and installs nothing outside `target`.
    Quick,
    /// Before a merge: takes long, or needs tools that few machines have.
    Full,
}

impl Tier {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) tier: Tier,
    pub(super) about: &'static str,
    pub(super) run: Action,
}

pub(super) enum Action {
    One(fn(&Path) -> Outcome),
    /// Returns a row of the closing table for each thing that was checked.
    Several(fn(&Path) -> Vec<StepResult>),
}

const fn quick(name: &'static str, about: &'static str, run: fn(&Path) -> Outcome) -> Step {
    Step { name, tier: Tier::Quick, about, run: Action::One(run) }
}

const fn full(name: &'static str, about: &'static str, run: fn(&Path) -> Outcome) -> Step {
    Step { name, tier: Tier::Full, about, run: Action::One(run) }
}

/// All steps in the order in which they run: the quick tier, then the full one; within each, the quickest first.
pub(super) const STEPS: &[Step] = &[
    quick("format", "cargo fmt --check", cargo::format),
    quick("lengths", "no source file above 400 lines", lengths::check),
    quick("platforms", "platform names only in oversleep-sys and oversleep-os", borders::platforms),
    quick("unsafe", "unsafe code only behind its borders", borders::unsafety),
    quick("catalogue", "methods are named in the catalogue alone", catalogue::check),
    quick("arrows", "rooms use only the rooms below them", arrows::check),
    quick("readme", "README gives the two commands", readme::check),
    quick("locks", "lock files up to date, the benchmark's too", cargo::locks),
    quick("clippy", "lints, warnings denied, those of the fuzzing targets too", cargo::clippy),
    quick("tests", "all tests and doctests", programs::check),
    quick("gen", "generated files unchanged", generate::check),
    quick("docs", "rustdoc, warnings denied", cargo::docs),
    quick("python", "the Python package, put together and tested from Python", python::check),
    full(
        "peers",
        "lints of packages outside the workspace: the benchmark beside its peers, the asynchronous example, loom's",
        cargo::peers,
    ),
    full("truth", "what is said of recordings whose truth is known, four times as many as in tests", cargo::truth),
    full("web", "the report page's program is what its sources give; its types and tests", web::bundle),
    full("page", "report pages in a browser without network", web::page),
    Step { name: "targets", tier: Tier::Full, about: "compiles for every system", run: Action::Several(targets::run) },
    full("wheel", "the Python package's wheel, built, installed and tested", python::wheel),
    full("msrv", "compiles with the stated rust-version", msrv::check),
    full("miri", "the sleep library under Miri", miri::check),
    full("loom", "the library's shared clock in every order of threads", cargo::loom),
    Step {
        name: "fuzz",
        tier: Tier::Full,
        about: "made-up bytes into everything that reads files or other programs, some seconds each",
        run: Action::Several(fuzz::check),
    },
    full("wine", "the Windows build's tests, its C library and its measurements under Wine, read again here", |root| {
        program::kernels(root, "wine")
    }),
    full("arm64", "the arm64 build's tests, a measurement and a trace in an emulated machine", |root| {
        program::kernels(root, "arm64")
    }),
    full("tpause", "x86's timed rest in an emulated processor that has it", |root| program::kernels(root, "tpause")),
    Step {
        name: "deny",
        tier: Tier::Full,
        about: "licences, bans, sources and advisories of dependencies",
        run: Action::Several(deny::check),
    },
    Step {
        name: "engines",
        tier: Tier::Full,
        about: "other engines on our files: DuckDB, polars, pyarrow, Prometheus, Perfetto, Spark",
        run: Action::Several(engines::check),
    },
    full("semver", "no broken promise since the last release", semver::check),
];
