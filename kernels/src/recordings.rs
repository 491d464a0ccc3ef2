//! `kernel`: our own binary as the init of a real kernel in qemu, and whether `explain` knows the kernel by what it
//! recorded.
//!
//! The kernel is Debian's, downloaded by apt, or another one and its HZ: `cargo xtask bench kernel -- PATH [HZ]`.
//! Time in the guest counts instructions (`-icount`), so the machine's load does not show and every run gives the same recording.

use super::Options;
use super::sheet::Sheet;
use super::tool::{self, Scratch};
use crate::child;
use crate::cpio::Archive;
use crate::tree;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Without a shell or anything else: the binary is the only file beside the console.
const TARGET: &str = "x86_64-unknown-linux-musl";
/// What the guest records: enough to tell ticks, rate and rounding.
const MEASURE: &str = "measure -m nanosleep -r 200us..60ms -n 400 --phase random:4ms --csv --no-save -q";
/// A header that every table of samples has.
const HEADER: &str = "requested_ns";
/// The init's end is the kernel's: it panics, and qemu leaves.
const BOOT: &str = "console=ttyS0 quiet loglevel=0 panic=-1 mitigations=off random.trust_cpu=on rdinit=/oversleep";

/// The rate of Debian's kernels.
const DEBIAN_HZ: f64 = 250.0;

/// One way to boot the kernel, and whether sleeps then end at ticks.
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

pub(super) fn run(options: &Options) -> Result<(), String> {
    if let Some(missing) = missing() {
        println!("skipped: {missing}");
        return Ok(());
    }
    let kernel = match options.own.first() {
        Some(path) => PathBuf::from(path),
        None => debian()?,
    };
    let built = match options.own.get(1) {
        Some(hz) => hz.parse::<f64>().map_err(|_| format!("the kernel's HZ is a number, not `{hz}`"))?,
        None => DEBIAN_HZ,
    };
    let (guest, host) = (guest()?, tool::release()?);
    let scratch = Scratch::new("kernel")?;
    let archive = scratch.file("initrd");
    let binary = fs::read(&guest).map_err(|error| format!("{}: {error}", guest.display()))?;
    fs::write(&archive, initramfs(&binary)).map_err(|error| format!("{archive}: {error}"))?;
    let mut sheet = Sheet::new("Our binary as a kernel's init", &["booted with", "rate", "rounding", "drift", "right"]);
    let mut wrong = 0;
    for (number, boot) in BOOTS.iter().enumerate() {
        let table = scratch.file(&format!("{number}.csv"));
        record(&kernel, &archive, boot, &table)?;
        let found = Found::of(&tool::json(&host, &["explain", "--json", &table])?);
        let right = found.ticks == boot.ticks
            && found.hz == boot.ticks.then_some(built)
            && (!boot.ticks || found.rounding.as_deref() == Some("up"));
        wrong += usize::from(!right);
        let hz = found.hz.map_or_else(|| if found.ticks { "open" } else { "no tick" }.into(), |hz| format!("{hz} Hz"));
        let drift = found.drift.map_or("none".into(), |ppm| format!("{ppm:+.2} ppm"));
        let right = if right { "yes" } else { "NO" }.to_owned();
        sheet.row([boot.arguments.to_owned(), hz, found.rounding.unwrap_or_else(|| "–".into()), drift, right]);
    }
    sheet.remark(format!("{}; 400 sleeps of 0.2 to 60 ms at random phase each.", kernel.display()));
    sheet.print(options);
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} of {} kernels misread", BOOTS.len())) }
}

/// What is needed and not there.
fn missing() -> Option<String> {
    let there = |program: &str| {
        let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    };
    if !there("qemu-system-x86_64") {
        return Some("qemu-system-x86_64 is not installed".into());
    }
    let targets = child::output(&tree::root(), &["rustup", "target", "list", "--installed"]).unwrap_or_default();
    (!targets.contains(TARGET)).then(|| format!("the target {TARGET} is not installed: rustup target add {TARGET}"))
}

