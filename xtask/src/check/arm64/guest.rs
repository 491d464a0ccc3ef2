//! What runs in the machine: our programs, linked statically, and a list of jobs for its init (`xtask/arm64/init`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{COMPILER, TARGET};
use crate::child;
use crate::cpio::Archive;
use crate::outcome::passed;
use serde_json::Value;

const PACKAGES: [&str; 4] = ["-p", "oversleep-os", "-p", "oversleep"];
const TESTS: [&str; 5] = ["--lib", "--test=knob", "--test=methods", "--test=trace", "--test=simulated"];
/// Of the hundred, how many the trace must tell whole: qemu may lose an event, the parser must not.
const TRACED: u32 = 90;

/// A program to run in the guest, and what its output must show.
#[derive(Clone)]
pub(super) struct Job {
    name: String,
    words: String,
    shows: fn(&str) -> bool,
}

impl Job {
    fn new(name: &str, words: &str, shows: fn(&str) -> bool) -> Self {
        Self { name: name.to_owned(), words: words.to_owned(), shows }
    }

    /// The fine wait, which says what it waits by.
    pub(super) fn pause(way: &str) -> Self {
        let shows = match way {
            "Timed" => {
                |text: &str| tests_passed(text) && text.contains("this processor waits by Pausing { way: Timed,")
            }
            _ => |text: &str| tests_passed(text) && text.contains("this processor waits by Pausing { way: Events,"),
        };
        Self::new("pause", "/tests/oversleep_os --nocapture wait::pause", shows)
    }

    pub(super) fn commands() -> Vec<Self> {
        let speaks = |text: &str| text.contains("nanosleep");
        vec![
            Self::new("measure", "/oversleep measure -m all -r 1ms -n 40 --out /tmp/r.arrows", speaks),
            Self::new("explain", "/oversleep explain /tmp/r.arrows", speaks),
            Self::new("report", "/oversleep report /tmp/r.arrows", speaks),
            Self::new("list", "/oversleep list", speaks),
            Self::new("traced", "/oversleep trace -r 1ms -n 100", traced),
        ]
    }
}

/// At least one test passed and none failed: a filter that matches nothing passes too.
fn tests_passed(text: &str) -> bool {
    let result = text.lines().find_map(|line| line.trim().strip_prefix("test result: ok. "));
    result.and_then(|rest| rest.split(' ').next()).and_then(|count| count.parse::<u32>().ok()).is_some_and(|n| n > 0)
}

/// By the kernel's events, and nearly all sleeps whole.
fn traced(text: &str) -> bool {
    let whole = text.lines().find_map(|line| line.trim().strip_prefix("Complete: "));
    let whole = whole.and_then(|rest| rest.split(' ').next()).and_then(|count| count.parse::<u32>().ok());
    text.contains("Tier: kernel events") && whole.is_some_and(|count| count >= TRACED)
}

/// Our programs for the guest, by the names of their targets.
pub(super) struct Guest {
    folder: PathBuf,
    tests: Vec<(String, PathBuf)>,
}

impl Guest {
    pub(super) fn build(root: &Path, folder: &Path) -> Result<Self, String> {
        let guest = Self { folder: folder.to_path_buf(), tests: Vec::new() };
        let plain = guest.cargo(root, &["build", "--quiet", "-p", "oversleep-cli"]);
        passed(child::run(plain), "cargo build")?;
        let words = [&["test", "--quiet", "--no-run", "--message-format=json"][..], &PACKAGES, &TESTS].concat();
        let told = guest.cargo(root, &words).stderr(Stdio::inherit()).output().map_err(|e| format!("cargo: {e}"))?;
        if !told.status.success() {
            return Err(format!("cargo test --no-run: {}", told.status));
        }
        let tests = programs(&String::from_utf8_lossy(&told.stdout));
        // A library each, and the others by name.
        let expected = PACKAGES.len() / 2 + TESTS.len() - 1;
        if tests.len() != expected {
            return Err(format!("cargo built {} test programs, not {expected}", tests.len()));
        }
        Ok(Self { tests, ..guest })
    }

    /// In a target folder of its own: other flags, and smaller programs to carry.
    fn cargo(&self, root: &Path, words: &[&str]) -> Command {
        let mut command = child::command(root, &[&["cargo"], words, &["--target", TARGET]].concat());
        command
            .env("CARGO_TARGET_DIR", self.folder.join("build"))
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", COMPILER)
            // The guest has no libraries. These flags go before any other place that sets some.
            .env("RUSTFLAGS", "-C target-feature=+crt-static")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_STRIP", "symbols");
        command
    }

