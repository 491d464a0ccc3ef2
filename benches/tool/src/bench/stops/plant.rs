//! Runs a program and stops it ten times, measuring how long each stop was.

use crate::bench::tool;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Number of stops.
pub(super) const COUNT: u32 = 10;
/// Time for a program to start, and time between two stops.
const HEAD: Duration = Duration::from_secs(2);
const BETWEEN: Duration = Duration::from_millis(250);
/// Time that a program has to end after the time it was given.
const GRACE: Duration = Duration::from_secs(30);

/// Returns how many seconds a program has to run for stops of this length.
pub(super) fn seconds(stop: Duration) -> u64 {
    let lasts = HEAD + (stop + BETWEEN) * COUNT + BETWEEN;
    lasts.as_secs() + u64::from(lasts.subsec_nanos() > 0)
}

/// Runs a command and stops its process group, thus all of its processes and threads. Returns the length of each stop
/// in seconds.
pub(super) fn plant(words: &[String], stop: Duration) -> Result<Vec<f64>, String> {
    let mut signals = Signals::new()?;
    let text = words.join(" ");
    // A group of its own, whose number is the child's: `setsid` becomes the program.
    let mut child = Command::new("setsid")
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("setsid: {error}"))?;
    sleep(HEAD);
    let planted = (0..COUNT).map(|_| {
        let stopped = signals.send("STOP", &child)?;
        sleep(stop);
        let continued = signals.send("CONT", &child)?;
        sleep(BETWEEN);
        match child.try_wait() {
            Ok(None) => Ok((continued - stopped).as_secs_f64()),
            _ => Err(format!("`{text}` ended before its stops were over")),
        }
    });
    let planted: Result<Vec<f64>, String> = planted.collect();
    let ended = wait(&mut child, &mut signals, &text);
    planted.and_then(|planted| ended.map(|()| planted))
}

fn wait(child: &mut Child, signals: &mut Signals, text: &str) -> Result<(), String> {
    let until = Instant::now() + GRACE;
    while Instant::now() < until {
        match child.try_wait() {
            // What a program returns for a late wake-up differs; its file is read in any case.
            Ok(Some(_)) => return Ok(()),
            Ok(None) => sleep(Duration::from_millis(50)),
            Err(error) => return Err(format!("`{text}`: {error}")),
        }
    }
    signals.send("KILL", child)?;
    let _ = child.wait();
    Err(format!("`{text}` did not end"))
}

/// A shell that sends signals: it is running already when one is due, and above the programs that it stops.
struct Signals {
    shell: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Signals {
    fn new() -> Result<Self, String> {
        // With our own thread above the load as well, a signal is sent when it is due. What it starts is not.
        let own = std::process::id().to_string();
        tool::run(Path::new("chrt"), &["-R", "-f", "-p", "94", &own]).map_err(|why| format!("{why} (needs root)"))?;
        let mut command = Command::new("chrt");
        command.args(["-f", "95", "sh"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = command.spawn().map_err(|error| format!("chrt: {error}"))?;
        let (orders, answers) = shell.stdin.take().zip(shell.stdout.take()).ok_or("chrt: no pipes")?;
        Ok(Self { shell, orders, answers: BufReader::new(answers) })
    }

    /// Sends a signal to the child's group; returns the middle of the time in which it was sent.
    fn send(&mut self, name: &str, child: &Child) -> Result<Instant, String> {
        let before = Instant::now();
        let mut answer = String::new();
        writeln!(self.orders, "kill -s {name} -- -{}; echo", child.id())
            .and_then(|()| self.orders.flush())
            .and_then(|()| self.answers.read_line(&mut answer))
            .map_err(|error| format!("sending SIG{name}: {error}"))?;
        if answer.is_empty() {
            return Err("no shell under `chrt -f 95` (needs root)".to_owned());
        }
        Ok(before + before.elapsed() / 2)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
