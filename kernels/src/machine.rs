//! One start of qemu's machine.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use xtask::child;

/// Nothing of the kernel but what ends it; a panic ends qemu, which is told not to start anew.
const KERNEL: &str = "console=ttyAMA0 quiet loglevel=1 panic=-1 mitigations=off";
const DEVICES: &str = "-nodefaults -no-user-config -display none -serial stdio -no-reboot";

pub(crate) struct Qemu<'a> {
    pub(crate) root: &'a Path,
    pub(crate) folder: &'a Path,
    /// The words that start it.
    pub(crate) emulator: Vec<String>,
    pub(crate) kernel: &'a Path,
}

impl Qemu<'_> {
    /// Boots the file system on this model of a processor, with two of them, and answers with what it printed. A machine
    /// that does not end by itself within some seconds is ended.
    pub(crate) fn boot(&self, processor: &str, archive: &[u8], seconds: u32) -> Result<String, String> {
        let file = self.folder.join("initrd");
        std::fs::write(&file, archive).map_err(|error| format!("{}: {error}", file.display()))?;
        let seconds = seconds.to_string();
        // In the foreground, so that Ctrl-C reaches it.
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

/// Prints what comes, line by line, and keeps it.
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
