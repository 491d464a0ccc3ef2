//! Takes samples and notes as they come, and keeps sums alone.

use super::rounds::{Rounds, parts};
use crate::attribution::{Breakdown, Owner, PartKind, TimedSleep, culprit_name, join};
use oversleep_recording::document::attach::{Attached, LateCulprit};
use oversleep_recording::trace::ThreadCounters;
use oversleep_recording::{AttachTier, Note, Sample, Sink, TracedSleeps};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, VecDeque};

/// Gathers what is said of a program's waits.
#[derive(Debug, Default)]
pub struct Gather {
    threads: BTreeMap<(u32, u16), ThreadWaits>,
    culprits: BTreeMap<String, LateCulprit>,
    note: Note,
}

/// The waits of one thread in one call.
#[derive(Debug, Default)]
pub(super) struct ThreadWaits {
    pub(super) rounds: Rounds,
    pub(super) split: PartSums,
    /// Samples whose events have not come yet.
    waiting: VecDeque<Sample>,
    /// Events whose samples have not come yet: of a file, they come before or after them.
    blocks: VecDeque<TracedSleeps>,
}

/// Sums of the parts of lateness.
#[derive(Debug, Default)]
pub(super) struct PartSums {
    pub(super) complete: u64,
    pub(super) partial: u64,
    pub(super) time: BTreeMap<PartKind, Nanos>,
    pub(super) owners: BTreeMap<(PartKind, String), Nanos>,
}

impl Gather {
    /// Returns the document; `None` if no program is known.
    pub fn document(&self) -> Option<Attached> {
        let program = self.note.attached.clone()?;
        let mut culprits: Vec<LateCulprit> = self.culprits.values().cloned().collect();
        culprits.sort_by_key(|culprit| std::cmp::Reverse(culprit.time));
        let threads = &self.note.attached_threads;
        let mut loops: Vec<_> = self
            .threads
            .iter()
            .filter_map(|((cell, number), waits)| {
                let known = threads.iter().find(|thread| (thread.cell, thread.thread) == (*cell, *number))?;
                waits.rounds.of_thread(known, parts(&waits.split))
            })
            .collect();
        loops.sort_by_key(|found| std::cmp::Reverse(found.rounds));
        let sum = |of: fn(&PartSums) -> u64| self.threads.values().map(|waits| of(&waits.split)).sum();
        Some(Attached {
            program,
            threads: threads.clone(),
            loops,
            culprits,
            separated: sum(|split| split.complete),
            not_separated: sum(|split| split.partial),
        })
    }

    /// Splits the lateness of waits whose samples and events are both there.
    fn split(&mut self, key: (u32, u16)) {
        let Some(thread) = self.threads.get_mut(&key) else { return };
        while let Some(block) = thread.blocks.front() {
            let end = block.first.saturating_add(block.sleeps);
            if thread.waiting.back().is_none_or(|last| last.sequence + 1 < end) {
                return;
            }
            let Some(block) = thread.blocks.pop_front() else { return };
            let mut sleeps = Vec::new();
            let past = thread.waiting.partition_point(|sample| sample.sequence < end);
            for sample in thread.waiting.drain(..past) {
                if sample.sequence >= block.first {
                    sleeps.push(TimedSleep::from_sample(&sample, None, None, ThreadCounters::default()));
                }
            }
            let (breakdowns, _) = join::join(&block.events, &block.own.switches, block.tid, &sleeps);
            for breakdown in &breakdowns {
                thread.split.add(breakdown);
                blame(&mut self.culprits, breakdown);
            }
        }
    }
}

impl Sink for Gather {
    fn samples(&mut self, batch: &[Sample]) {
        let traced = self.note.attached.as_ref().is_none_or(|program| program.tier == AttachTier::Events);
        for sample in batch {
            let thread = self.threads.entry((sample.cell, sample.thread)).or_default();
            thread.rounds.add(sample);
            if traced {
                thread.waiting.push_back(*sample);
            }
        }
        let keys: Vec<_> = self.threads.keys().copied().collect();
        for key in keys {
            self.split(key);
        }
    }

    fn note(&mut self, note: &Note) {
        for block in &note.traced_sleeps {
            let key = (block.cell, block.thread);
            self.threads.entry(key).or_default().blocks.push_back(block.clone());
            self.split(key);
        }
        self.note.absorb(Note {
            attached: note.attached.clone(),
            attached_threads: note.attached_threads.clone(),
            ..Note::default()
        });
    }
}

impl PartSums {
    fn add(&mut self, breakdown: &Breakdown) {
        if !breakdown.is_complete() {
            self.partial += 1;
            return;
        }
        self.complete += 1;
        // Until the call began, what came after a deadline was work of the loop.
        for part in breakdown.parts.iter().filter(|part| part.kind != PartKind::ArmedLate) {
            *self.time.entry(part.kind).or_default() += part.time;
            for (owner, time) in part.owners.iter().filter(|(owner, _)| is_culprit(owner)) {
                *self.owners.entry((part.kind, culprit_name(owner))).or_default() += *time;
            }
        }
    }
}

/// Adds what each culprit took of one wait.
fn blame(culprits: &mut BTreeMap<String, LateCulprit>, breakdown: &Breakdown) {
    let mut of_wait: BTreeMap<String, Nanos> = BTreeMap::new();
    // Nobody delays a wait during its slack.
    let parts = breakdown.parts.iter().filter(|part| part.kind != PartKind::Slack && breakdown.is_complete());
    for (owner, time) in parts.flat_map(|part| &part.owners).filter(|(owner, _)| is_culprit(owner)) {
        *of_wait.entry(culprit_name(owner)).or_default() += *time;
    }
    for (name, time) in of_wait {
        let known = culprits.entry(name.clone()).or_insert(LateCulprit {
            name,
            waits: 0,
            time: Nanos::ZERO,
            worst: Nanos::ZERO,
        });
        known.waits += 1;
        known.time += time;
        known.worst = known.worst.max(time);
    }
}

/// Returns whether an owner of the processor is somebody: not the idle loop, from which a wake-up takes a while, and not the
/// thread itself.
fn is_culprit(owner: &Owner) -> bool {
    !matches!(owner, Owner::Idle(_) | Owner::Sleeper | Owner::Unknown)
}
