//! Runs a plan of probes and primitives.

mod end;
mod key;
mod position;
mod start;
#[cfg(test)]
mod tests;

use self::key::Key;
use self::position::{RunPosition, least_time, least_warm_up, longest_time, longest_time_of};
use super::call_recorder::CallRecorder;
use super::folder::Folder;
use super::launch::Launch;
use super::native::Native;
use super::plan::has_load_inside;
use super::probe::{Failed, Probe};
use super::probe_starter::ProbeStarter;
use super::protocol::ProbeSleep;
use super::runtime_turns::RuntimeTurns;
use super::settings::{ProbeRunProgress, ProbeRunSettings, StartError};
use crate::clocks::bracket_all;
use crate::sleeps::Busy;
use oversleep_os::program::{self, read_counts};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{Cell, Conditions, Load, Plan, Turn};
use oversleep_recording::{End, Flags, Note, Obtained, Sample, Sink, SleepCost, Unobtained};
use oversleep_sys::Refusal;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use std::collections::{HashMap, HashSet, VecDeque};

/// Time that a block may take in addition to its sleeps: on a busy machine a probe may wait for a processor.
const PATIENCE: Nanos = Nanos::from_secs(10);
/// Number of samples that are passed on at once.
const BATCH: usize = 1 << 13;

/// Runs a plan. Programs that cannot be started and programs that fail are noted; the rest goes on.
///
/// # Errors
/// If no thread can be started, or no temporary folder can be made.
pub fn run(
    plan: &Plan,
    launches: &[Launch],
    settings: &ProbeRunSettings,
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(ProbeRunProgress<'_>),
) -> Result<End, StartError> {
    let conditions = plan.cells.first().map(|cell| cell.conditions.clone()).unwrap_or_default();
    let starter = ProbeStarter::new(&conditions)?;
    let inside = conditions.load.filter(|_| has_load_inside(&conditions));
    let beside = conditions.load.filter(|load| load.threads > 0 && inside.is_none());
    let busy = beside.map(|load| Busy::start(load, &conditions, None));
    let mut obtained = starter.obtained.clone();
    obtained.load = busy.as_ref().and_then(|busy| Some(Load { threads: busy.threads(), ..conditions.load? }));
    let mut note = Note { brackets: bracket_all(), ..Note::default() };
    note.unavailable.extend(starter.refused.iter().map(|(what, refusal)| Unobtained::new(what, refusal)));
    let of_cell = |cell: &Cell| Obtained { cell: cell.id, thread: 0, conditions: obtained.clone() };
    // A program with busy threads of its own reports them before it sleeps.
    let is_program = |cell: &Cell| launches.iter().any(|launch| launch.method() == cell.method);
    let says_so = |cell: &&Cell| has_load_inside(&cell.conditions) && is_program(cell);
    note.obtained.extend(plan.cells.iter().filter(|cell| !says_so(cell)).map(of_cell));
    sink.note(&note);
    let begun = monotonic();
    let folder = Folder::create()?;
    let mut run = ProbeRun {
        plan,
        launches,
        settings,
        sink,
        starter,
        folder,
        begun,
        probes: HashMap::new(),
        natives: HashMap::new(),
        failed: HashSet::new(),
        sequences: HashMap::new(),
        costs: HashMap::new(),
        call_recorder: CallRecorder::default(),
        inside,
        obtained: obtained.clone(),
        is_cut: false,
    };
    let end = run.turns(progress);
    run.finish();
    let costs = std::mem::take(&mut run.costs).into_values().collect();
    run.sink.note(&Note { brackets: bracket_all(), costs, end: Some(end.clone()), ..Note::default() });
    run.sink.flush();
    drop(busy);
    Ok(end)
}

/// A run of probes: the programs and native primitives of a plan, turn by turn.
struct ProbeRun<'a> {
    plan: &'a Plan,
    launches: &'a [Launch],
    settings: &'a ProbeRunSettings,
    sink: &'a mut dyn Sink,
    starter: ProbeStarter,
    folder: Folder,
    begun: Nanos,
    probes: HashMap<Key<'a>, Probe>,
    natives: HashMap<&'a str, Native>,
    /// Programs that could not be started, failed or have ended, and primitives that could not be opened.
    failed: HashSet<Key<'a>>,
    /// Number of samples of each cell.
    sequences: HashMap<u32, u64>,
    /// What the sleeps of each cell have taken of the processor.
    costs: HashMap<u32, SleepCost>,
    call_recorder: CallRecorder,
    /// Load requested within programs.
    inside: Option<Load>,
    /// Conditions in force on the thread that starts programs.
    obtained: Conditions,
    /// Whether the run's time ended a block.
    is_cut: bool,
}

