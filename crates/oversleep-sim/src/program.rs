//! The program that sleeps on the simulated kernel: it carries out a plan as the live machine does.

use super::machine::{Machine, Wake};
use super::rng::{Chance, Purpose};
use super::scale::Scale;
use super::sched;
use super::sleep::{Call, Path, Slack, sleep};
use super::sleep_sink::SleepSink;
use super::time::{PS_PER_S, Ps, ps_from_us};
use super::user::UserClock;
use oversleep_recording::catalog::{MethodId, Mode};
use oversleep_recording::plan::{Cell, ClockName, Conditions, Pattern, Phase, Plan, Turn};
use oversleep_recording::{Bracket, Flags, HungSleep, Note, Obtained, Periods, Sample, Unobtained};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Why a cell ended before its plan was complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The kernel put the thread to sleep for ever: its request was rounded to zero ticks.
    Hangs,
    /// The next wake-up would be after the simulated machine's 100 days.
    Beyond,
    /// The simulated kernel has no sleep path for this method's name.
    NoMethod,
}

/// A cell that ended before its plan was complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutCell {
    /// ID of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Reason.
    pub cut: Cut,
    /// Requested duration of the sleep that did not end.
    pub requested: Nanos,
}

/// Carries out every turn. Returns the cells that were cut short and the true time at the end.
pub(crate) fn run<S: Scale>(
    machine: Machine<S>,
    plan: &Plan,
    seed: u64,
    sink: &mut dyn SleepSink,
) -> (Vec<CutCell>, Ps) {
    let seeds = [seed, plan.seed];
    let mut program = Program { machine, now: 0, bracket_due: 0, places: HashMap::new(), cut: Vec::new(), seeds, sink };
    program.bracket();
    for (number, turn) in plan.turns.iter().enumerate() {
        if let Some(cell) = plan.cells.iter().find(|cell| cell.id == turn.cell) {
            program.turn(cell, *turn, number as u64);
        }
    }
    program.bracket_due = 0;
    program.bracket();
    (program.cut, program.now)
}

struct Program<'a, S> {
    machine: Machine<S>,
    now: Ps,
    bracket_due: Ps,
    places: HashMap<(u32, u16), CellThread>,
    cut: Vec<CutCell>,
    /// Seeds of the simulation and of the plan.
    seeds: [u64; 2],
    sink: &'a mut dyn SleepSink,
}

/// State of a cell's thread from turn to turn.
struct CellThread {
    /// Next sequence number.
    next: u64,
    chance: Chance,
}

/// Values that are constant within a turn of one thread.
struct Course<'a> {
    cell: &'a Cell,
    thread: u16,
    sleeps: u64,
    path: Path,
    /// Whether the call takes a time on the clock rather than a duration.
    absolute: bool,
    slack: Slack,
    busy: u16,
    clock: UserClock,
    call: Ps,
    entry: Ps,
    between: Ps,
}

