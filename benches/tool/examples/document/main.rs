//! Prints a generated document: `document platforms` is docs/PLATFORMS.md. `cargo xtask gen` writes it.
//!
//! An example, because cargo builds examples with the features of tests: what the tests built is not built again.

use std::process::ExitCode;

mod platforms;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("platforms") {
        print!("{}", platforms::render());
        return ExitCode::SUCCESS;
    }
    eprintln!("say which document: platforms");
    ExitCode::FAILURE
}
