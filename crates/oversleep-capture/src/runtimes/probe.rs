//! A running probe: its start, its blocks of sleeps, and its end.

use super::output_lines::{OutputLine, StderrTail, lines};
use super::plan::MOST_SLEEPS;
use super::protocol::{self, Header, ProbeLine, ProbeSleep, quoted};
use crate::sleeps::Stop;
use oversleep_os::process::ProcessTree;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::io::Write;
use std::ops::RangeInclusive;
use std::process::{ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// How long a probe may take to read its clock.
const ANSWER: Nanos = Nanos::from_secs(10);
/// Largest number of handshakes to try, and the error at which no more are needed.
const HANDSHAKES: usize = 12;
const GOOD: Nanos = Nanos::from_micros(20);
/// Interval at which the stop flag is checked while waiting for a probe.
pub(super) const LOOK_UP: Duration = Duration::from_millis(500);
/// How long a probe may take to end after its output has ended.
pub(super) const END: Duration = Duration::from_secs(2);
/// How far outside its block a sleep may seem to be by a clock of the probe's own, which may be set or drift during the run.
const ASTRAY: Nanos = Nanos::from_secs(10);
/// Where a probe failed that had not introduced itself yet.
const BEFORE: &str = "before its first line";
/// Largest number of rows in a block: as many as a program may be asked for, as one that takes no orders prints all in one.
const MOST_ROWS: u64 = MOST_SLEEPS;

/// Number of lines that are no rows after which a probe that prints nothing else does not hang, but prints without end.
const REMARKS: u64 = 1_000;

/// A running probe.
pub(super) struct Probe {
    group: Option<ProcessTree>,
    orders: Option<ChildStdin>,
    lines: Receiver<OutputLine>,
    stderr_tail: StderrTail,
    pub(super) header: Header,
    /// What came after its last line end, if it ended in the middle of a line.
    cut: Option<String>,
    /// Time before which no sleep of the next block can have begun; `None` if that is when the block is asked for. A program
    /// that takes no orders prints a single block, and may sleep as soon as it is started.
    earliest: Option<Nanos>,
    /// End of its last sleep, on its own clock.
    last_end: Option<Nanos>,
    /// Offset from its clock to ours, to be added to its times, and the error of that offset; `None` if the clocks are
    /// the same.
    offset: Option<(Nanos, Nanos)>,
    pub(super) collections: u64,
    /// Whether it ended without an error after printing rows, as programs that take no orders do.
    pub(super) done: bool,
    /// Whether it closed its output and had to be ended.
    went_on: bool,
}

/// Returns why a sleep cannot have been within `possible`, if its times are wrong by more than `error`.
fn outside(row: &ProbeSleep, possible: &RangeInclusive<Nanos>, error: Nanos) -> Option<String> {
    let (before, after) = (possible.start().saturating_sub(row.start), row.end.saturating_sub(*possible.end()));
    match (before > error, after > error) {
        (_, true) => Some(format!("a sleep ends {after} after it was printed")),
        (true, _) => Some(format!("a sleep begins {before} before it was asked for")),
        _ => None,
    }
}

/// A block that did not complete: the rows it has, and the reason.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) rows: Vec<ProbeSleep>,
    pub(super) why: String,
    /// Whether it did not complete in time.
    pub(super) is_late: bool,
}

/// Reason why no line came.
enum Silence {
    /// The output ended.
    Over,
    /// The run is to stop.
    Stopped,
    /// Nothing came in time.
    Late,
    Wrong(String),
}

impl Probe {
    /// Takes over a process that was just started, not before `started`.
    pub(super) fn new(mut group: ProcessTree, started: Nanos) -> Self {
        let child = group.child();
        let orders = child.stdin.take();
        let output = child.stdout.take().map_or_else(|| lines(std::io::empty()), lines);
        let stderr_tail = child.stderr.take().map(StderrTail::read_from).unwrap_or_default();
        let header = Header::default();
        Self {
            group: Some(group),
            orders,
            lines: output,
            stderr_tail,
            header,
            cut: None,
            earliest: Some(started),
            last_end: None,
            offset: None,
            collections: 0,
            done: false,
            went_on: false,
        }
    }