/// The binary that needs no libraries.
fn guest() -> Result<PathBuf, String> {
    let root = tree::root();
    eprintln!("building the binary for {TARGET}");
    let words = ["cargo", "build", "--quiet", "--release", "-p", "oversleep-cli", "--target", TARGET];
    child::output(&root, &words)?;
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(folder.join(TARGET).join("release").join("oversleep"))
}

/// The binary, and a place for what it writes.
fn initramfs(binary: &[u8]) -> Vec<u8> {
    let mut archive = Archive::new();
    archive.folder("tmp", 0o1777);
    archive.program("oversleep", binary);
    archive.finish()
}

/// Debian's stock kernel, kept in `target/kernels`.
fn debian() -> Result<PathBuf, String> {
    let folder = tree::root().join("target").join("kernels");
    if let Some(kernel) = unpacked(&folder) {
        return Ok(kernel);
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let depends = child::output(&tree::root(), &["apt-cache", "depends", "linux-image-amd64"])?;
    let package = depends
        .lines()
        .find_map(|line| line.trim().strip_prefix("Depends: "))
        .ok_or("apt knows no linux-image-amd64; name a kernel: cargo xtask bench kernel -- PATH HZ")?;
    eprintln!("downloading {package}");
    child::output(&folder, &["apt-get", "download", package])?;
    let archive = listed(&folder, |name| name.starts_with("linux-image")).ok_or("apt-get download left no package")?;
    child::output(&folder, &["dpkg-deb", "-x", &archive.display().to_string(), "."])?;
    unpacked(&folder).ok_or_else(|| format!("{package} holds no boot/vmlinuz-*"))
}

fn unpacked(folder: &Path) -> Option<PathBuf> {
    listed(&folder.join("boot"), |name| name.starts_with("vmlinuz-"))
}

fn listed(folder: &Path, wanted: impl Fn(&str) -> bool) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    entries.map(|entry| entry.path()).find(|path| path.file_name().is_some_and(|name| wanted(&name.to_string_lossy())))
}

/// Boots the kernel and keeps the table that its init prints on the serial line.
fn record(kernel: &Path, archive: &str, boot: &Boot, table: &str) -> Result<(), String> {
    eprintln!("booting with {}", boot.arguments);
    let line = format!("{BOOT} {} -- {MEASURE}", boot.arguments);
    let output = Command::new("qemu-system-x86_64")
        .args(["-accel", "tcg", "-icount", "shift=2,sleep=off", "-m", "512", "-nodefaults", "-no-user-config"])
        .args(["-display", "none", "-serial", "stdio", "-no-reboot", "-initrd", archive, "-append", &line, "-kernel"])
        .arg(kernel)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("qemu-system-x86_64: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    let rows = rows(&printed);
    if rows.lines().count() < 300 {
        let last = printed.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing");
        return Err(format!("booted with `{}`, the guest recorded too little; it said last: {last}", boot.arguments));
    }
    fs::write(table, rows).map_err(|error| format!("{table}: {error}"))
}

/// The table among what a console shows: its header, and the lines with as many fields.
fn rows(printed: &str) -> String {
    let mut lines = printed.lines().skip_while(|line| !line.contains(HEADER));
    let Some(header) = lines.next() else { return String::new() };
    let fields = header.split(',').count();
    let whole = lines.filter(|line| line.split(',').count() == fields);
    std::iter::once(header).chain(whole).flat_map(|line| [line, "\n"]).collect()
}

/// What was found in a recording.
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

#[cfg(test)]
mod tests {
    #[test]
    fn a_table_is_found_among_messages() {
        let printed = "[    0.1] booting\nmethod,requested_ns,start_ns\na,1,2\n[    9.9] Kernel panic\nb,3,4\n";
        assert_eq!(super::rows(printed), "method,requested_ns,start_ns\na,1,2\nb,3,4\n");
        assert_eq!(super::rows("nothing\n"), "");
    }
}