impl<'a> ProbeRun<'a> {
    fn turns(&mut self, progress: &mut dyn FnMut(ProbeRunProgress<'_>)) -> End {
        let mut waiting: VecDeque<RuntimeTurns<'a>> = RuntimeTurns::split(self.plan, self.launches).into();
        let end = self.parts(&mut waiting, progress);
        for (name, why) in waiting.into_iter().flat_map(RuntimeTurns::into_silent) {
            self.note_unavailable(name, &Refusal::Failed(format!("{why}; the run ended before its second start")));
        }
        end
    }

    /// Carries out the parts of the plan. One whose programs are not ready in time is set aside, started again after
    /// the others and then given more time: a program that hangs costs the others little.
    fn parts(
        &mut self,
        waiting: &mut VecDeque<RuntimeTurns<'a>>,
        progress: &mut dyn FnMut(ProbeRunProgress<'_>),
    ) -> End {
        let plan = self.plan;
        let most = self.settings.warm_up;
        let warm_up = least_warm_up(plan, self.launches.iter().map(Launch::method), most);
        let mut place = RunPosition { turns_done: 0, left: least_time(plan, &plan.turns).saturating_add(warm_up) };
        while let Some(part) = waiting.pop_front() {
            if let Some(end) = self.reason_to_end() {
                waiting.push_front(part);
                return end;
            }
            let turns = part.turns(plan);
            progress(self.progress(place, turns));
            let goes_last = part.is_aside() || waiting.iter().all(RuntimeTurns::is_aside);
            let launches = part.launches(plan, self.launches);
            let silent = self.start(&launches, goes_last);
            if !silent.is_empty() {
                waiting.push_back(part.aside(silent));
                continue;
            }
            // Primitives are measured beside programs: without one they are not needed.
            let is_running = !self.probes.is_empty() || launches.is_empty();
            let warmed = launches.iter().map(|launch| launch.method());
            place.left = place.left.saturating_sub(least_warm_up(plan, warmed, most));
            for (index, turn) in turns.iter().enumerate().filter(|_| is_running) {
                if let Some(end) = self.reason_to_end() {
                    return end;
                }
                let Some(cell) = plan.cells.get(turn.cell as usize) else { continue };
                progress(self.progress(place.after(plan, &turns[..index]), &turns[index..]));
                self.turn(cell, turn.sleeps);
                self.end_unwanted(&turns[index + 1..]);
            }
            place = place.after(plan, turns);
        }
        let planned = if self.is_cut { End::TimeOver } else { End::Complete };
        self.reason_to_end().filter(|end| *end == End::Interrupted).unwrap_or(planned)
    }

    fn progress(&self, place: RunPosition, next: &[Turn]) -> ProbeRunProgress<'a> {
        let name = next.first().and_then(|turn| self.name(turn.cell)).unwrap_or_default();
        let RunPosition { turns_done, left } = place;
        ProbeRunProgress {
            turns_done,
            turns_planned: self.plan.turns.len(),
            next: name,
            left,
            elapsed: monotonic() - self.begun,
        }
    }

    fn reason_to_end(&self) -> Option<End> {
        if self.settings.stop.stopped() {
            return Some(End::Interrupted);
        }
        self.is_out_of_time().then_some(End::TimeOver)
    }

    /// Returns whether the run's time is over.
    fn is_out_of_time(&self) -> bool {
        self.left() <= Nanos::ZERO
    }

    /// Returns the time left for the run.
    fn left(&self) -> Nanos {
        self.settings.time_limit.map_or(Nanos::MAX, |limit| limit - (monotonic() - self.begun))
    }

    fn name(&self, cell: u32) -> Option<&'a str> {
        self.plan.cells.get(cell as usize).map(|cell| cell.method.as_str())
    }