    /// Waits until the probe has introduced itself; returns `false` if it has not done so by `until`.
    pub(super) fn greet(&mut self, until: Nanos, stop: &Stop) -> Result<bool, String> {
        let (text, _) = match self.line(until, stop) {
            Ok(line) => line,
            Err(Silence::Late) => return Ok(false),
            Err(silence) => return Err(self.say(silence, BEFORE, Nanos::ZERO)),
        };
        self.header = protocol::header(&text)?;
        Ok(true)
    }

    /// Relates the probe's clock to ours.
    pub(super) fn relate_clock(&mut self, stop: &Stop) -> Result<(), String> {
        if !self.header.monotonic {
            self.offset = Some(self.anchor(stop).map_err(|failed| failed.why)?);
        }
        Ok(())
    }

    /// Ends a probe that did not introduce itself within `limit`, and returns a line that says so.
    pub(super) fn silent(&mut self, limit: Nanos) -> String {
        self.say(Silence::Late, BEFORE, limit)
    }

    /// Returns the offset from its clock to ours and the error of that offset, from the shortest of several handshakes:
    /// a busy machine makes most of them long.
    fn anchor(&mut self, stop: &Stop) -> Result<(Nanos, Nanos), Failed> {
        let mut best = self.handshake(stop)?;
        for _ in 1..HANDSHAKES {
            if best.1 <= GOOD {
                break;
            }
            let next = self.handshake(stop)?;
            best = if next.1 < best.1 { next } else { best };
        }
        Ok(best)
    }

    /// Returns the error of times converted to our clock, as known so far.
    pub(super) fn first_clock_error(&self) -> Nanos {
        self.offset.map_or(Nanos::ZERO, |(_, error)| error)
    }

    /// Asks for a reading of its clock between two readings of ours; returns the offset from its clock to ours, and its
    /// error.
    fn handshake(&mut self, stop: &Stop) -> Result<(Nanos, Nanos), Failed> {
        let failed = |why: String, is_late: bool| Failed { rows: Vec::new(), why, is_late };
        let place = "when asked to read its clock ('anchor')";
        let before = monotonic();
        self.order("anchor");
        for _ in 0..REMARKS {
            let (text, at) = match self.line(before + ANSWER, stop) {
                Ok(line) => line,
                Err(silence) => {
                    let is_late = matches!(silence, Silence::Late);
                    return Err(failed(self.say(silence, place, ANSWER), is_late));
                }
            };
            if let ProbeLine::Anchor(reading) = protocol::line(&text).map_err(|why| failed(why, false))? {
                let middle = Nanos::new(before.get().midpoint(at.get()));
                return Ok((middle.saturating_sub(reading), Nanos::new((at - before).get() / 2)));
            }
        }
        Err(failed(format!("prints without end, {place}; it was ended after {REMARKS} lines"), true))
    }

    /// Returns the error of its times, by comparing a handshake at the end with the one at the beginning; `None` if it has
    /// ended, or its clock is ours.
    ///
    /// # Errors
    /// If it still runs and does not answer in time, with a line that says so.
    pub(super) fn clock_error(&mut self, stop: &Stop) -> Result<Option<Nanos>, String> {
        let Some((first, error)) = self.offset else { return Ok(None) };
        match self.anchor(stop) {
            Ok((last, later_error)) => {
                let apart = (last.saturating_sub(first)).abs().saturating_sub(error.saturating_add(later_error));
                Ok(Some(error.max(later_error).saturating_add(apart.max(Nanos::ZERO))))
            }
            Err(failed) if failed.is_late => Err(failed.why),
            Err(_) => Ok(None),
        }
    }

