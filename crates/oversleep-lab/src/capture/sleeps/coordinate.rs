//! Carrying out a plan.

use super::group::Group;
use super::load::Busy;
use super::process::ProcessWide;
use super::stop::Stop;
use super::worker::Answer;
use crate::capture::clocks::bracket_all;
use oversleep_os::sysinfo::tick;
use oversleep_recording::plan::{Conditions, Plan, Turn};
use oversleep_recording::{End, Note, Obtained, Sample, Sink};
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How a plan is carried out.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Ends the run early when told to.
    pub stop: Stop,
    /// Ends the run when it has lasted this long.
    pub time_limit: Option<Nanos>,
    /// How often samples are collected and flushed: every second unless told otherwise, which is the most that the
    /// rings between threads have room for.
    pub flush_every: Option<Nanos>,
}

impl Settings {
    fn collect_every(&self) -> Nanos {
        self.flush_every.map_or(COLLECT, |every| every.clamp(Nanos::from_micros(100), COLLECT))
    }
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Turns slept.
    pub turns_done: usize,
    /// Turns planned.
    pub turns_planned: usize,
    /// Samples collected.
    pub samples: u64,
    /// The most that a sleep was late, of those collected; gathered only for an observer that shows it.
    pub latest_by: Option<Nanos>,
    /// Time since the first turn.
    pub elapsed: Nanos,
    /// Time the rest will take if sleeps go on lasting what they lasted so far; at most what the limit leaves.
    pub remaining: Nanos,
}

/// Watches a run. Called between turns and at each collection, on the coordinator's thread, never on a sleeper's.
pub trait Observer {
    /// Whether it would show anything now, so long after the first turn. An estimate is made only then.
    fn watches(&mut self, elapsed: Nanos) -> bool;
    /// Shows how far the run has come.
    fn progress(&mut self, progress: &Progress);
    /// Whether it shows the most that a sleep was late, which takes a look at every sample.
    fn shows_latest(&self) -> bool {
        false
    }
}

impl Observer for () {
    fn watches(&mut self, _: Nanos) -> bool {
        false
    }

    fn progress(&mut self, _: &Progress) {}
}

/// Six ticks of the slowest usual rate.
const TICK_WATCH: Nanos = Nanos::from_millis(60);

/// How long samples may wait before they are collected and flushed. Under a second, and no simple part of one: a timer of
/// ours that fires when a sleep of whole seconds is due ends that sleep early in its slack, if it has some (`select` of
/// 1 s has 1 ms, and was 0.03 % late instead of 0.1 %).
const COLLECT: Nanos = Nanos::from_millis(618);

/// Carries out a plan on this machine.
///
/// # Errors
/// If not even a thread can be started. Methods and conditions that cannot be had are noted, and the rest runs.
pub fn run(plan: &Plan, settings: &Settings, sink: &mut dyn Sink, observer: &mut dyn Observer) -> io::Result<End> {
    let mut run = Coordinator::start(plan, settings, sink, observer)?;
    let end = run.turns(&plan.turns);
    run.collect();
    let note = Note {
        brackets: bracket_all(),
        // Watching the tick spins for some ticks: after the last sleep, so that the first one need not wait.
        tick_measured: tick::measure(TICK_WATCH).ok(),
        end: Some(end.clone()),
        ..Note::default()
    };
    run.sink.note(&note);
    run.sink.flush();
    Ok(end)
}

struct Coordinator<'a> {
    plan: &'a Plan,
    settings: &'a Settings,
    sink: &'a mut dyn Sink,
    observer: &'a mut dyn Observer,
    groups: Vec<Group>,
    /// What each group's threads read back, until its first turn completes and tells it.
    obtained: Vec<Vec<Obtained>>,
    answers: Receiver<Answer>,
    process: ProcessWide,
    busy: Option<(oversleep_recording::plan::Load, Busy)>,
    begun: Nanos,
    collected: Nanos,
    samples: u64,
    /// The most that a sleep was late, where the observer shows it.
    latest_by: Option<Nanos>,
    batch: Vec<Sample>,
    lost: u64,
    estimate: super::estimate::Estimate,
    turns_done: usize,
}

