//! The arm64 build, run on Debian's arm64 kernel in an emulated machine: tests, a measurement, a trace.
//!
//! What passes here says that calls are made as this kernel expects them and that every instruction exists; nothing about
//! how late arm64 is. qemu's `wfe` and `wfet` end at once, as the architecture allows, so nothing is said of resting either.

use std::path::Path;

use crate::child;
use crate::outcome::{Outcome, from_faults};
use crate::targets;
use guest::{Guest, Job};
use machine::Machine;
use packages::Packages;

mod guest;
mod machine;
mod packages;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const COMPILER: &str = "aarch64-linux-gnu-gcc";
const COMPILER_PACKAGES: &str = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross";

pub(super) fn check(root: &Path) -> Outcome {
    let folder = root.join("target").join("arm64");
    let packages = match ready(root).and_then(|()| Packages::have(root, &folder)) {
        Ok(packages) => packages,
        Err(why) => return Outcome::Skipped(why),
    };
    match Guest::build(root, &folder) {
        Ok(guest) => from_faults(&faults(root, &Machine { root, folder: &folder, packages: &packages }, &guest)),
        Err(why) => Outcome::Failed(why),
    }
}

/// What the step needs and the machine may lack; the packages are for one system and processor.
fn ready(root: &Path) -> Result<(), String> {
    let host = child::output(root, &["uname", "-sm"]).unwrap_or_default();
    if host.trim() != "Linux x86_64" {
        return Err("only on x86-64 Linux".to_owned());
    }
    for tool in ["apt-get", "dpkg-deb", "timeout"] {
        child::output(root, &[tool, "--version"]).map_err(|_| format!("this machine has no {tool}"))?;
    }
    // Answers with a whole path for a library that it has.
    let library = child::output(root, &[COMPILER, "-print-file-name=libc.a"]).unwrap_or_default();
    if !library.contains('/') {
        return Err(format!(
            "this machine has no {COMPILER} or no library for it (apt-get install {COMPILER_PACKAGES})"
        ));
    }
    targets::add(root, TARGET)
}

/// One processor has the timed wait; the other, a model before Armv8.7, has the event stream alone.
fn faults(root: &Path, machine: &Machine, guest: &Guest) -> Vec<String> {
    let older = vec![Job::pause("Events")];
    let newer = [vec![Job::pause("Timed")], guest.tests(), Job::commands()].concat();
    let boots = [("neoverse-n1", older, 120), ("max", newer, 600)];
    let one = |(processor, jobs, seconds): &(&str, Vec<Job>, u32)| {
        let console = guest
            .archive(root, &machine.packages.busybox(), jobs)
            .and_then(|archive| machine.boot(processor, &archive, *seconds));
        let faults = console.map_or_else(|why| vec![why], |console| guest::faults(jobs, &console));
        faults.into_iter().map(|fault| format!("-cpu {processor}: {fault}")).collect::<Vec<_>>()
    };
    boots.iter().flat_map(one).collect()
}
