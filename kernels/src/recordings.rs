//! Runs our binary as the first program of a real kernel in qemu, and checks what `explain` says of its recording.
//!
//! The kernel is Debian's, or another one with its HZ: `cargo xtask recordings PATH [HZ]`. Time in the guest counts
//! instructions (`-icount`), so the load of this machine has no influence and every run gives the same recording.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use xtask::child;
use xtask::outcome::passed;

use crate::cpio::Archive;
use crate::guest::Builder;
use crate::packages::{self, Packages, Wanted};

/// Target of the guest's program, which is linked statically: its file system has no libraries.
const TARGET: &str = "x86_64-unknown-linux-gnu";
const EMULATOR: &str = "usr/bin/qemu-system-x86_64";
const WANTED: Wanted = Wanted {
    programs: &["qemu-system-x86", "seabios"],
    kernel: "linux-image-amd64",
    shell: None,
    files: &[EMULATOR, "usr/share/seabios/bios-256k.bin"],
};
/// Arguments of the guest's program: enough sleeps to find ticks, their rate and the rounding.
const MEASURE: &str = "measure -m nanosleep -r 200us..60ms -n 400 --phase random:4ms --csv --no-save -q";
/// A column that the header of every table of samples has.
const HEADER: &str = "requested_ns";
/// Kernel command line. When the first program ends, the kernel panics, and qemu ends.
const BOOT: &str = "console=ttyS0 quiet loglevel=0 panic=-1 mitigations=off random.trust_cpu=on rdinit=/oversleep";

/// Ticks per second of Debian's kernels.
const DEBIAN_HZ: f64 = 250.0;

/// Boot options of the kernel, and whether sleeps then end at ticks.
struct Boot {
    arguments: &'static str,
    ticks: bool,
}

const BOOTS: &[Boot] = &[
    Boot { arguments: "highres=off nohz=off", ticks: true },
    Boot { arguments: "highres=off nohz=on", ticks: true },
    Boot { arguments: "highres=off nohz=off nolapic hpet=disable", ticks: true },
    Boot { arguments: "highres=on nohz=on", ticks: false },
];

/// Boots the kernel with each set of options and prints what was found; the error says what went wrong, or how many
/// results were wrong.
pub(crate) fn run(root: &Path, words: &[String]) -> Result<(), String> {
    packages::ready(root)?;
    let folder = root.join("target").join("recordings");
    let packages = Packages::have(&folder, &WANTED)?;
    let kernel = words.first().map_or_else(|| packages.kernel().to_path_buf(), PathBuf::from);
    let hz = match words.get(1) {
        Some(hz) => hz.parse().map_err(|_| format!("the kernel's HZ is a number, not `{hz}`"))?,
        None => DEBIAN_HZ,
    };
    let (_, guest) = Builder { root, target: TARGET, linker: None }.oversleep()?;
    passed(
        child::run(child::command(root, &["cargo", "build", "--quiet", "--workspace", "--bin", "oversleep"])),
        "cargo build",
    )?;
    let host = root.join("target").join("debug").join("oversleep").display().to_string();
    let archive = folder.join("initrd");
    let binary = fs::read(&guest).map_err(|error| format!("{}: {error}", guest.display()))?;
    fs::write(&archive, initramfs(&binary)).map_err(|error| format!("{}: {error}", archive.display()))?;
    println!("{}; 400 sleeps of 0.2 to 60 ms at random phase each\n", kernel.display());
    println!("{:45}  {:8}  {:8}  {:10}  right", "booted with", "rate", "rounding", "drift");
    let mut wrong = 0;
    for (number, boot) in BOOTS.iter().enumerate() {
        let table = folder.join(format!("{number}.csv"));
        record(root, &packages, &kernel, &archive, boot, &table)?;
        let told = child::output(root, &[&host, "explain", "--json", &table.display().to_string()])?;
        let document = serde_json::from_str(&told).map_err(|error| format!("oversleep explain: {error}"))?;
        let found = Found::of(&document);
        let right = found.is_right(boot, hz);
        wrong += usize::from(!right);
        println!("{:45}  {}  {}", boot.arguments, found.line(), if right { "yes" } else { "NO" });
    }
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} of {} kernels misread", BOOTS.len())) }
}