    /// Makes the probe sleep a block and returns its rows, with times on our clock.
    pub(super) fn block(
        &mut self,
        request: Nanos,
        count: u64,
        limit: Nanos,
        stop: &Stop,
    ) -> Result<Vec<ProbeSleep>, Failed> {
        let asked = monotonic();
        let earliest = self.earliest.take().unwrap_or(asked);
        self.order(&format!("{} {count}", request.get()));
        let mut rows = Vec::new();
        let (mut remarks, mut is_late) = (0_u64, false);
        let why = loop {
            let (text, at) = match self.line(asked.saturating_add(limit), stop) {
                Ok(line) => line,
                Err(Silence::Over) => match self.ended(&mut rows, count) {
                    Ok(()) => return Ok(rows),
                    Err(why) => break why,
                },
                Err(Silence::Late) if rows.len() as u64 > count => {
                    break format!("prints without end; it was ended after {} rows", rows.len());
                }
                Err(Silence::Late) if remarks > REMARKS => {
                    break format!("prints without end; it was ended after {remarks} lines that are no rows");
                }
                Err(silence) => {
                    is_late = matches!(silence, Silence::Late);
                    break self.say(silence, &format!("after {} of {count} sleeps", rows.len()), limit);
                }
            };
            match protocol::line(&text) {
                Err(why) => break why,
                Ok(ProbeLine::BlockOver) if (rows.len() as u64) < count => {
                    break format!("printed {} of the {count} sleeps of a block", rows.len());
                }
                Ok(ProbeLine::BlockOver) => return Ok(rows),
                Ok(ProbeLine::Collections(_) | ProbeLine::Anchor(_) | ProbeLine::Nothing) if remarks >= MOST_ROWS => {
                    break format!("prints without end; it was ended after {remarks} lines that are no rows");
                }
                Ok(ProbeLine::Collections(collections)) => {
                    remarks += 1;
                    self.collections = self.collections.saturating_add(collections);
                }
                Ok(ProbeLine::Anchor(_) | ProbeLine::Nothing) => remarks += 1,
                Ok(ProbeLine::Sleep(_)) if rows.len() as u64 >= MOST_ROWS => {
                    break format!("prints without end; it was ended after {MOST_ROWS} rows");
                }
                Ok(ProbeLine::Sleep(row)) => match self.on_our_clock(row, earliest..=at) {
                    Ok(row) => rows.push(row),
                    Err(why) => break why,
                },
            }
        };
        Err(Failed { rows, why, is_late })
    }

    /// Handles the end of a probe's output within a block: an error, unless it printed rows and ended with success.
    fn ended(&mut self, rows: &mut [ProbeSleep], count: u64) -> Result<(), String> {
        let status = self.end();
        if status.is_some_and(|status| status.success()) && !rows.is_empty() && self.cut.is_none() {
            self.done = true;
            return Ok(());
        }
        Err(format!("ended after {} of {count} sleeps{}", rows.len(), self.status_text(status)))
    }

    /// Returns a row with times on our clock, if it can have been slept when it says: after the one before it, and within
    /// `possible`, as far as its clock is known.
    fn on_our_clock(&mut self, row: ProbeSleep, possible: RangeInclusive<Nanos>) -> Result<ProbeSleep, String> {
        let Some((offset, error)) = self.offset else {
            let other = |why: String| format!("its clock is not the monotonic one ({why}); it must say clock=own");
            outside(&row, &possible, Nanos::ZERO).map_or(Ok(()), |why| Err(other(why)))?;
            self.check_order(row)?;
            return Ok(row);
        };
        self.check_order(row)?;
        let on_ours = |time: Nanos| time.checked_add(offset);
        let (Some(start), Some(end)) = (on_ours(row.start), on_ours(row.end)) else {
            return Err(
                "its times are further from what it answered to 'anchor' than nanoseconds can be counted".to_owned()
            );
        };
        let ours = ProbeSleep { start, end, ..row };
        // A clock may run a little faster than ours, or be set meanwhile.
        match outside(&ours, &possible, error.saturating_add(ASTRAY)) {
            Some(why) => Err(format!("its times are not those of the clock that it read for 'anchor' ({why})")),
            None => Ok(ours),
        }
    }

