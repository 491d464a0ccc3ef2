//! `cargo xtask release --check`: builds and tests every package of a release, and uploads none.

use std::path::Path;

use clap::Args;

use crate::steps::{self, Step};

#[derive(Args)]
pub(crate) struct ReleaseOptions {
    /// Build and test; what remains is for a person with credentials (docs/RELEASING.md).
    #[arg(long, required = true)]
    check: bool,
    /// Run these steps only: STEP,STEP.
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    only: Vec<String>,
}

/// The steps, and the script of each below `xtask/release`; a later one may need what an earlier one made.
const STEPS: &[(&str, &str, &[&str])] = &[
    ("crates", "every published crate, built from the .crate files alone", &["crates.sh"]),
    ("semver", "the library's interface is compatible with the last version", &["semver.sh"]),
    ("twice", "the programs and the C library; the same bytes from another folder at another time", &["twice.sh"]),
    (
        "x86-64",
        "static program for Linux, its archive and bill of materials",
        &["archive.sh", "x86_64-unknown-linux-musl"],
    ),
    ("arm64", "the same for arm64", &["archive.sh", "aarch64-unknown-linux-musl"]),
    ("windows", "the same for Windows, run under Wine", &["windows.sh"]),
    ("rpm", "an RPM package; rpmlint's opinion; installed, upgraded, used and removed", &["rpm.sh"]),
    ("wheels", "the two Python packages, installed in an empty environment", &["wheels.sh"]),
    ("deb", "Debian's packages of the program, the C library and Python's", &["deb.sh"]),
    ("lintian", "Debian's opinion of them", &["lintian.sh"]),
    ("install", "installed, upgraded, used and removed in an empty Debian", &["install.sh"]),
    ("signed", "sums and their signature, verified without a network", &["signed.sh"]),
    ("book", "the documents as a book, every link in it checked", &["book.sh"]),
    ("recipes", "Homebrew, Nix, conda: read, not built", &["recipes.sh"]),
];

pub(crate) fn run(root: &Path, options: &ReleaseOptions) -> bool {
    if let Some(unknown) = options.only.iter().find(|name| STEPS.iter().all(|step| step.0 != **name)) {
        let names: Vec<&str> = STEPS.iter().map(|step| step.0).collect();
        eprintln!("no step is called `{unknown}`; the steps are {}", names.join(", "));
        return false;
    }
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|one| one == name);
    let steps: Vec<Step<'_>> = STEPS
        .iter()
        .filter(|step| wanted(step.0))
        .map(|&(name, about, words)| -> Step<'_> {
            let script = format!("xtask/release/{}", words[0]);
            (name, about, Box::new(move || steps::script(root, &[&[script.as_str()], &words[1..]].concat())))
        })
        .collect();
    steps::run(&steps)
}