/// Returns a file system with the binary and a folder for its files.
fn initramfs(binary: &[u8]) -> Vec<u8> {
    let mut archive = Archive::new();
    archive.folder("tmp", 0o1777);
    archive.program("oversleep", binary);
    archive.finish()
}

/// Boots the kernel and writes the table that its first program prints on the serial line to a file.
fn record(
    root: &Path,
    packages: &Packages,
    kernel: &Path,
    archive: &Path,
    boot: &Boot,
    table: &Path,
) -> Result<(), String> {
    let line = format!("{BOOT} {} -- {MEASURE}", boot.arguments);
    let words = [vec!["timeout".to_owned(), "--kill-after=5".to_owned(), "600".to_owned()], packages.words(EMULATOR)];
    let words = words.concat();
    let mut command: Command = child::command(root, &words.iter().map(String::as_str).collect::<Vec<_>>());
    command
        .arg("-L")
        .arg(packages.path("usr/share/seabios"))
        .arg("-L")
        .arg(packages.path("usr/share/qemu"))
        .args(["-accel", "tcg", "-icount", "shift=2,sleep=off", "-m", "512", "-nodefaults", "-no-user-config"])
        .args(["-display", "none", "-serial", "stdio", "-no-reboot", "-append", &line, "-initrd"])
        .arg(archive)
        .arg("-kernel")
        .arg(kernel);
    let output = command.output().map_err(|error| format!("qemu: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    let rows = rows(&printed);
    if rows.lines().count() < 300 {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = [&printed, &errors].into_iter().find_map(|text| text.lines().rfind(|line| !line.trim().is_empty()));
        let last = last.unwrap_or("nothing");
        return Err(format!("booted with `{}`, the guest recorded too little; it said last: {last}", boot.arguments));
    }
    fs::write(table, rows).map_err(|error| format!("{}: {error}", table.display()))
}

/// Returns the table within a console's output: its header, and the lines with the same number of fields.
fn rows(printed: &str) -> String {
    let mut lines = printed.lines().skip_while(|line| !line.contains(HEADER));
    let Some(header) = lines.next() else { return String::new() };
    let fields = header.split(',').count();
    let whole = lines.filter(|line| line.split(',').count() == fields);
    std::iter::once(header).chain(whole).flat_map(|line| [line, "\n"]).collect()
}

/// What `explain` found in a recording.
struct Found {
    ticks: bool,
    hz: Option<f64>,
    rounding: Option<String>,
    drift: Option<f64>,
}

impl Found {
    fn of(document: &Value) -> Self {
        let findings = document["findings"].as_array().map_or(&[][..], Vec::as_slice);
        let named = |name: &str| findings.iter().find(|finding| finding["cause"] == name);
        let tick = named("tick-quantised");
        let evidence = |key: &str| tick.map(|tick| tick["evidence"][key].clone());
        Self {
            ticks: tick.is_some(),
            hz: evidence("hz").and_then(|hz| hz.as_f64()),
            rounding: evidence("rounding").and_then(|rule| rule.as_str().map(str::to_owned)),
            drift: named("clock-drift").and_then(|drift| drift["size"].as_f64()),
        }
    }
}

impl Found {
    fn is_right(&self, boot: &Boot, hz: f64) -> bool {
        self.ticks == boot.ticks
            && self.hz == boot.ticks.then_some(hz)
            && (!boot.ticks || self.rounding.as_deref() == Some("up"))
    }

    fn line(&self) -> String {
        let hz =
            self.hz.map_or_else(|| if self.ticks { "open" } else { "no tick" }.to_owned(), |hz| format!("{hz} Hz"));
        let drift = self.drift.map_or_else(|| "none".to_owned(), |ppm| format!("{ppm:+.2} ppm"));
        format!("{hz:8}  {:8}  {drift:10}", self.rounding.as_deref().unwrap_or("–"))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_table_is_found_among_messages() {
        let printed = "[    0.1] booting\nmethod,requested_ns,start_ns\na,1,2\n[    9.9] Kernel panic\nb,3,4\n";
        assert_eq!(super::rows(printed), "method,requested_ns,start_ns\na,1,2\nb,3,4\n");
        assert_eq!(super::rows("nothing\n"), "");
    }
}