    /// Remembers the end of a sleep; returns an error if it begins before the one before it ended.
    fn check_order(&mut self, row: ProbeSleep) -> Result<(), String> {
        let before = self.last_end.replace(row.end).map_or(Nanos::ZERO, |last| last.saturating_sub(row.start));
        if before > Nanos::ZERO {
            return Err(format!("a sleep begins {before} before the one before it ended"));
        }
        Ok(())
    }

    /// Returns whether it was asked for a block before.
    pub(super) fn has_slept(&self) -> bool {
        self.earliest.is_none()
    }

    /// Writes a line to the probe. Errors are ignored: if it has ended or does not read, its output shows that.
    fn order(&mut self, line: &str) {
        if let Some(orders) = &mut self.orders {
            let _ = writeln!(orders, "{line}").and_then(|()| orders.flush());
        }
    }

    /// Returns the next line, and when it came: by `until`, or it is late.
    fn line(&mut self, until: Nanos, stop: &Stop) -> Result<(String, Nanos), Silence> {
        let mut has_exited = false;
        loop {
            if stop.stopped() {
                return Err(Silence::Stopped);
            }
            let left = (until - monotonic()).to_duration().unwrap_or(Duration::ZERO);
            match self.lines.recv_timeout(left.min(LOOK_UP)) {
                // One that prints without end would otherwise never be late.
                Ok(OutputLine::Line { at, .. }) if at > until => return Err(Silence::Late),
                Ok(OutputLine::Line { text, at }) => return Ok((text, at)),
                Ok(OutputLine::TooLong) => {
                    return Err(Silence::Wrong("prints a line longer than 4096 bytes".to_owned()));
                }
                Ok(OutputLine::Unreadable) => {
                    return Err(Silence::Wrong("prints what is not text".to_owned()));
                }
                Ok(OutputLine::Cut(text)) => {
                    self.cut = Some(text);
                    return Err(Silence::Over);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Over),
                // What it started may hold its output open. The last lines had until the second look to come.
                Err(RecvTimeoutError::Timeout) if has_exited => return Err(Silence::Over),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::Late),
                Err(RecvTimeoutError::Timeout) => {
                    has_exited = self.group.as_mut().is_some_and(|group| group.wait(Duration::ZERO));
                }
            }
        }
    }

    /// Returns what went wrong at `place`, in one line that goes on after the probe's name.
    fn say(&mut self, silence: Silence, place: &str, limit: Nanos) -> String {
        match silence {
            Silence::Stopped => String::new(),
            Silence::Late => {
                // It has had its time, so it is not given any to end by itself.
                self.orders = None;
                self.group = None;
                let last = self.stderr_tail.line().map(|line| format!(" ({})", quoted(&line))).unwrap_or_default();
                format!("hangs: nothing more came within {limit}, {place}; it was ended{last}")
            }
            Silence::Wrong(what) => format!("{what}, {place}; it was ended"),
            Silence::Over => {
                let status = self.end();
                format!("ended {place}{}", self.status_text(status))
            }
        }
    }

    fn status_text(&self, status: Option<ExitStatus>) -> String {
        let status = match status {
            _ if self.went_on => " (it closed its output and went on)".to_owned(),
            status => status.map(|status| format!(" ({status})")).unwrap_or_default(),
        };
        let cut = |text: &String| format!(", in the middle of a line, which is left out: {}", quoted(text));
        let last = self.stderr_tail.line().map(|line| format!(": {}", quoted(&line))).unwrap_or_default();
        status + &self.cut.as_ref().map(cut).unwrap_or_default() + &last
    }

    /// Returns the system's ids of its threads.
    pub(super) fn threads(&self) -> Vec<i32> {
        self.group.as_ref().map(ProcessTree::threads).unwrap_or_default()
    }

    /// Ends the probe, with every process that it started.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        self.orders = None;
        let mut group = self.group.take()?;
        self.went_on = !group.wait(END);
        group.end(Duration::ZERO).ok()
    }
}