impl<'a> Coordinator<'a> {
    fn start(
        plan: &'a Plan,
        settings: &'a Settings,
        sink: &'a mut dyn Sink,
        observer: &'a mut dyn Observer,
    ) -> io::Result<Self> {
        let (sender, answers) = channel();
        settings.stop.wakes(&sender);
        let mut groups = Group::of(plan);
        let mut note = Note { brackets: bracket_all(), ..Note::default() };
        let process = ProcessWide::apply(groups.iter().map(|group| &group.conditions), &mut note);
        let mut obtained = Vec::new();
        for group in &mut groups {
            group.start(plan, settings.stop.flag(), &sender)?;
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
            estimate: super::estimate::Estimate::of(plan),
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
            turns_done: 0,
        })
    }

    fn turns(&mut self, turns: &[Turn]) -> End {
        for turn in turns {
            if let Some(end) = self.over() {
                return end;
            }
            let Some(index) = self.groups.iter().position(|group| group.sleeps_in(turn.cell)) else {
                self.estimate.skip(*turn);
                self.turns_done += 1;
                continue;
            };
            self.prepare(index);
            let begun = monotonic();
            self.groups[index].turn(*turn);
            let cut = self.wait(index);
            self.estimate.enter(*turn, monotonic() - begun);
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

    /// Makes what lies outside the sleeping threads fit their condition: busy threads, latency hold.
    fn prepare(&mut self, index: usize) {
        let conditions = &self.groups[index].conditions;
        let wanted = conditions.load.filter(|load| load.threads > 0);
        if self.busy.as_ref().map(|(load, _)| *load) != wanted {
            self.busy = None;
            self.busy = wanted.map(|load| (load, Busy::beside(load, conditions)));
        }
        let mut note = Note::default();
        let mut of_process = Conditions::default();
        self.process.settle(conditions, &mut of_process, &mut note);
        let running =
            self.busy.as_ref().map(|(load, busy)| oversleep_recording::plan::Load { threads: busy.threads(), ..*load });
        for mut obtained in std::mem::take(&mut self.obtained[index]) {
            obtained.conditions.load = running.or(conditions.load);
            obtained.conditions.latency_hold = of_process.latency_hold;
            obtained.conditions.memory_locked = of_process.memory_locked;
            obtained.conditions.timer_resolution = of_process.timer_resolution;
            obtained.conditions.priority_class = of_process.priority_class;
            obtained.conditions.unthrottled = of_process.unthrottled;
            obtained.conditions.threads = u16::try_from(self.groups[index].threads()).ok();
            note.obtained.push(obtained);
        }
        if !note.is_empty() {
            self.sink.note(&note);
        }
    }

    /// Waits for a group's turn to end, collecting at the usual intervals. Returns why if the turn was cut short.
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
                Ok(Answer::Done { periods }) => {
                    awaited -= 1;
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
                && let Some(end) = self.over()
            {
                // Sleepers look at the flag between two sleeps. One that is in a long sleep is left behind: it
                // ends with the process.
                self.settings.stop.stop();
                cut = Some((end, monotonic() + Nanos::from_millis(200)));
            }
        }
        cut.map(|(end, _)| end)
    }

    fn over(&self) -> Option<End> {
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
        let elapsed = monotonic() - self.begun;
        if !self.observer.watches(elapsed) {
            return;
        }
        let left = self.settings.time_limit.map_or(Nanos::MAX, |limit| limit - elapsed);
        self.observer.progress(&Progress {
            turns_done: self.turns_done,
            turns_planned: self.plan.turns.len(),
            samples: self.samples,
            latest_by: self.latest_by,
            elapsed,
            remaining: self.estimate.remaining(self.turns_done).min(left).max(Nanos::ZERO),
        });
    }
}

/// The next answer that is no wake-up call.
fn next(answers: &Receiver<Answer>) -> Result<Answer, std::sync::mpsc::RecvError> {
    loop {
        match answers.recv()? {
            Answer::Wake => {}
            answer => return Ok(answer),
        }
    }
}