impl<S: Scale> Program<'_, S> {
    fn turn(&mut self, cell: &Cell, turn: Turn, number: u64) {
        let Some(path) = MethodId::recognise(&cell.method).map(|id| id.row().simulated) else {
            return self.cut_off(cell, 0, Cut::NoMethod, Nanos::ZERO);
        };
        let threads = cell.conditions.threads.unwrap_or(1).max(1);
        let p = std::sync::Arc::clone(&self.machine.p);
        let (begin, mut end) = (self.now, self.now);
        let before = (threads > 1).then(|| self.machine.clone());
        for thread in 0..threads {
            if self.cut.iter().any(|cut| cut.cell == cell.id && cut.thread == thread) {
                continue;
            }
            if let Some(before) = &before {
                // Threads share the machine, but not its random numbers; they do not delay each other.
                self.machine = before.clone();
                self.machine.chance = Chance::stream(self.seeds, Purpose::Latencies { turn: number, thread });
            }
            let course = Course {
                cell,
                thread,
                sleeps: turn.sleeps,
                path,
                absolute: cell.row().is_some_and(|row| matches!(row.mode, Mode::Absolute | Mode::Periodic)),
                slack: Slack::from_conditions(&cell.conditions, p.slack_us, p.select_slack_frac),
                busy: cell.conditions.load.map_or(0, |load| load.threads),
                clock: UserClock::new(cell.clock, p.read_unit_ns),
                call: ps_from_us(p.call_us),
                entry: ps_from_us(p.syscall_us),
                between: ps_from_us(p.loop_us),
            };
            self.now = begin;
            self.course(&course);
            end = end.max(self.now);
        }
        self.now = end;
    }

    fn course(&mut self, course: &Course<'_>) {
        let key = (course.cell.id, course.thread);
        let mut place = self.places.remove(&key).unwrap_or_else(|| {
            if self.sink.wants_notes() {
                self.sink.note(&obtained(course.cell, course.thread));
            }
            let purpose = Purpose::Requests { cell: course.cell.id, thread: course.thread };
            CellThread { next: 0, chance: Chance::stream(self.seeds, purpose) }
        });
        match course.cell.pattern {
            Pattern::Periodic { period } => self.periodic(course, period, &mut place),
            _ => self.one_by_one(course, &mut place),
        }
        self.places.insert(key, place);
    }

    /// Makes the sleeps one after another, however long each takes.
    fn one_by_one(&mut self, course: &Course<'_>, place: &mut CellThread) {
        for _ in 0..course.sleeps {
            if let Some(Phase::Random { window }) = course.cell.conditions.phase {
                let spin = place.chance.below(u64::try_from(window.get()).unwrap_or(0));
                self.now = self.now.saturating_add(i64::try_from(spin).unwrap_or(0).saturating_mul(1_000));
            }
            let start = course.clock.read(&mut self.machine, self.now);
            let requested = request(course.cell.pattern, start, &mut place.chance);
            let has_deadline = course.absolute || matches!(course.cell.pattern, Pattern::Aligned { .. });
            let deadline = has_deadline.then(|| start.saturating_add(requested));
            let Some((end, resleeps)) = self.sleep(course, requested, deadline) else { return };
            let sample = sample(course, place.next, requested, deadline, (start, end));
            self.sink.slept(sample, resleeps);
            place.next += 1;
            self.now += course.between;
            self.bracket();
        }
    }

    /// Keeps an absolute schedule: period k is due at start + k × period. After a wake-up so late that later periods
    /// are over, these are not repeated: the schedule continues with the first deadline still ahead.
    fn periodic(&mut self, course: &Course<'_>, period: Nanos, place: &mut CellThread) {
        let period = period.max(Nanos::new(1));
        let begin = course.clock.read(&mut self.machine, self.now);
        let mut account = Periods { cell: course.cell.id, thread: course.thread, ..Periods::default() };
        let mut previous = begin;
        while account.asked < course.sleeps {
            let number = i64::try_from(account.asked + 1).unwrap_or(i64::MAX);
            let Some(deadline) = period.checked_mul(number).and_then(|due| begin.checked_add(due)) else {
                self.cut_off(course.cell, course.thread, Cut::Beyond, period);
                break;
            };
            let left = deadline.saturating_sub(previous).max(Nanos::ZERO);
            let Some((end, resleeps)) = self.sleep(course, left, Some(deadline)) else { break };
            let sequence = place.next.saturating_add(account.asked);
            let sample = sample(course, sequence, period, Some(deadline), (previous, end));
            self.sink.slept(sample, resleeps);
            enter(&mut account, end.saturating_sub(deadline), period, course.sleeps);
            previous = end;
            self.bracket();
        }
        place.next = place.next.saturating_add(account.asked);
        if self.sink.wants_notes() {
            self.sink.note(&Note { periods: vec![account], ..Note::default() });
        }
    }

    /// Makes one call. Returns the clock after it; if it does not end, records the cut and returns `None`.
    fn sleep(&mut self, course: &Course<'_>, requested: Nanos, deadline: Option<Nanos>) -> Option<(Nanos, u32)> {
        let left = self.now;
        let entered = left + course.call + course.entry;
        let yields = course.path == Path::Yield
            || requested <= Nanos::ZERO && self.machine.p.scheduler != super::Scheduler::Preempt;
        if yields {
            self.now = sched::yielded(&mut self.machine, course.busy, entered);
            return Some((course.clock.read(&mut self.machine, self.now), 0));
        }
        let deadline_ns = deadline
            .filter(|_| course.absolute)
            .map(|deadline| course.clock.kernel_ns(&mut self.machine, deadline, entered));
        let call = Call {
            path: course.path,
            request_ns: course.cell.row().map_or(requested, |row| row.rounded(requested)).get(),
            deadline_ns,
            slack: course.slack,
        };
        let (at, resleeps) = match sleep(&mut self.machine, entered, &call) {
            Wake::Hangs => {
                self.cut_off(course.cell, course.thread, Cut::Hangs, requested);
                return None;
            }
            Wake::Beyond => {
                self.cut_off(course.cell, course.thread, Cut::Beyond, requested);
                return None;
            }
            Wake::Ran { at, resleeps } => (sched::runs_at(&mut self.machine, course.busy, left, at), resleeps),
            Wake::Fired { at, resleeps } => {
                let runs = sched::runs_at(&mut self.machine, course.busy, left, at);
                (runs + self.machine.latency(at) + self.machine.idle_exit(at - entered), resleeps)
            }
        };
        if Machine::<S>::beyond(at) {
            self.cut_off(course.cell, course.thread, Cut::Beyond, requested);
            return None;
        }
        self.now = at;
        Some((course.clock.read(&mut self.machine, at), resleeps))
    }

    fn cut_off(&mut self, cell: &Cell, thread: u16, cut: Cut, requested: Nanos) {
        if self.cut.iter().any(|known| known.cell == cell.id && known.thread == thread) {
            return;
        }
        let cut = CutCell { cell: cell.id, thread, cut, requested };
        self.cut.push(cut);
        if self.sink.wants_notes() {
            self.sink.note(&note_of_cut(cell, &cut));
        }
    }

    /// Reads all clocks together, about once a second.
    fn bracket(&mut self) {
        if self.sink.wants_notes() && self.now >= self.bracket_due {
            self.bracket_due = self.now.saturating_add(PS_PER_S);
            let note = brackets(&mut self.machine, self.now);
            self.sink.note(&note);
        }
    }
}

