//! Tests on kernels and processors that this machine does not have, in emulators.
//!
//! `cargo xtask check --only arm64` (`tpause`, `wine`) and `cargo xtask recordings` build this program and run it.

use std::env;
use std::process::ExitCode;

use xtask::outcome::Outcome;
use xtask::tree;

mod arm64;
mod build;
mod cpio;
mod guest;
mod job;
mod machine;
mod packages;
mod recordings;
mod tpause;
mod wine;

fn main() -> ExitCode {
    let root = tree::root();
    let words: Vec<String> = env::args().skip(1).collect();
    let outcome = match words.first().map(String::as_str) {
        Some("arm64") => arm64::check(&root),
        Some("tpause") => tpause::check(&root),
        Some("wine") => wine::check(&root),
        Some("recordings") => recordings::run(&root, &words[1..]).map_or_else(Outcome::Failed, |()| Outcome::Passed),
        _ => Outcome::Failed("say which: arm64, tpause, wine, recordings".to_owned()),
    };
    println!("{}", outcome.line());
    if matches!(outcome, Outcome::Failed(_)) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
