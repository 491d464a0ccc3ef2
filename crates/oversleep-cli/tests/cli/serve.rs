//! `serve`: figures over HTTP while it measures, and segments of recordings that remain afterwards.

use crate::places::limited;
use crate::support::{oversleep, run, send_times};
use oversleep_recording::Recording;
use oversleep_recording::file::{Reader, Segments, Tail};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server, killed at the end of the test.
pub(crate) struct Served(pub(crate) Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server on a port that the system chooses; returns it with its address.
fn served(folder: &Path, more: &[&str]) -> (Served, String) {
    served_by(oversleep(), folder, more)
}

fn served_by(mut command: Command, folder: &Path, more: &[&str]) -> (Served, String) {
    let child = command
        .args(["serve", "--listen", "127.0.0.1:0", "-r", "200us", "--folder"])
        .arg(folder)
        .args(more)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut server = Served(child);
    let mut line = String::new();
    BufReader::new(server.0.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.split_once("http://").and_then(|(_, rest)| rest.split_once('/')).map(|(address, _)| address);
    let address = address.unwrap_or_else(|| panic!("no address in {line}")).to_owned();
    (server, address)
}

fn connected(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Sends a request with this first line; returns everything that comes until the connection closes.
pub(crate) fn answer(address: &str, line: &str) -> String {
    answer_as(address, line, "Accept: application/openmetrics-text;version=1.0.0\r\n").unwrap()
}

fn answer_as(address: &str, line: &str, header: &str) -> io::Result<String> {
    let mut stream = connected(address);
    write!(stream, "{line} HTTP/1.1\r\nHost: x\r\n{header}Connection: close\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

pub(crate) fn count(text: &str) -> u64 {
    let lines = text.lines().filter(|line| line.starts_with("oversleep_lateness_seconds_bucket{le=\"+Inf\","));
    lines.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn figures_grow_while_others_dawdle_and_nothing_else_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let (mut server, address) = served(folder.path(), &[]);
    // Each of these connections sends half a request and then waits.
    let mut dawdling: Vec<TcpStream> = (0..50).map(|_| connected(&address)).collect();
    for stream in &mut dawdling {
        stream.write_all(b"GET /metrics HT").unwrap();
    }
    let first = answer(&address, "GET /metrics");
    assert!(first.starts_with("HTTP/1.1 200 OK\r\n") && first.ends_with("# EOF\n"), "{first}");
    assert!(first.contains("content-type: application/openmetrics-text"), "{first}");
    let plain = answer_as(&address, "GET /metrics", "").unwrap();
    assert!(plain.contains("content-type: text/plain; version=0.0.4"), "{plain}");
    assert!(plain.contains("# TYPE oversleep_lost_total counter\n") && !plain.contains("# EOF"), "{plain}");
    let mut last = count(&first);
    while last == count(&first) {
        std::thread::sleep(Duration::from_millis(100));
        last = count(&answer(&address, "GET /metrics"));
    }
    assert!(last > count(&first));
    for (line, status) in
        [("GET /../../etc/passwd", "404"), ("GET /metrics/x?file=/etc/passwd", "404"), ("POST /metrics", "405")]
    {
        let answered = answer(&address, line);
        assert!(answered.starts_with(&format!("HTTP/1.1 {status} ")), "{line}: {answered}");
    }
    // The server may close the connection before this request is completely written.
    let long = answer_as(&address, &format!("GET /{}", "x".repeat(64 << 10)), "");
    assert!(long.is_err() || long.is_ok_and(|text| !text.starts_with("HTTP/1.1 200")));
    assert!(answer(&address, "GET /metrics").starts_with("HTTP/1.1 200"), "it goes on after that");
    if send_times("INT", &server.0, 1) {
        assert_eq!(server.0.wait().unwrap().code(), Some(0));
    }
}

/// A segment that can no longer be written to is said at once, and not two minutes later, at the end of the round.
#[test]
fn a_disk_that_is_full_is_said_at_once_and_is_a_figure() {
    let folder = tempfile::tempdir().unwrap();
    let Some(command) = limited(2_048) else { return };
    let (mut server, address) = served_by(command, folder.path(), &[]);
    let said = BufReader::new(server.0.stderr.as_mut().unwrap()).lines().map_while(Result::ok);
    let said = said.into_iter().find(|line| line.contains("can no longer be written to"));
    assert!(said.is_some_and(|line| line.ends_with("; measuring without it")));
    let answered = answer(&address, "GET /metrics");
    assert!(answered.contains("\noversleep_recording_kept 0.0\n"), "{answered}");
    let mut later = count(&answered);
    while later == count(&answered) {
        std::thread::sleep(Duration::from_millis(100));
        later = count(&answer(&address, "GET /metrics"));
    }
}

/// Returns the sum of a counter's series.
fn sum(text: &str, name: &str) -> f64 {
    let values = text.lines().filter(|line| line.starts_with(&format!("{name}{{")));
    values.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
}

/// The process is stopped for at least 300 ms between two sleeps, or within one: that one is a stall.
#[test]
fn a_stopped_process_is_counted_as_a_stall_with_its_lateness() {
    let folder = tempfile::tempdir().unwrap();
    let (server, address) = served(folder.path(), &["--stall-threshold", "100ms"]);
    before_the_next(&address, 0);
    let figures = loop {
        if !send_times("STOP", &server.0, 1) {
            return;
        }
        std::thread::sleep(Duration::from_millis(300));
        send_times("CONT", &server.0, 1);
        std::thread::sleep(Duration::from_secs(1));
        let figures = answer(&address, "GET /metrics");
        if sum(&figures, "oversleep_stalls_total") > 0.0 {
            break figures;
        }
    };
    let (stalls, seconds) = (sum(&figures, "oversleep_stalls_total"), sum(&figures, "oversleep_stalled_seconds_total"));
    assert!(seconds > 0.1 * stalls, "{stalls} stalls in {seconds} s: {figures}");
    assert!(figures.contains("\noversleep_stall_threshold_seconds 0.1\n"), "{figures}");
    assert!(!figures.contains("cause=\"not-examined\""), "{figures}");
}

/// Returns the segments in a folder, with how each ends.
pub(crate) fn segments(folder: &Path) -> Vec<(PathBuf, Recording, Tail)> {
    let read = |path: PathBuf| {
        let mut reader = Reader::open(&path).unwrap();
        let mut recording = Recording::new(reader.meta().clone());
        let tail = reader.read_into(&mut recording).unwrap();
        (path, recording, tail)
    };
    Segments::in_folder(folder).list().unwrap().into_iter().map(|segment| read(segment.path)).collect()
}

/// Waits until more samples are counted; returns how many were before that.
fn before_the_next(address: &str, first: u64) -> u64 {
    loop {
        let now = count(&answer(address, "GET /metrics"));
        if now > first {
            return first;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_was_measured_can_be_read_while_it_measures_and_after_it_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (server, address) = served(folder.path(), &["--save-on-late", "1ns"]);
    before_the_next(&address, 0);
    // Figures are of samples that were already handed to the segment, which is flushed after them.
    let before = before_the_next(&address, count(&answer(&address, "GET /metrics")));
    let kept = |folder: &Path| {
        let files = segments(folder);
        let [(path, recording, tail)] = files.as_slice() else { panic!("{} recordings", files.len()) };
        assert_ne!(*tail, Tail::Closed);
        (path.clone(), recording.samples.len() as u64)
    };
    let (file, while_measuring) = kept(folder.path());
    assert!(while_measuring >= before, "{while_measuring} of {before}");
    drop(server);
    let (_, after) = kept(folder.path());
    assert!(after >= while_measuring, "{after} of {while_measuring}");
    // Saved when the first sleep was later than a nanosecond, and written to until the end.
    let (_, saved) = kept(&folder.path().join("saved"));
    assert_eq!(saved, after);
    // The folder is a recording for every command.
    let named = |path: &Path| run(&["report", "--json", &path.display().to_string()]);
    let of_folder = named(folder.path());
    assert_eq!((of_folder.code, &of_folder.out), (Some(0), &named(&file).out), "{}", of_folder.err);
    assert_eq!(run(&["explain", &folder.path().display().to_string()]).code, Some(0));
    let out = folder.path().join("incident.arrows").display().to_string();
    assert_eq!(run(&["export", &folder.path().display().to_string(), "--out", &out]).code, Some(0));
    let (exported, _) = crate::support::read(Path::new(&out));
    assert_eq!(exported.samples.len() as u64, after);
}

/// A server that goes on after a kill adds segments, and all commands read both as one recording.
#[test]
fn segments_of_several_runs_are_read_as_one_recording() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let (_server, address) = served(folder.path(), &[]);
        before_the_next(&address, 0);
        before_the_next(&address, count(&answer(&address, "GET /metrics")));
    }
    let files = segments(folder.path());
    let sleeps: Vec<usize> = files.iter().map(|(_, recording, _)| recording.samples.len()).collect();
    assert!(sleeps.len() == 2 && sleeps.iter().all(|sleeps| *sleeps > 0), "{sleeps:?}");
    let named = folder.path().display().to_string();
    let out = folder.path().join("incident.arrows").display().to_string();
    assert_eq!(run(&["export", &named, "-o", &out]).code, Some(0));
    let (exported, _) = crate::support::read(Path::new(&out));
    assert_eq!(exported.samples.len(), sleeps.iter().sum::<usize>());
    assert!(exported.note.unsound.is_empty() && exported.samples.is_sorted_by_key(|sample| sample.start));
    for command in [&["report", &named][..], &["explain", &named], &["compare", &named, &out]] {
        let ran = run(command);
        assert!(ran.code == Some(0) || ran.err.contains("hold the same recording"), "{command:?}: {}", ran.err);
    }
    // What is read is not written over.
    let ran = run(&["export", &named, "-o", &files[0].0.display().to_string(), "--force"]);
    assert_eq!((ran.code, ran.err.contains("written over itself")), (Some(2), true), "{}", ran.err);
}

#[test]
fn a_port_that_is_taken_is_trouble() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let ran = run(&["serve", "--no-save", "--listen", &taken.local_addr().unwrap().to_string()]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{}", ran.err);
    assert!(ran.err.starts_with("oversleep: cannot listen on 127.0.0.1:"), "{}", ran.err);
}

/// A connection gets a few answers and is then closed, however many requests it sends without reading.
#[test]
fn requests_of_one_connection_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, address) = served(folder.path(), &[]);
    let mut stream = connected(&address);
    let requests = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50);
    stream.write_all(requests.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    // The rest of the requests may be answered by a reset.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let answers = text.matches("HTTP/1.1 200 OK").count();
    assert!((1..=8).contains(&answers), "{answers} answers");
    assert!(answer(&address, "GET /").starts_with("HTTP/1.1 200"), "the next connection is answered");
}

/// Where no segment can be made, none is announced; the reason is the folder's, and the figures say it.
#[test]
fn a_folder_is_announced_once_a_segment_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").unwrap();
    for (kept_in, kept) in [(folder.path().join("kept"), "1.0"), (file.join("kept"), "0.0")] {
        let mut child = oversleep();
        child
            .args(["serve", "--listen", "127.0.0.1:0", "-r", "200us", "--folder"])
            .arg(&kept_in)
            .stderr(Stdio::piped());
        let mut server = Served(child.spawn().unwrap());
        let mut lines = BufReader::new(server.0.stderr.take().unwrap()).lines().map(Result::unwrap);
        let first = lines.next().unwrap();
        let address = first.split_once("http://").unwrap().1.split_once('/').unwrap().0.to_owned();
        let second = lines.next().unwrap();
        if kept == "1.0" {
            assert_eq!(second, format!("recordings of the last 40 minutes in {}", kept_in.display()));
        } else {
            let reason = format!("oversleep: cannot create {}: ", kept_in.display());
            assert!(second.starts_with(&reason) && second.contains("measuring without keeping"), "{second}");
        }
        let figures = answer(&address, "GET /metrics");
        assert!(figures.contains(&format!("\noversleep_recording_kept {kept}\n")), "{figures}");
    }
}
