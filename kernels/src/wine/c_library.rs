//! Tests the C library with a C program.

use std::fs;

use xtask::child;
use xtask::outcome::passed;

use super::{COMPILER, TARGET, Wine};

impl Wine {
    /// Builds the library, compiles the C program that tests it, and runs the program.
    pub(super) fn c_library(&self) -> Result<(), String> {
        let build = ["cargo", "build", "--quiet", "--target", TARGET, "-p", "oversleep-capi"];
        passed(child::run(self.within(&build)), "cargo build of the C library")?;
        let library = self.built().join("oversleep_capi.dll");
        fs::copy(&library, self.libraries().join("oversleep_capi.dll"))
            .map_err(|error| format!("{}: {error}", library.display()))?;
        let program = self.folder.join("smoke.exe").display().to_string();
        let library = library.display().to_string();
        // pthread is linked statically: Wine has no library for it.
        let words = [
            COMPILER,
            "-std=c99",
            "-Wall",
            "-I",
            "crates/oversleep-capi/include",
            "-o",
            &program,
            "crates/oversleep-capi/tests/c/smoke.c",
            &library,
            "-static-libgcc",
            "-Wl,-Bstatic",
            "-lpthread",
        ];
        child::output(&self.root, &words)?;
        passed(child::run(self.within(&["wine", &program])), "the C library's test")
    }
}
