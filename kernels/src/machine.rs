//! Boots a machine in qemu.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use xtask::child;

/// Kernel command line: only emergency messages are shown, and a panic reboots, at which qemu ends (`-no-reboot`).
const KERNEL: &str = "console=ttyAMA0 quiet loglevel=1 panic=-1 mitigations=off";
const DEVICES: &str = "-nodefaults -no-user-config -display none -serial stdio -no-reboot";

pub(crate) struct Qemu<'a> {
    pub(crate) root: &'a Path,
    pub(crate) folder: &'a Path,
    /// Command that starts qemu.
    pub(crate) emulator: Vec<String>,
    pub(crate) kernel: &'a Path,
}

impl Qemu<'_> {
    /// Boots the file system on two processors of this model; returns what the machine printed. One that does not end
    /// within `seconds` is killed.
    pub(crate) fn boot(&self, processor: &str, archive: &[u8], seconds: u32) -> Result<String, String> {
        let file = self.folder.join("initrd");
        std::fs::write(&file, archive).map_err(|error| format!("{}: {error}", file.display()))?;
        let seconds = seconds.to_string();
        // `--foreground` lets Ctrl-C reach qemu.
        let mut words = vec!["timeout", "--foreground", "--kill-after=5", &seconds];
        words.extend(self.emulator.iter().map(String::as_str));
        words.extend(["-M", "virt", "-cpu", processor, "-accel", "tcg,thread=multi", "-smp", "2", "-m", "1024"]);
        words.extend(DEVICES.split(' '));
        let mut command = child::command(self.root, &words);
        command.args(["-append", KERNEL, "-kernel"]).arg(self.kernel).arg("-initrd").arg(&file);
        println!("\n-cpu {processor}");
        let mut qemu = command.stdout(Stdio::piped()).spawn().map_err(|error| format!("qemu: {error}"))?;
        let console = qemu.stdout.take().map(shown).unwrap_or_default();
        let status = qemu.wait().map_err(|error| format!("qemu: {error}"))?;
        if !status.success() {
            println!("qemu: {status}{}", if status.code() == Some(124) { ", ended after its time" } else { "" });
        }
        Ok(console)
    }
}

/// Prints a stream line by line; returns all of it.
fn shown(stream: impl std::io::Read) -> String {
    let mut console = String::new();
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches('\r');
        println!("{line}");
        console.push_str(line);
        console.push('\n');
    }
    console
}
