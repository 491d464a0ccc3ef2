//! Runs the arm64 build on Debian's arm64 kernel in an emulated machine: tests, a measurement, a trace.
//!
//! A pass means that calls are made as this kernel expects them and that every instruction exists. It says nothing
//! about lateness on arm64. qemu's `wfe` and `wfet` end at once, as the architecture allows, so it says nothing about
//! resting either.

use std::path::Path;

use crate::guest::{self, Builder, Program};
use crate::job::{self, Job, Waits};
use crate::machine::Qemu;
use crate::packages::{self, Packages, Wanted};
use xtask::child;
use xtask::outcome::{Outcome, from_faults};
use xtask::toolchain;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const COMPILER: &str = "aarch64-linux-gnu-gcc";
const COMPILER_PACKAGES: &str = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross";
const EMULATOR: &str = "usr/bin/qemu-system-aarch64";
const WANTED: Wanted = Wanted {
    programs: &["qemu-system-arm"],
    // It has a third of the size of the usual kernel, and everything that is tested here.
    kernel: "linux-image-cloud-arm64:arm64",
    shell: Some("busybox-static:arm64"),
    files: &[EMULATOR],
};
/// Arguments of `cargo test`: the tests of three libraries, and four test programs by name.
const TESTS: [&str; 11] = [
    "-p",
    "oversleep-sys",
    "-p",
    "oversleep-os",
    "-p",
    "oversleep",
    "--lib",
    "--test=settings",
    "--test=methods",
    "--test=trace",
    "--test=simulated",
];

pub(crate) fn check(root: &Path) -> Outcome {
    let folder = root.join("target").join("arm64");
    let packages = match ready(root).and_then(|()| have(root, &folder)) {
        Ok(packages) => packages,
        Err(why) => return Outcome::Skipped(why),
    };
    match Guest::build(root, &folder, &packages) {
        Ok(guest) => from_faults(&guest.faults()),
        Err(why) => Outcome::Failed(why),
    }
}

/// Checks for the tools that the step needs; the error is the reason for a skip.
fn ready(root: &Path) -> Result<(), String> {
    packages::ready(root)?;
    // It prints a whole path only for a library that it has.
    let library = child::output(root, &[COMPILER, "-print-file-name=libc.a"]).unwrap_or_default();
    if !library.contains('/') {
        return Err(format!(
            "this machine has no {COMPILER} or no library for it (apt-get install {COMPILER_PACKAGES})"
        ));
    }
    toolchain::target(root, TARGET)
}

fn have(root: &Path, folder: &Path) -> Result<Packages, String> {
    let packages = Packages::have(folder, &WANTED)?;
    let words = [packages.words(EMULATOR), vec!["--version".to_owned()]].concat();
    let started = child::output(root, &words.iter().map(String::as_str).collect::<Vec<_>>());
    started.map_err(|why| format!("Debian's qemu does not start here: {why}"))?;
    Ok(packages)
}

struct Guest<'a> {
    root: &'a Path,
    folder: &'a Path,
    packages: &'a Packages,
    tests: Vec<Program>,
    oversleep: Program,
}

impl<'a> Guest<'a> {
    fn build(root: &'a Path, folder: &'a Path, packages: &'a Packages) -> Result<Self, String> {
        let builder = Builder { root, target: TARGET, linker: Some(COMPILER) };
        Ok(Self { root, folder, packages, tests: builder.tests(&TESTS, 7)?, oversleep: builder.oversleep()? })
    }

    /// Runs both guests; returns their errors. One processor has the timed wait; the other, a model before Armv8.7, has
    /// only the event stream. The time limits (in seconds) are for an emulator that gets a small share of a busy
    /// machine.
    fn faults(&self) -> Vec<String> {
        let tests = self.tests.iter().filter_map(|(path, _)| path.strip_prefix("tests/")).map(Job::test).collect();
        let newer = [vec![Job::pause(Waits::Timed)], tests, Job::commands()].concat();
        let older = vec![Job::pause(Waits::Events)];
        let boots = [("neoverse-n1", older, 300), ("max", newer, 3_600)];
        let one = |(processor, jobs, seconds): &(&str, Vec<Job>, u32)| {
            let console = self.console(processor, jobs, *seconds);
            let faults = console.map_or_else(|why| vec![why], |console| job::faults(jobs, &console));
            faults.into_iter().map(|fault| format!("-cpu {processor}: {fault}")).collect::<Vec<_>>()
        };
        boots.iter().flat_map(one).collect()
    }

    fn console(&self, processor: &str, jobs: &[Job], seconds: u32) -> Result<String, String> {
        let programs = [&self.tests[..], std::slice::from_ref(&self.oversleep)].concat();
        let archive = guest::initramfs(self.root, &self.packages.path(packages::BUSYBOX), &programs, jobs)?;
        let mut emulator = self.packages.words(EMULATOR);
        emulator.extend(["-L".to_owned(), self.packages.path("usr/share/qemu").display().to_string()]);
        let qemu = Qemu { root: self.root, folder: self.folder, emulator, kernel: self.packages.kernel() };
        qemu.boot(processor, &archive, seconds)
    }
}
