//! Tests `tpause`, x86's timed wait, in Bochs, which emulates a processor that has it: few real ones do, and
//! hypervisors hide it.
//!
//! Time in Bochs counts instructions, so the test can require that the wait rests, whatever the load of this machine.

use std::fs;
use std::path::Path;

use crate::guest::{self, Builder};
use crate::job::{self, Job, Waits};
use crate::packages::{self, Packages, Wanted};
use xtask::child;
use xtask::outcome::{Outcome, from_faults};
use xtask::toolchain;

const TARGET: &str = "x86_64-unknown-linux-gnu";
const EMULATOR: &str = "usr/bin/bochs-bin";
const PLUGINS: &str = "usr/lib/x86_64-linux-gnu/bochs/plugins";
const LOADER: &str = "usr/lib/ISOLINUX/isolinux.bin";
const LOADER_LIBRARY: &str = "usr/lib/syslinux/modules/bios/ldlinux.c32";
const DISC_WRITER: &str = "usr/bin/xorriso";
/// Seconds after which a guest that has not switched itself off is killed. It takes some 2.2 thousand million emulated
/// instructions, which is a minute or two on an idle processor.
const PATIENCE: &str = "1800";
const WANTED: Wanted = Wanted {
    programs: &["bochs", "bochs-term", "bochsbios", "vgabios", "isolinux", "syslinux-common", "xorriso"],
    kernel: "linux-image-cloud-amd64",
    shell: Some("busybox-static"),
    files: &[EMULATOR, LOADER, LOADER_LIBRARY, DISC_WRITER],
};

pub(crate) fn check(root: &Path) -> Outcome {
    let folder = root.join("target").join("tpause");
    let packages = match ready(root).and_then(|()| Packages::have(&folder, &WANTED)) {
        Ok(packages) => packages,
        Err(why) => return Outcome::Skipped(why),
    };
    let jobs = [Job::pause(Waits::Resting)];
    if let Err(why) = disc(root, &folder, &packages, &jobs) {
        return Outcome::Failed(why);
    }
    match boot(root, &folder, &packages) {
        Ok(console) => from_faults(&job::faults(&jobs, &console)),
        Err(why) => Outcome::Failed(why),
    }
}

/// Checks for the tools that the step needs; the error is the reason for a skip. `script` gives Bochs a terminal,
/// without which Debian's does not start.
fn ready(root: &Path) -> Result<(), String> {
    packages::ready(root)?;
    child::output(root, &["script", "--version"]).map_err(|_| "this machine has no script (bsdutils)".to_owned())?;
    toolchain::target(root, TARGET)
}

/// Builds the test program and writes the disc from which the guest starts.
fn disc(root: &Path, folder: &Path, packages: &Packages, jobs: &[Job]) -> Result<(), String> {
    let builder = Builder { root, target: TARGET, linker: None };
    let programs = builder.tests(&["-p", "oversleep-sys", "--lib"], 1)?;
    let archive = guest::initramfs(root, &packages.path(packages::BUSYBOX), &programs, jobs)?;
    let content = folder.join("disc");
    let told = |error: std::io::Error| format!("{}: {error}", content.display());
    fs::create_dir_all(&content).map_err(told)?;
    fs::write(content.join("initrd"), archive).map_err(told)?;
    let copies = [
        (packages.kernel().to_path_buf(), "vmlinuz"),
        (packages.path(LOADER), "isolinux.bin"),
        (packages.path(LOADER_LIBRARY), "ldlinux.c32"),
        (root.join("kernels/guest/isolinux.cfg"), "isolinux.cfg"),
    ];
    for (from, to) in copies {
        fs::copy(from, content.join(to)).map_err(told)?;
    }
    let writer = packages.words(DISC_WRITER);
    let mut words: Vec<&str> = writer.iter().map(String::as_str).collect();
    words.extend(["-as", "mkisofs", "-quiet", "-o", "disc.iso", "-b", "isolinux.bin", "-c", "boot.cat"]);
    words.extend(["-no-emul-boot", "-boot-load-size", "4", "-boot-info-table", "disc"]);
    child::output(folder, &words).map(drop)
}

/// Boots the machine; returns what it printed. One that does not end by itself is killed.
fn boot(root: &Path, folder: &Path, packages: &Packages) -> Result<String, String> {
    let console = folder.join("console.txt");
    let _ = fs::remove_file(&console);
    let settings = root.join("kernels/guest/bochsrc").display().to_string();
    let words = [packages.words(EMULATOR), ["-q", "-f", &settings].map(str::to_owned).to_vec()].concat();
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let words = [
        "timeout",
        "--foreground",
        "--kill-after=5",
        PATIENCE,
        "script",
        "--quiet",
        "--flush",
        "--command",
        &quoted.join(" "),
    ];
    let mut command = child::command(folder, &[&words[..], &["screen.txt"]].concat());
    command.env("LTDL_LIBRARY_PATH", packages.path(PLUGINS)).env("TERM", "xterm").stdout(std::process::Stdio::null());
    // Bochs exits with 1 when the guest switches itself off, so the guest's output decides.
    let status = command.status().map_err(|error| format!("script: {error}"))?;
    let text = fs::read(&console).map_err(|_| format!("Bochs did not start: {status}; see target/tpause/bochs.log"))?;
    let text = String::from_utf8_lossy(&text).replace('\r', "");
    println!("{text}");
    Ok(text)
}
