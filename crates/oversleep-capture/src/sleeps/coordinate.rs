//! Runs a plan on this machine.

use super::condition_group::ConditionGroup;
use super::load::Busy;
use super::process::ProcessWide;
use super::worker::Answer;
use crate::clocks::bracket_all;
use crate::late::Counting;
use oversleep_os::sysinfo::tick;
use oversleep_recording::plan::{Conditions, Plan, Turn};
use oversleep_recording::{End, Note, Obtained, Sample, Sink, SleepCost};
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Settings of a run.
#[derive(Debug, Clone, Default)]
pub struct SleepRunSettings {
    /// Handle that ends the run early.
    pub stop: Stop,
    /// Duration after which the run ends.
    pub time_limit: Option<Nanos>,
    /// How often samples are collected and flushed: every 618 ms unless a shorter time is given. The rings between
    /// threads have no room for more than two seconds.
    pub flush_every: Option<Nanos>,
    /// What the sleeping threads need to count for a watch for late sleeps; `None` if they count nothing.
    pub counting: Option<Counting>,
}

impl SleepRunSettings {
    fn collect_every(&self) -> Nanos {
        self.flush_every.map_or(COLLECT, |every| every.clamp(Nanos::from_micros(100), COLLECT))
    }
}

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SleepRunProgress {
    /// Number of turns completed.
    pub turns_done: usize,
    /// Number of turns planned.
    pub turns_planned: usize,
    /// Number of samples collected.
    pub samples: u64,
    /// Largest oversleep among the samples collected; computed only for an observer that shows it.
    pub latest_by: Option<Nanos>,
    /// Time since the first turn.
    pub elapsed: Nanos,
    /// Estimated time for the rest, if sleeps last as long as so far; at most what the time limit leaves.
    pub remaining: Nanos,
}

/// Watches a run. Called between turns and at each collection, on the coordinator's thread, never on a sleeper's
/// thread.
pub trait Observer {
    /// Returns whether it would show anything at this time since the first turn. Only then is the remaining time
    /// estimated.
    fn watches(&mut self, elapsed: Nanos) -> bool;
    /// Shows the progress of the run.
    fn progress(&mut self, progress: &SleepRunProgress);
    /// Returns whether it shows the largest oversleep, for which every sample has to be examined.
    fn shows_latest(&self) -> bool {
        false
    }
}

impl Observer for () {
    fn watches(&mut self, _: Nanos) -> bool {
        false
    }

    fn progress(&mut self, _: &SleepRunProgress) {}
}

/// How long the tick is observed: six ticks at 100 Hz, the slowest common rate.
const TICK_WATCH: Nanos = Nanos::from_millis(60);

/// How long samples may wait before they are collected and flushed. Under a second, and not a simple fraction of one:
/// if a timer of ours fires when a sleep of whole seconds is due, it ends that sleep early within its slack, if it has
/// some (`select` of 1 s has 1 ms, and was 0.03 % late instead of 0.1 %).
const COLLECT: Nanos = Nanos::from_millis(618);

/// How long sleepers may take to end after the run is over.
const PATIENCE: Nanos = Nanos::from_millis(200);

/// Runs a plan on this machine.
///
/// # Errors
/// If no thread can be started. Methods and conditions that are unavailable are noted, and the rest runs.
pub fn run(
    plan: &Plan,
    settings: &SleepRunSettings,
    sink: &mut dyn Sink,
    observer: &mut dyn Observer,
) -> io::Result<End> {
    let mut run = Coordinator::start(plan, settings, sink, observer)?;
    let end = run.turns(&plan.turns);
    run.collect();
    let note = Note {
        brackets: bracket_all(),
        // Observing the tick spins for some ticks: this comes after the last sleep, so that the first one is not
        // delayed.
        tick_measured: tick::measure(TICK_WATCH).ok(),
        costs: std::mem::take(&mut run.costs).into_values().filter(|cost| cost.sleeps > 0).collect(),
        end: Some(end.clone()),
        ..Note::default()
    };
    run.sink.note(&note);
    run.sink.flush();
    Ok(end)
}

