//! Costs of a schedule: user instructions per period, and memory.

use super::peer::{OURS, SAME};
use crate::bench::sheet::Sheet;
use crate::bench::tool::{self, Scratch};
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes glibc copy large blocks in ordinary loops: valgrind counts the repeated instruction that it would use once per
/// byte.
const COPIES: &str = "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1000000000";

/// Periods of the two runs. They differ only in the loop, and in how long the tick is observed at the end: some hundred
/// thousand instructions either way, so the runs are long.
const LOOPS: [u32; 2] = [10_000, 60_000];

/// Returns a table of the peak resident memory of a run of 5 s, in KiB.
pub(super) fn memory(ours: &Path, with_peer: bool) -> Result<Sheet, String> {
    let scratch = Scratch::new("memory")?;
    let out = format!("--out={}", scratch.file("ours.arrows"));
    let mut sheet = Sheet::new("Peak resident memory, 1 ms, 5 s", &["", "KiB"]);
    let mut enter = |name: &str, program: &Path, arguments: &[&str]| -> Result<(), String> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let peak = tool::peak_kib(&mut child).map_or_else(|| "not told here".to_owned(), |kib| kib.to_string());
        sheet.row([name.to_owned(), peak]);
        Ok(())
    };
    enter("oversleep, memory locked", ours, &[&OURS[..], &["-n", "5000", &out]].concat())?;
    let unlocked = ["measure", "-q", "--experiment=periodic", "-n", "5000", "--json", "--force", &out];
    enter("oversleep, not locked", ours, &unlocked)?;
    if with_peer {
        enter(
            "cyclictest, memory locked",
            Path::new("cyclictest"),
            &[&SAME[..], &["-i", "1000", "-l", "5000"]].concat(),
        )?;
    }
    Ok(sheet)
}

/// Returns a table of user instructions per period, from the difference between two runs under callgrind.
pub(super) fn instructions(ours: &Path, with_peer: bool) -> Result<Sheet, String> {
    let mut sheet = Sheet::new("User instructions per period (callgrind, slope)", &["", "instructions"]);
    if let Err(why) = tool::run(Path::new("valgrind"), &["--version"]) {
        sheet.remark(format!("not measured: {why}"));
        return Ok(sheet);
    }
    let scratch = Scratch::new("instructions")?;
    let out = format!("--out={}", scratch.file("ours.arrows"));
    let program = ours.display().to_string();
    let kept = ["measure", "-q", "--experiment=periodic", "--interval=1ms", "--json", "--force", &out, "-n"];
    let unkept = ["measure", "-q", "--experiment=periodic", "--interval=1ms", "--json", "--no-save", "-n"];
    sheet.row(["oversleep, recording kept".to_owned(), slope(&scratch, &[&[program.as_str()], &kept[..]].concat())?]);
    sheet.row(["oversleep, --no-save".to_owned(), slope(&scratch, &[&[program.as_str()], &unkept[..]].concat())?]);
    if with_peer {
        let theirs = [&["cyclictest"], &SAME[..], &["-i", "1000", "-l"]].concat();
        sheet.row(["cyclictest".to_owned(), slope(&scratch, &theirs)?]);
    }
    sheet.remark(format!(
        "Whole process, {} against {} periods of 1 ms; a minimal C loop takes 67.",
        LOOPS[0], LOOPS[1]
    ));
    Ok(sheet)
}

fn slope(scratch: &Scratch, command: &[&str]) -> Result<String, String> {
    let mut counts = Vec::new();
    for loops in LOOPS {
        eprintln!("callgrind: {} … {loops}", command[0]);
        let file = format!("--callgrind-out-file={}", scratch.file(&format!("callgrind.{loops}")));
        let loops = loops.to_string();
        let arguments = [&[COPIES, "valgrind", "--tool=callgrind", &file], command, &[&loops]].concat();
        let printed = tool::run(Path::new("env"), &arguments)?;
        counts.push(collected(&printed.err).ok_or("valgrind counted nothing")?);
    }
    Ok(format!("{:.0}", (counts[1] - counts[0]) / f64::from(LOOPS[1] - LOOPS[0])))
}

/// Reads the count from a line such as `==123== Collected : 4567`.
fn collected(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.split_once("Collected :"))?.1;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_read() {
        assert_eq!(collected("==7== Events    : Ir\n==7== Collected : 1234\n"), Some(1_234.0));
        assert_eq!(collected("==7== Events"), None);
    }
}
