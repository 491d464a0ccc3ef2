//! Prints a generated document: `document platforms` is docs/PLATFORMS.md, `document explain` is docs/schema/explain.json.
//! `cargo xtask gen` writes them.
//!
//! It is an example because cargo builds examples with the features of tests, so dependencies are not built twice.

use std::process::ExitCode;

mod platforms;
mod schema;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let text = if name == "platforms" { Some(platforms::render()) } else { schema::of_document(&name) };
    let Some(text) = text else {
        eprintln!("no document is called '{name}'; xtask/src/generate.rs lists them");
        return ExitCode::FAILURE;
    };
    print!("{text}");
    ExitCode::SUCCESS
}