struct Coordinator<'a> {
    plan: &'a Plan,
    settings: &'a SleepRunSettings,
    sink: &'a mut dyn Sink,
    observer: &'a mut dyn Observer,
    groups: Vec<ConditionGroup>,
    /// Conditions that each group's threads read back, until they are noted before the group's first turn.
    obtained: Vec<Vec<Obtained>>,
    answers: Receiver<Answer>,
    process: ProcessWide,
    busy: Option<(oversleep_recording::plan::Load, Busy)>,
    begun: Nanos,
    collected: Nanos,
    samples: u64,
    /// Largest oversleep, if the observer shows it.
    latest_by: Option<Nanos>,
    batch: Vec<Sample>,
    lost: u64,
    /// What each cell's threads have taken of the processor so far.
    costs: BTreeMap<(u32, u16), SleepCost>,
    estimate: super::estimate::Estimate,
    turns_done: usize,
    /// Start of the turn in progress, or end of the last one.
    turn_begun: Nanos,
}

impl<'a> Coordinator<'a> {
    fn start(
        plan: &'a Plan,
        settings: &'a SleepRunSettings,
        sink: &'a mut dyn Sink,
        observer: &'a mut dyn Observer,
    ) -> io::Result<Self> {
        let (sender, answers) = channel();
        settings.stop.wakes(&sender);
        let mut groups = ConditionGroup::group_cells(plan);
        let mut note = Note { brackets: bracket_all(), ..Note::default() };
        let process = ProcessWide::apply(groups.iter().map(|group| &group.conditions), &mut note);
        let mut obtained = Vec::new();
        for group in &mut groups {
            group.start(plan, settings.stop.flag(), settings.counting.as_ref(), &sender)?;
            let mut of_group = Vec::new();
            for _ in 0..group.threads() {
                if let Ok(Answer::Ready { obtained, refused, methods }) = next(&answers) {
                    group.ready(&refused, methods, &mut note);
                    of_group.extend(obtained);
                }
            }
            obtained.push(of_group);
        }
        sink.note(&note);
        let begun = monotonic();
        Ok(Self {
            estimate: super::estimate::Estimate::from_plan(plan),
            plan,
            settings,
            sink,
            observer,
            groups,
            obtained,
            answers,
            process,
            busy: None,
            begun,
            collected: begun,
            samples: 0,
            latest_by: None,
            batch: Vec::new(),
            lost: 0,
            costs: BTreeMap::new(),
            turns_done: 0,
            turn_begun: begun,
        })
    }

    fn turns(&mut self, turns: &[Turn]) -> End {
        for turn in turns {
            if let Some(end) = self.reason_to_end() {
                return end;
            }
            let Some(index) = self.groups.iter().position(|group| group.sleeps_in(turn.cell)) else {
                self.estimate.skip(*turn);
                self.turns_done += 1;
                continue;
            };
            self.prepare(index);
            self.turn_begun = monotonic();
            self.groups[index].turn(*turn);
            let cut = self.wait(index);
            let ended = monotonic();
            self.estimate.enter(*turn, ended - self.turn_begun);
            self.turn_begun = ended;
            self.turns_done += 1;
            if let Some(end) = cut {
                return end;
            }
            if monotonic() - self.collected >= self.settings.collect_every() {
                self.collect();
            } else if self.groups[index].half_full() {
                self.gather();
            }
            self.show();
        }
        End::Complete
    }

    /// Applies conditions outside the sleeping threads: busy threads, and settings of the whole process.
    fn prepare(&mut self, index: usize) {
        let conditions = &self.groups[index].conditions;
        let wanted = conditions.load.filter(|load| load.threads > 0);
        if self.busy.as_ref().map(|(load, _)| *load) != wanted {
            self.busy = None;
            let until = self.settings.time_limit.map(|limit| self.begun + limit + PATIENCE);
            self.busy = wanted.map(|load| (load, Busy::start(load, conditions, until)));
        }
        let mut note = Note::default();
        let mut of_process = Conditions::default();
        self.process.settle(conditions, &mut of_process, &mut note);
        let running =
            self.busy.as_ref().map(|(load, busy)| oversleep_recording::plan::Load { threads: busy.threads(), ..*load });
        for mut obtained in std::mem::take(&mut self.obtained[index]) {
            obtained.conditions.load = running.or(conditions.load);
            obtained.conditions.add(&of_process);
            obtained.conditions.threads = u16::try_from(self.groups[index].threads()).ok();
            note.obtained.push(obtained);
        }
        if !note.is_empty() {
            self.sink.note(&note);
        }
    }

