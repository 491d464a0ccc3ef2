//! Functions that run the program and read its recordings.

use oversleep_os::settings::latency_hold;
use oversleep_recording::file::{ReadError, Reader, Tail};
use oversleep_recording::{Recording, Sample};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Exit code and output of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Returns a command that runs the program, without variables that colour or widen its output, and with a state folder
/// for tests.
pub(crate) fn oversleep() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oversleep"));
    command.env("XDG_STATE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/state"));
    command.env("NO_COLOR", "1").env_remove("COLUMNS").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    command
}

/// Returns whether there is a shell to run commands of tests; prints a line if not.
pub(crate) fn has_shell() -> bool {
    let there = Command::new("sh").args(["-c", "true"]).status().is_ok();
    if !there {
        println!("skipped: this system has no sh");
    }
    there
}

/// Divides a line into words as a shell does.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            letter => words.last_mut().expect("a word").push(letter),
        }
    }
    words
}

/// Runs a command to its end and requires that it did not panic.
pub(crate) fn finish(command: &mut Command) -> Ran {
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    assert!(!ran.err.contains("panicked"), "{command:?}: {}", ran.err);
    ran
}

/// Runs the program with these arguments.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    finish(oversleep().args(arguments))
}

/// Returns the path of a file in a folder, as text.
pub(crate) fn name(folder: &Path, file: &str) -> String {
    folder.join(file).display().to_string()
}

/// Measures a short recording of 40 sleeps; returns its path.
pub(crate) fn recording(folder: &Path) -> PathBuf {
    let path = folder.join("short.arrows");
    let ran = run(&["measure", "-r", "100us", "-n", "40", "-q", "--out", &path.display().to_string()]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    path
}

/// Returns whether the file grew beyond `bytes` before the child ended or a minute was over.
pub(crate) fn grows_beyond(bytes: u64, path: &Path, child: &mut Child) -> bool {
    let patience = Instant::now() + Duration::from_secs(60);
    while Instant::now() < patience {
        if path.metadata().is_ok_and(|metadata| metadata.len() > bytes) {
            return true;
        }
        if child.try_wait().expect("a child can be asked").is_some() {
            return false;
        }
        sleep(Duration::from_millis(1));
    }
    false
}

/// Returns whether the file had samples before the child ended or stopped writing for a minute.
pub(crate) fn holds_samples(path: &Path, child: &mut Child) -> bool {
    let any = || -> Result<bool, ReadError> {
        let mut reader = Reader::open(path)?;
        while let Some(piece) = reader.next_piece()? {
            if !piece.samples.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let mut length = 0;
    while grows_beyond(length, path, child) {
        length = path.metadata().map_or(length, |metadata| metadata.len());
        if any().unwrap_or(false) {
            return true;
        }
    }
    false
}

/// Reads a whole recording; returns it and how the file ends.
pub(crate) fn read(path: &Path) -> (Recording, Tail) {
    let mut reader = Reader::open(path).expect("a readable head");
    let mut recording = Recording::new(reader.meta().clone());
    let tail = reader.read_into(&mut recording).expect("no damage");
    (recording, tail)
}

/// Returns the samples of a recording by cell and thread, in the file's order, and how the file ends.
pub(crate) fn series(path: &Path) -> (BTreeMap<(u32, u16), Vec<Sample>>, Tail) {
    let (recording, tail) = read(path);
    let mut series: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for sample in recording.samples {
        series.entry((sample.cell, sample.thread)).or_default().push(sample);
    }
    (series, tail)
}

/// Returns how many rows Arrow's own reader finds before the end or the first message that it cannot read; `None` if the
/// file has no whole head.
pub(crate) fn rows_for_arrow(path: &Path) -> Option<usize> {
    let reader = arrow_ipc::reader::StreamReader::try_new(File::open(path).ok()?, None).ok()?;
    Some(reader.map_while(Result::ok).map(|batch| batch.num_rows()).sum())
}

/// Sends a signal a number of times in a row with the shell's `kill`; prints a line and returns false if there is none.
pub(crate) fn send_times(signal: &str, child: &Child, times: usize) -> bool {
    let whom = vec![child.id().to_string(); times].join(" ");
    let sent = Command::new("sh").args(["-c", &format!("kill -s {signal} {whom}")]).status();
    if sent.as_ref().is_ok_and(ExitStatus::success) {
        return true;
    }
    println!("skipped: no shell to send signals with ({sent:?})");
    false
}

/// Returns the latency hold in force. It is the only setting of the whole machine; the others are of a process or
/// thread, and cannot be changed in the process that started it.
pub(crate) fn of_the_machine() -> Result<Nanos, Refusal> {
    latency_hold::read()
}

/// Waits until the latency is held no lower than before, and returns whether that came about. Other tests, and other programs of this
/// machine, hold it for a while of their own.
pub(crate) fn is_released(before: &Result<Nanos, Refusal>) -> bool {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let now = of_the_machine();
        let as_before = now == *before || matches!((&now, before), (Ok(now), Ok(before)) if now >= before);
        if as_before || Instant::now() > until {
            return as_before;
        }
        sleep(Duration::from_millis(100));
    }
}

/// Returns the conditions that a new run finds in force.
pub(crate) fn found() -> Value {
    let ran = run(&["measure", "-q", "--no-save", "-r", "50us", "-n", "5", "--json"]);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    document["cells"][0]["conditions"]["obtained"].clone()
}
