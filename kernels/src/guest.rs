//! Builds our programs for a guest, linked statically, and its file system with them, busybox, `kernels/guest/init` and
//! the jobs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build;
use crate::cpio::Archive;
use crate::job::Job;
use xtask::outcome::passed;
use xtask::{built, child};

/// Builds programs for one target.
pub(crate) struct Builder<'a> {
    pub(crate) root: &'a Path,
    pub(crate) target: &'a str,
    /// C compiler for another processor, which is used as linker.
    pub(crate) linker: Option<&'a str>,
}

/// A program: its path in the guest, and its path on this machine.
pub(crate) type Program = (String, PathBuf);

impl Builder<'_> {
    pub(crate) fn oversleep(&self) -> Result<Program, String> {
        passed(child::run(self.cargo(&["build", "--quiet", "-p", "oversleep-cli"])), "cargo build")?;
        let place = build::folder(self.root).join(self.target).join("debug").join("oversleep");
        Ok(("oversleep".to_owned(), place))
    }

    /// Builds test programs with these arguments of `cargo test`. Another number than `expected` is an error: something
    /// was renamed.
    pub(crate) fn tests(&self, words: &[&str], expected: usize) -> Result<Vec<Program>, String> {
        let tests = built::tests(self.cargo(&[&["test", "--quiet"], words].concat()))?;
        if tests.len() == expected {
            return Ok(tests.into_iter().map(|test| (format!("tests/{}", test.name), test.path)).collect());
        }
        Err(format!("cargo built {} test programs, not {expected}", tests.len()))
    }

    /// Returns a command of cargo that links statically and makes small programs.
    fn cargo(&self, words: &[&str]) -> Command {
        let mut command =
            child::command(self.root, &[&["cargo"], words, &build::UNOPTIMISED, &["--target", self.target]].concat());
        command
            .env("CARGO_TARGET_DIR", build::folder(self.root))
            // The guest has no libraries. This variable takes precedence over flags set in other places.
            .env("RUSTFLAGS", "-C target-feature=+crt-static")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_STRIP", "symbols");
        if let Some(linker) = self.linker {
            let name = self.target.to_uppercase().replace('-', "_");
            command.env(format!("CARGO_TARGET_{name}_LINKER"), linker);
        }
        command
    }
}

/// Returns the guest's file system.
pub(crate) fn initramfs(root: &Path, busybox: &Path, programs: &[Program], jobs: &[Job]) -> Result<Vec<u8>, String> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let mut archive = Archive::new();
    for folder in ["bin", "proc", "sys", "tests"] {
        archive.folder(folder, 0o755);
    }
    archive.folder("tmp", 0o1777);
    archive.program("init", &read(&root.join("kernels/guest/init"))?);
    archive.program("bin/busybox", &read(busybox)?);
    for (name, path) in programs {
        archive.program(name, &read(path)?);
    }
    let lines: String = jobs.iter().map(|job| format!("{} {}\n", job.name, job.words)).collect();
    archive.file("jobs", lines.as_bytes());
    Ok(archive.finish())
}