fn sample(
    course: &Course<'_>,
    sequence: u64,
    requested: Nanos,
    deadline: Option<Nanos>,
    (start, end): (Nanos, Nanos),
) -> Sample {
    Sample {
        cell: course.cell.id,
        thread: course.thread,
        sequence,
        requested,
        deadline,
        start,
        end,
        cpu_start: Sample::NO_CPU,
        cpu_end: Sample::NO_CPU,
        flags: if sequence == 0 { Flags::FIRST } else { Flags::default() },
        ..Sample::BLANK
    }
}

/// Counts one wake-up of a schedule of `planned` periods that came `lateness` after its deadline.
fn enter(account: &mut Periods, lateness: Nanos, period: Nanos, planned: u64) {
    let over = u64::try_from(lateness.get() / period.get()).unwrap_or(0);
    account.fresh += u64::from(over == 0);
    account.late += u64::from(over > 0);
    account.early += u64::from(lateness < Nanos::ZERO);
    let skipped = over.min(planned - account.asked - 1);
    account.skipped += skipped;
    account.asked += 1 + skipped;
}

/// Returns the next request of a pattern, when the clock reads `now`.
fn request(pattern: Pattern, now: Nanos, chance: &mut Chance) -> Nanos {
    match pattern {
        Pattern::Fixed { requested } | Pattern::Periodic { period: requested } => requested,
        Pattern::Random { from, to } => {
            let span = u64::try_from(to.saturating_sub(from).get()).unwrap_or(0);
            let drawn = chance.below(span.saturating_add(1));
            from.saturating_add(Nanos::new(i64::try_from(drawn).unwrap_or(0)))
        }
        Pattern::Aligned { to } => {
            let to = to.get().max(1);
            Nanos::new(to - now.get().rem_euclid(to))
        }
    }
}

/// Returns readings of every clock at the same true time, which is one of the clocks: so drift is known, not estimated.
pub(crate) fn brackets<S: Scale>(m: &mut Machine<S>, t: Ps) -> Note {
    let monotonic = UserClock::new(ClockName::Monotonic, 1).read(m, t);
    let brackets = [ClockName::True, ClockName::Realtime, ClockName::MonotonicRaw]
        .map(|clock| Bracket {
            clock,
            monotonic,
            width: oversleep_sys::units::Nanos::ZERO,
            reading: UserClock::new(clock, 1).read(m, t),
        })
        .to_vec();
    Note { brackets, ..Note::default() }
}

/// Returns the conditions that a simulated kernel has.
pub(crate) fn obtained(cell: &Cell, thread: u16) -> Note {
    let asked = &cell.conditions;
    let conditions = Conditions {
        policy: asked.policy,
        nice: asked.nice,
        timer_slack: asked.timer_slack,
        load: asked.load,
        threads: asked.threads,
        // Caches do not cool in a simulated kernel.
        phase: asked.phase.filter(|phase| !matches!(phase, Phase::Warm { .. })),
        ..Conditions::default()
    };
    Note { obtained: vec![Obtained { cell: cell.id, thread, conditions }], ..Note::default() }
}

/// Returns a note about a cell that ended before its plan was complete.
fn note_of_cut(cell: &Cell, cut: &CutCell) -> Note {
    let (kind, why) = match cut.cut {
        Cut::Hangs => (
            "hangs",
            format!(
                "a sleep of {} was rounded to 0 ticks, which this kernel takes as for ever: the thread never wakes",
                cut.requested
            ),
        ),
        Cut::Beyond => {
            ("failed", format!("a sleep of {} ends after the 100 days a simulated machine lives", cut.requested))
        }
        Cut::NoMethod => ("unavailable", "the simulated kernel has no such call".to_owned()),
    };
    let what = format!("cell {} thread {}: {}", cut.cell, cut.thread, cell.method);
    let hung = HungSleep { cell: cut.cell, thread: cut.thread, requested: cut.requested };
    Note {
        unavailable: vec![Unobtained { what, kind: kind.to_owned(), why }],
        hung: if cut.cut == Cut::Hangs { vec![hung] } else { Vec::new() },
        ..Note::default()
    }
}
