//! Gives each thread name and call a cell, and writes waits as samples with the events around them.

use super::counted::Counted;
use super::evidence::History;
use super::{Ended, Wait};
use oversleep_os::program;
use oversleep_recording::plan::{Cell, Pattern};
use oversleep_recording::trace::{KernelEvents, Tier};
use oversleep_recording::{AttachedThread, Flags, Missing, Note, Sample, Sink, SleepCost, TracedSleeps, Tracing};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, HashMap};

/// Number of waits after which a cell's requests are taken as known.
const ENOUGH: usize = 20;
/// How long waits are held until then.
const HOLD: Nanos = Nanos::SECOND;

/// Makes samples of waits.
pub(super) struct Recorder {
    names: HashMap<i32, String>,
    processes: HashMap<i32, i32>,
    cells: BTreeMap<(String, String), CellState>,
    known: u32,
    /// Number of waits of each thread.
    timed: HashMap<i32, u64>,
    /// The events that the kernel lacks; `None` if none are recorded.
    missing: Option<Vec<Missing>>,
}

/// A cell, which has no number before its requests are known.
#[derive(Default)]
struct CellState {
    id: Option<u32>,
    threads: BTreeMap<i32, ThreadState>,
    /// Requests of all waits until then, those that ended earlier too.
    requests: Vec<Nanos>,
    held: Vec<Held>,
}

/// Waits of one thread, in order, with the events around them.
struct Held {
    tid: i32,
    waits: Vec<Wait>,
    events: Option<KernelEvents>,
}

struct ThreadState {
    number: u16,
    samples: u64,
    pid: i32,
    by_event: u64,
    by_signal: u64,
    changed: bool,
}

impl Recorder {
    pub(super) fn new(missing: Option<Vec<Missing>>) -> Self {
        Self {
            names: HashMap::new(),
            processes: HashMap::new(),
            cells: BTreeMap::new(),
            known: 0,
            timed: HashMap::new(),
            missing,
        }
    }

    /// Learns the process of a thread.
    pub(super) fn process(&mut self, tid: i32, pid: i32) {
        self.processes.insert(tid, pid);
    }

    /// Learns the present name of a thread.
    pub(super) fn name(&mut self, tid: i32, name: &str) {
        if self.names.get(&tid).is_none_or(|known| known != name) {
            self.names.insert(tid, name.to_owned());
        }
    }

    /// Takes waits in order of their ends, and the events around them if there are any.
    pub(super) fn waits(&mut self, waits: Vec<Wait>, history: Option<&History>) {
        let mut groups: BTreeMap<(String, String, i32), Vec<Wait>> = BTreeMap::new();
        for wait in waits {
            *self.timed.entry(wait.tid).or_default() += 1;
            let name = self.names.get(&wait.tid).cloned().unwrap_or_else(|| wait.tid.to_string());
            groups.entry((name, wait.call.to_string(), wait.tid)).or_default().push(wait);
        }
        for ((name, call, tid), waits) in groups {
            let cell = self.cells.entry((name, call)).or_default();
            let next = u16::try_from(cell.threads.len()).unwrap_or(u16::MAX);
            let thread = cell.threads.entry(tid).or_insert_with(|| ThreadState {
                number: next,
                samples: 0,
                pid: self.processes.get(&tid).copied().or_else(|| program::process_of(tid)).unwrap_or(tid),
                by_event: 0,
                by_signal: 0,
                changed: true,
            });
            let count = |ended: Ended| waits.iter().filter(|wait| wait.ended == ended).count() as u64;
            let (by_event, by_signal) = (count(Ended::Event), count(Ended::Signal));
            thread.by_event += by_event;
            thread.by_signal += by_signal;
            thread.changed |= by_event + by_signal > 0;
            if cell.id.is_none() {
                cell.requests.extend(waits.iter().map(Wait::requested));
            }
            let over: Vec<Wait> = waits.into_iter().filter(|wait| wait.ended == Ended::Time).collect();
            let events = history.map(|history| history.around(&over.iter().collect::<Vec<_>>()));
            cell.held.push(Held { tid, waits: over, events });
        }
    }

    /// Returns how many waits of a thread were taken.
    pub(super) fn timed(&self, tid: i32) -> u64 {
        self.timed.get(&tid).copied().unwrap_or(0)
    }

    /// Returns what each thread of each cell took of the processor a wait: for all its calls together.
    pub(super) fn costs(&self, counted: &Counted) -> Vec<SleepCost> {
        let known = self.cells.values().filter_map(|cell| Some((cell.id?, cell)));
        let all = known.flat_map(|(id, cell)| cell.threads.iter().map(move |(tid, thread)| (id, thread.number, *tid)));
        all.filter_map(|(cell, thread, tid)| Some(SleepCost { cell, thread, ..counted.cost(tid)? })).collect()
    }

