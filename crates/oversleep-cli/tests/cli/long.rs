//! Long recordings: the memory that `explain` needs does not grow with the number of sleeps.

use crate::support::{name, oversleep, run};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// Returns a process's largest resident memory so far (`VmHWM`) in KiB, where the system says it.
fn high_water(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}

/// Runs `explain`; returns its largest resident memory in KiB, and its output.
fn explained(file: &str) -> (Option<u64>, String) {
    let mut child = oversleep().args(["explain", "--json", file]).stdout(Stdio::piped()).spawn().expect("it starts");
    let out = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || std::io::read_to_string(out).expect("text"));
    let mut peak = None;
    while child.try_wait().expect("a child can be asked").is_none() {
        peak = high_water(child.id()).or(peak);
        sleep(Duration::from_millis(1));
    }
    assert!(child.wait().expect("it ended").success());
    (peak, reader.join().expect("read"))
}

fn simulated(folder: &Path, sleeps: u32) -> String {
    let file = name(folder, &format!("{sleeps}.arrows"));
    let count = sleeps.to_string();
    let words = ["simulate", "linux-nohighres-hz250", "-m", "nanosleep", "-r", "0.2ms..20ms", "-n", &count, "-q"];
    let ran = run(&[&words[..], &["--out", &file]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    file
}

#[test]
fn memory_does_not_grow_with_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let (some, many) = (simulated(folder.path(), 400_000), simulated(folder.path(), 2_400_000));
    let (less, _) = explained(&some);
    let (more, said) = explained(&many);
    let document: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(document["looked_at"]["samples"], 2_400_000);
    assert_eq!(document["cells"][0]["n"], 2_400_000);
    assert!(document["model"]["fit"]["variance_share"].as_f64().unwrap() > 0.99, "{}", document["model"]);
    let (Some(less), Some(more)) = (less, more) else {
        println!("skipped: this system does not say how much memory a process had");
        return;
    };
    println!("peak: {less} KiB for 400 000 sleeps, {more} KiB for 2 400 000");
    assert!(more < less + less / 5 + 8_192, "{less} KiB for 400 000 sleeps, {more} KiB for 2 400 000");
}