    /// Returns the process that sleeps in this cell.
    fn key(&self, cell: &'a Cell) -> Key<'a> {
        let without_load = self.inside.is_some() && !has_load_inside(&cell.conditions);
        Key { name: &cell.method, without_load }
    }

    fn note_unavailable(&mut self, what: &str, refusal: &Refusal) {
        self.sink.note(&Note { unavailable: vec![Unobtained::new(what, refusal)], ..Note::default() });
    }

    fn open_native(&mut self, name: &'a str) {
        if self.natives.contains_key(name) || self.failed.contains(&Key::new(name)) {
            return;
        }
        let conditions = self.plan.cells.first().map(|cell| cell.conditions.clone()).unwrap_or_default();
        let unknown = || Refusal::Unavailable(format!("no sleep method is called '{name}'"));
        let opened = MethodId::from_name(name).ok_or_else(unknown).and_then(|id| Native::open(id, &conditions));
        match opened {
            Ok(native) => drop(self.natives.insert(name, native)),
            Err(refusal) => {
                self.failed.insert(Key::new(name));
                self.note_unavailable(name, &refusal);
            }
        }
    }

    fn time_limit(&self, request: Nanos, count: u64) -> Nanos {
        PATIENCE.saturating_add(longest_time(request, count)).min(self.left().max(Nanos::ZERO))
    }

    /// Returns how long a program may take until its first rows. A user's program may take no orders: then it makes all its
    /// sleeps before it prints any, or prints each as it sleeps.
    fn patience_at_first(&self, cell: &Cell, sleeps: u64) -> Nanos {
        let is_command = |launch: &Launch| launch.method() == cell.method && launch.may_take_no_orders();
        if self.launches.iter().any(is_command) {
            return PATIENCE.saturating_add(longest_time_of(self.plan, &cell.method)).min(self.left().max(Nanos::ZERO));
        }
        self.time_limit(cell.pattern.requested().unwrap_or(Nanos::MILLISECOND), sleeps)
    }

    fn turn(&mut self, cell: &'a Cell, sleeps: u64) {
        let request = cell.pattern.requested().unwrap_or(Nanos::MILLISECOND);
        if self.launches.iter().all(|launch| launch.method() != cell.method) {
            self.open_native(&cell.method);
        }
        if let Some(native) = self.natives.get(cell.method.as_str()) {
            let (rows, cost) = native.block(request, sleeps);
            self.spend(cell, cost);
            return self.keep(cell, &rows, false);
        }
        let key = self.key(cell);
        let Some(mut probe) = self.probes.remove(&key) else { return };
        let limit =
            if probe.has_slept() { self.time_limit(request, sleeps) } else { self.patience_at_first(cell, sleeps) };
        let before = read_counts(probe.threads());
        let slept = probe.block(request, sleeps, limit, &self.settings.stop);
        let (processor, wake_ups) = program::taken(&before, &read_counts(probe.threads()));
        let schedule = probe.header.schedule;
        match slept {
            Ok(rows) => {
                self.keep(cell, &rows, schedule);
                let printed = rows.len() as u64;
                if probe.done || printed > sleeps {
                    self.end_of_all(key, &mut probe, printed, sleeps);
                } else {
                    // A program that takes no orders may have slept before it was asked.
                    let cost = SleepCost { sleeps, processor, wake_ups, ..SleepCost::default() };
                    self.spend(cell, (processor > Nanos::ZERO).then_some(cost));
                    self.probes.insert(key, probe);
                }
            }
            Err(Failed { rows, why, is_late }) => {
                self.keep(cell, &rows, schedule);
                if is_late && self.is_out_of_time() {
                    self.is_cut = true;
                    self.cut_short(key, &mut probe, (rows.len(), sleeps));
                } else {
                    self.fail(key, &mut probe, why);
                }
            }
        }
    }

    /// Adds what the sleeps of a block have taken of the processor.
    fn spend(&mut self, cell: &Cell, cost: Option<SleepCost>) {
        if let Some(cost) = cost {
            let known = self.costs.entry(cell.id).or_insert(SleepCost { cell: cell.id, ..SleepCost::default() });
            *known = known.with(&cost);
        }
    }

    /// Passes the sleeps of a block on. A program that takes no orders may have slept for other requests as well: each
    /// sleep goes to the cell with its request.
    fn keep(&mut self, cell: &Cell, rows: &[ProbeSleep], schedule: bool) {
        let mut samples = Vec::with_capacity(rows.len().min(BATCH));
        let mut strange: Option<(Nanos, u64)> = None;
        let origin = rows.first().map(|row| row.start).unwrap_or_default();
        let mut due = origin;
        for row in rows {
            due = due.saturating_add(row.requested);
            let fits = |cell: &&Cell| cell.pattern.requested() == Some(row.requested);
            let is_its_own = |known: &&Cell| known.method == cell.method && known.conditions == cell.conditions;
            let of_method = self.plan.cells.iter().filter(is_its_own);
            let Some(cell) = Some(cell).filter(fits).or_else(|| of_method.clone().find(fits)) else {
                strange.get_or_insert((row.requested, 0)).1 += 1;
                continue;
            };
            let sequence = self.sequences.entry(cell.id).or_default();
            let first = if *sequence == 0 { Flags::FIRST } else { Flags::default() };
            samples.push(Sample {
                cell: cell.id,
                sequence: *sequence,
                requested: row.requested,
                deadline: schedule.then_some(due),
                start: row.start,
                end: row.end,
                flags: row.flags.with(first),
                ..Sample::BLANK
            });
            *sequence += 1;
            if samples.len() == BATCH {
                self.sink.samples(&samples);
                samples.clear();
            }
        }
        self.sink.samples(&samples);
        if let Some((requested, left_out)) = strange {
            // All digits, as `-r` takes them.
            let asked = format!("{requested:#}").replace(' ', "").replace('µ', "u");
            let why = format!("{left_out} sleeps are left out: they are for {requested}, and -r {asked} was not given");
            self.note_unavailable(&cell.method, &Refusal::Failed(why));
        }
        self.sink.flush();
    }
}