    /// Writes the samples of cells whose requests are known; of all, if this is the end.
    pub(super) fn flush(&mut self, now: Nanos, end: bool, sink: &mut dyn Sink) {
        for ((name, call), cell) in &mut self.cells {
            if cell.id.is_none() {
                let waits: Vec<&Wait> = cell.held.iter().flat_map(|held| &held.waits).collect();
                let first = waits.iter().map(|wait| wait.end).min();
                let old = first.is_some_and(|first| now.saturating_sub(first) >= HOLD);
                if !(end || old || waits.len() >= ENOUGH) {
                    continue;
                }
                sink.cell(&Cell::new(
                    self.known,
                    format!("{name}: {call}"),
                    pattern(std::mem::take(&mut cell.requests)),
                ));
                let tracing = self.missing.clone().map(|missing| Tracing {
                    cell: self.known,
                    tier: Tier::Events,
                    own_switches: false,
                    refused: Vec::new(),
                    missing,
                    conditions_refused: Vec::new(),
                    ended: None,
                });
                sink.note(&Note { tracing: tracing.into_iter().collect(), ..Note::default() });
                cell.id = Some(self.known);
                self.known += 1;
            }
            let Some(id) = cell.id else { continue };
            for held in std::mem::take(&mut cell.held) {
                if let Some(thread) = cell.threads.get_mut(&held.tid) {
                    write(id, thread, held, sink);
                }
            }
            let changed = cell.threads.iter_mut().filter(|(_, thread)| thread.changed);
            let attached_threads: Vec<AttachedThread> = changed
                .map(|(tid, thread)| {
                    thread.changed = false;
                    AttachedThread {
                        cell: id,
                        thread: thread.number,
                        tid: *tid,
                        pid: thread.pid,
                        name: name.clone(),
                        call: call.clone(),
                        by_event: thread.by_event,
                        by_signal: thread.by_signal,
                    }
                })
                .collect();
            if !attached_threads.is_empty() {
                sink.note(&Note { attached_threads, ..Note::default() });
            }
        }
    }
}

/// Writes waits of one thread as samples, then the events around them.
fn write(cell: u32, thread: &mut ThreadState, held: Held, sink: &mut dyn Sink) {
    let first = thread.samples;
    let samples: Vec<Sample> = held
        .waits
        .iter()
        .zip(first..)
        .map(|(wait, sequence)| Sample {
            cell,
            thread: thread.number,
            sequence,
            requested: wait.requested(),
            deadline: Some(wait.deadline),
            start: wait.start,
            end: wait.end,
            cpu_start: wait.cpu_start,
            cpu_end: wait.cpu_end,
            flags: if sequence == 0 { Flags::FIRST } else { Flags::default() },
            ..Sample::BLANK
        })
        .collect();
    if samples.is_empty() {
        return;
    }
    let sleeps = samples.len() as u64;
    thread.samples += sleeps;
    sink.samples(&samples);
    let Some(events) = held.events else { return };
    let traced =
        TracedSleeps { cell, thread: thread.number, tid: held.tid, first, sleeps, events, ..TracedSleeps::default() };
    sink.note(&Note { traced_sleeps: vec![traced], ..Note::default() });
}

/// Returns the pattern of requests: one duration if nine in ten differ from their median by less than a hundredth, else the
/// range. Of a few waits the range is only that of those few; each sample has its own request.
fn pattern(mut requests: Vec<Nanos>) -> Pattern {
    requests.sort_unstable();
    let (Some(&shortest), Some(&longest)) = (requests.first(), requests.last()) else {
        return Pattern::fixed(Nanos::ZERO);
    };
    let median = requests[requests.len() / 2];
    let is_near = |asked: &&Nanos| (**asked - median).abs().get() <= median.get() / 100;
    let same = requests.iter().filter(is_near).count();
    if same * 10 >= requests.len() * 9 {
        Pattern::fixed(round(median))
    } else {
        Pattern::Random { from: shortest, to: longest }
    }
}

/// Rounds to three digits: times until a deadline differ by the time between the program's clock reading and its call.
fn round(time: Nanos) -> Nanos {
    let mut step = 1;
    while time.get() / step >= 1_000 {
        step *= 10;
    }
    Nanos::new((time.get() + step / 2) / step * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_requests_are_one_and_others_a_range() {
        let pattern_of = |requests: &[i64]| pattern(requests.iter().copied().map(Nanos::new).collect());
        assert_eq!(pattern_of(&[4_994_000, 4_996_100, 4_996_500]), Pattern::fixed(Nanos::from_millis(5)));
        let range = Pattern::Random { from: Nanos::new(1_000_000), to: Nanos::new(9_000_000) };
        assert_eq!(pattern_of(&[1_000_000, 9_000_000, 5_000_000]), range);
        assert_eq!(pattern_of(&[]), Pattern::fixed(Nanos::ZERO));
    }
}
