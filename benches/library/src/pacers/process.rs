//! Pacers that are programs: they read zeros from `/dev/zero`, and this process reads their output from a pipe.

use super::{Asked, Run};
use oversleep::Nanos;
use oversleep_sys::clock::monotonic as now;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Runs `oversleep pace` and `pv -L`; an error says why one was not measured.
pub(super) fn all(asked: Asked, time: Duration) -> Vec<Result<Run, String>> {
    let rate = asked.rate.to_string();
    vec![
        our_program().and_then(|ours| run("oversleep pace", &ours, &["pace", &rate], time)),
        run("pv -L", Path::new("pv"), &["--quiet", "--rate-limit", &rate], time),
    ]
}

/// Returns the path of the `oversleep` that was built in the same folder as this program.
fn our_program() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let ours = here.with_file_name(format!("oversleep{}", std::env::consts::EXE_SUFFIX));
    if ours.exists() {
        return Ok(ours);
    }
    Err(format!("there is no {}; `cargo build --release -p oversleep-cli` makes it", ours.display()))
}

fn run(name: &str, program: &Path, words: &[&str], time: Duration) -> Result<Run, String> {
    let zeros = File::open("/dev/zero").map_err(|error| format!("{name}: no endless input: {error}"))?;
    let child = Command::new(program).args(words).stdin(zeros).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{name}: {}: {error}", program.display()))?;
    let batches = read(&mut child, time);
    let cpu = processor_time(child.id());
    // Its input has no end, so it has to be killed.
    let _ = child.kill();
    let _ = child.wait();
    let batches = batches.map_err(|error| format!("{name}: {error}"))?;
    let took = batches.last().map_or(0, |(at, _)| *at).max(1);
    let cpu = cpu.map(|spent| spent.as_f64() / took as f64);
    Ok(Run { name: name.to_owned(), batches, packet: 1, cpu })
}

/// Reads the output for `time`; returns the number of bytes of each read, with the time since the first in nanoseconds.
fn read(child: &mut Child, time: Duration) -> std::io::Result<Vec<(i64, u64)>> {
    let mut output = child.stdout.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
    let mut buffer = vec![0; 1 << 16];
    let mut batches = Vec::with_capacity(1 << 20);
    let mut start = None;
    loop {
        let n = output.read(&mut buffer)?;
        let at = now();
        let since = at - *start.get_or_insert(at);
        if n == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        batches.push((since.get(), n as u64));
        if since >= Nanos::from(time) {
            return Ok(batches);
        }
    }
}

/// Returns the processor time of all threads of a process so far, as Linux counts it, including some milliseconds of
/// start-up.
fn processor_time(process: u32) -> Option<Nanos> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let spent = threads.flatten().filter_map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<i64>().ok()
    });
    Some(Nanos::new(spent.sum()))
}