    pub(super) fn tests(&self) -> Vec<Job> {
        self.tests.iter().map(|(name, _)| Job::new(name, &format!("/tests/{name} --quiet"), tests_passed)).collect()
    }

    /// The guest's file system.
    pub(super) fn archive(&self, root: &Path, busybox: &Path, jobs: &[Job]) -> Result<Vec<u8>, String> {
        let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        let mut archive = Archive::new();
        for folder in ["bin", "proc", "sys", "tests"] {
            archive.folder(folder, 0o755);
        }
        archive.folder("tmp", 0o1777);
        archive.program("init", &read(&root.join("xtask/arm64/init"))?);
        archive.program("bin/busybox", &read(busybox)?);
        archive.program("oversleep", &read(&self.folder.join("build").join(TARGET).join("debug").join("oversleep"))?);
        for (name, path) in &self.tests {
            archive.program(&format!("tests/{name}"), &read(path)?);
        }
        let lines: String = jobs.iter().map(|job| format!("{} {}\n", job.name, job.words)).collect();
        archive.file("jobs", lines.as_bytes());
        Ok(archive.finish())
    }
}

/// Name and place of every test program in cargo's messages.
fn programs(messages: &str) -> Vec<(String, PathBuf)> {
    let program = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let place = message["executable"].as_str()?;
        Some((message["target"]["name"].as_str()?.to_owned(), PathBuf::from(place)))
    };
    messages.lines().filter_map(program).collect()
}

/// What is wrong with what the guest printed.
pub(super) fn faults(jobs: &[Job], console: &str) -> Vec<String> {
    let mut faults: Vec<String> = jobs.iter().filter_map(|job| fault(job, console)).collect();
    if !(console.contains("\n== the end\n") && console.contains("reboot: Power down")) {
        faults.push("the guest did not switch itself off".to_owned());
    }
    faults
}

fn fault(job: &Job, console: &str) -> Option<String> {
    let name = &job.name;
    let Some((_, after)) = console.split_once(&format!("\n== {name}\n")) else {
        return Some(format!("{name}: never began"));
    };
    let Some((text, status)) = after.split_once(&format!("\n== {name}: exit ")) else {
        return Some(format!("{name}: never ended"));
    };
    match status.lines().next() {
        Some("0") if (job.shows)(text) => None,
        Some("0") => Some(format!("{name}: not the output expected")),
        Some(status) => Some(format!("{name}: exit {status}")),
        None => Some(format!("{name}: no exit status")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSED: &str = "uname\n\n== pause\nthis processor waits by Pausing { way: Timed, counts: 1 }\n\
                          test result: ok. 5 passed; 0 failed; 0 ignored\n\n== pause: exit 0\n";
    const OFF: &str = "== the end\n[   11.9] reboot: Power down\n";

    #[test]
    fn a_job_that_ended_well_and_showed_what_it_must_is_no_fault() {
        assert_eq!(faults(&[Job::pause("Timed")], &format!("{PAUSED}{OFF}")), Vec::<String>::new());
    }

    #[test]
    fn whatever_is_missing_or_other_than_expected_is_named() {
        let of = |console: &str| faults(&[Job::pause("Timed")], &format!("{console}{OFF}")).join("; ");
        assert_eq!(of(&PAUSED.replace("exit 0", "exit 101")), "pause: exit 101");
        assert_eq!(of(&PAUSED.replace("Timed", "Events")), "pause: not the output expected");
        assert_eq!(of(&PAUSED.replace("5 passed", "0 passed")), "pause: not the output expected");
        assert_eq!(of(&PAUSED.replace("== pause: exit 0", "")), "pause: never ended");
        assert_eq!(of("panic\n"), "pause: never began");
        assert_eq!(faults(&[Job::pause("Timed")], PAUSED), ["the guest did not switch itself off"]);
    }

    #[test]
    fn a_trace_is_by_events_and_nearly_whole() {
        let text = |count: u32| format!("Complete: {count} of 100 traced sleeps.\nTier: kernel events of a tracefs.\n");
        assert!(traced(&text(100)) && traced(&text(90)));
        assert!(!traced(&text(89)));
        assert!(!traced(&text(100).replace("kernel events", "switch records")));
    }

    #[test]
    fn test_programs_are_found_among_messages() {
        let messages = "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"knob\"},\"executable\":\"/x/knob-1\"}\n\
                        {\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"libc\"},\"executable\":null}\nnoise\n";
        assert_eq!(programs(messages), [("knob".to_owned(), PathBuf::from("/x/knob-1"))]);
    }
}