    /// Waits for a group's turn to end, while collecting at the usual intervals. Returns the reason if the turn was cut
    /// short.
    fn wait(&mut self, index: usize) -> Option<End> {
        let mut awaited = self.groups[index].threads();
        let mut cut: Option<(End, Nanos)> = None;
        while awaited > 0 {
            let now = monotonic();
            let mut until = self.collected + self.settings.collect_every();
            if let Some(limit) = self.settings.time_limit {
                until = until.min(self.begun + limit);
            }
            if let Some((_, patience)) = &cut {
                if now >= *patience {
                    break;
                }
                until = *patience;
            }
            let pause = (until - now).to_duration().unwrap_or(Duration::ZERO);
            match self.answers.recv_timeout(pause) {
                Ok(Answer::Done { periods, cost }) => {
                    awaited -= 1;
                    self.costs.insert((cost.cell, cost.thread), cost);
                    if let Some(periods) = periods {
                        self.sink.note(&Note { periods: vec![periods], ..Note::default() });
                    }
                }
                Ok(Answer::Ready { .. } | Answer::Wake) => {}
                Err(RecvTimeoutError::Timeout) => {
                    if monotonic() - self.collected >= self.settings.collect_every() {
                        self.collect();
                        self.show();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Some(End::Interrupted),
            }
            if cut.is_none()
                && let Some(end) = self.reason_to_end()
            {
                // Sleepers check the flag between two sleeps. One that is in a long sleep is left behind, and ends with
                // the process.
                self.settings.stop.stop();
                cut = Some((end, monotonic() + PATIENCE));
            }
        }
        cut.map(|(end, _)| end)
    }

    fn reason_to_end(&self) -> Option<End> {
        let time_over = self.settings.time_limit.is_some_and(|limit| monotonic() - self.begun >= limit);
        if time_over {
            Some(End::TimeOver)
        } else if self.settings.stop.stopped() {
            Some(End::Interrupted)
        } else {
            None
        }
    }

    /// Empties the rings.
    fn gather(&mut self) {
        let sink = &mut *self.sink;
        let (shown, mut latest_by) = (self.observer.shows_latest(), self.latest_by);
        for group in &mut self.groups {
            let collected = group.collect(&mut self.batch, &mut |wakes| {
                if shown {
                    latest_by = latest_by.max(wakes.wakes.iter().map(|wake| wakes.oversleep_of(wake).1).max());
                }
                sink.wakes(wakes);
            });
            self.lost += collected.lost;
            self.samples += collected.wakes;
        }
        self.latest_by = latest_by;
    }

    fn collect(&mut self) {
        self.gather();
        let lost = std::mem::take(&mut self.lost);
        self.samples += self.batch.len() as u64;
        if self.observer.shows_latest() {
            self.latest_by = self.latest_by.max(self.batch.iter().map(Sample::oversleep).max());
        }
        self.sink.samples(&self.batch);
        self.batch.clear();
        self.sink.note(&Note { brackets: bracket_all(), lost, ..Note::default() });
        self.sink.flush();
        self.collected = monotonic();
    }

    fn show(&mut self) {
        let now = monotonic();
        let elapsed = now - self.begun;
        if !self.observer.watches(elapsed) {
            return;
        }
        let left = self.settings.time_limit.map_or(Nanos::MAX, |limit| limit - elapsed);
        self.observer.progress(&SleepRunProgress {
            turns_done: self.turns_done,
            turns_planned: self.plan.turns.len(),
            samples: self.samples,
            latest_by: self.latest_by,
            elapsed,
            remaining: self.estimate.remaining(self.turns_done, now - self.turn_begun).min(left).max(Nanos::ZERO),
        });
    }
}

/// Returns the next answer that is not [`Answer::Wake`].
fn next(answers: &Receiver<Answer>) -> Result<Answer, std::sync::mpsc::RecvError> {
    loop {
        match answers.recv()? {
            Answer::Wake => {}
            answer => return Ok(answer),
        }
    }
}

/// A handle with which another thread (such as one that waits for Ctrl-C) ends a run. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    waker: Arc<Mutex<Option<Sender<Answer>>>>,
}

impl Stop {
    /// Ends the run: sleepers stop after their current sleep, and the coordinator wakes at once.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        if let Some(waker) = &*self.waker.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = waker.send(Answer::Wake);
        }
    }

    /// Returns whether the run is to end.
    pub fn stopped(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    pub(super) fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    pub(super) fn wakes(&self, answers: &Sender<Answer>) {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(answers.clone());
    }
}
