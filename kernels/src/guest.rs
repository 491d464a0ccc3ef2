//! Our programs for a guest, linked statically, and its file system: those, busybox, `kernels/guest/init` and its jobs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::build;
use crate::cpio::Archive;
use crate::job::Job;
use serde_json::Value;
use xtask::child;
use xtask::outcome::passed;

/// Builds for one target.
pub(crate) struct Builder<'a> {
    pub(crate) root: &'a Path,
    pub(crate) target: &'a str,
    /// The compiler of another processor's C, which links.
    pub(crate) linker: Option<&'a str>,
}

/// A program, by its path in the guest.
pub(crate) type Program = (String, PathBuf);

impl Builder<'_> {
    pub(crate) fn oversleep(&self) -> Result<Program, String> {
        passed(child::run(self.cargo(&["build", "--quiet", "-p", "oversleep-cli"])), "cargo build")?;
        let place = build::folder(self.root).join(self.target).join("debug").join("oversleep");
        Ok(("oversleep".to_owned(), place))
    }

    /// The test programs that cargo makes of these words: as many as expected, or something was renamed.
    pub(crate) fn tests(&self, words: &[&str], expected: usize) -> Result<Vec<Program>, String> {
        let words = [&["test", "--quiet", "--no-run", "--message-format=json"][..], words].concat();
        let told = self.cargo(&words).stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
        if !told.status.success() {
            return Err(format!("cargo test --no-run: {}", told.status));
        }
        let tests = programs(&String::from_utf8_lossy(&told.stdout));
        if tests.len() == expected {
            return Ok(tests);
        }
        Err(format!("cargo built {} test programs, not {expected}", tests.len()))
    }

    /// With flags of its own, and smaller programs to carry.
    fn cargo(&self, words: &[&str]) -> Command {
        let mut command = child::command(self.root, &[&["cargo"], words, &["--target", self.target]].concat());
        command
            .env("CARGO_TARGET_DIR", build::folder(self.root))
            // The guest has no libraries. These flags go before any other place that sets some.
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

/// Name in the guest and place here of every test program in cargo's messages.
fn programs(messages: &str) -> Vec<Program> {
    let program = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let place = message["executable"].as_str()?;
        Some((format!("tests/{}", message["target"]["name"].as_str()?), PathBuf::from(place)))
    };
    messages.lines().filter_map(program).collect()
}

/// The guest's file system.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_among_messages() {
        let messages = "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"knob\"},\"executable\":\"/x/knob-1\"}\n\
                        {\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"libc\"},\"executable\":null}\nnoise\n";
        assert_eq!(programs(messages), [("tests/knob".to_owned(), PathBuf::from("/x/knob-1"))]);
    }
}
