//! One life of the exporter, from its start to its kill, and the segments that it leaves.

use super::clients::scrape;
use crate::bench::tool;
use oversleep_recording::Recording;
use oversleep_recording::file::{Reader, Segments};
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for the first answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running exporter, killed when this is dropped.
pub(super) struct Life {
    child: Child,
    pub(super) address: SocketAddr,
    pub(super) begun: Instant,
}

impl Drop for Life {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Life {
    /// Starts the exporter with its defaults, on the address given or a free port, and waits for its first answer.
    pub(super) fn begin(program: &Path, folder: &Path, address: Option<SocketAddr>) -> Result<Self, String> {
        let free = || TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let address = address.map_or_else(free, Ok).map_err(|error| format!("no free port: {error}"))?;
        let mut command = Command::new(program);
        command.args(["serve", "--listen", &address.to_string(), "--folder"]).arg(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        let child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let mut life = Self { child, address, begun };
        while let Err(why) = scrape(address) {
            if let Ok(Some(status)) = life.child.try_wait() {
                return Err(format!("serve has ended: {status}"));
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("no answer from serve: {why}"));
            }
            sleep(Duration::from_millis(20));
        }
        Ok(life)
    }

    fn proc(&self, file: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{file}", self.child.id()))
    }

    /// Returns the memory that it has now, in KiB.
    pub(super) fn resident_kib(&self) -> u64 {
        let text = fs::read_to_string(self.proc("status")).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }

    /// Returns the most memory that it has had, in KiB.
    pub(super) fn peak_kib(&self) -> u64 {
        tool::high_water(&self.proc("status")).unwrap_or(0)
    }

    /// Returns the number of its open files and connections.
    pub(super) fn descriptors(&self) -> usize {
        fs::read_dir(self.proc("fd")).map_or(0, Iterator::count)
    }

    /// Returns the processor time of its threads that still run. Those of earlier rounds of two minutes have ended.
    pub(super) fn processor_time(&self) -> Duration {
        let tasks = fs::read_dir(self.proc("task")).into_iter().flatten().flatten();
        let of_task = |task: fs::DirEntry| -> Option<u64> {
            fs::read_to_string(task.path().join("schedstat")).ok()?.split_whitespace().next()?.parse().ok()
        };
        Duration::from_nanos(tasks.filter_map(of_task).sum())
    }

    /// Kills it; returns when, on the monotonic clock.
    pub(super) fn kill(mut self) -> Nanos {
        let killed = monotonic();
        let _ = self.child.kill();
        let _ = self.child.wait();
        killed
    }
}

/// Reads every segment; returns the time from the kill back to the end of the last sleep kept, and the number of sleeps in
/// the newest segment.
///
/// # Errors
/// If one of them cannot be read.
pub(super) fn read_segments(folder: &Path, killed: Nanos) -> Result<(Nanos, usize), String> {
    let segments = Segments::in_folder(folder).list().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut newest: Option<(Nanos, usize)> = None;
    for segment in segments {
        let mut reader = Reader::open(&segment.path).map_err(|error| error.to_string())?;
        let mut recording = Recording::new(reader.meta().clone());
        reader.read_into(&mut recording).map_err(|error| error.to_string())?;
        let Some(last) = recording.samples.iter().map(|sample| sample.end).max() else { continue };
        newest = Some((last, recording.samples.len()));
    }
    let (last, sleeps) = newest.ok_or_else(|| format!("{}: no sleep was kept", folder.display()))?;
    Ok((killed - last, sleeps))
}
