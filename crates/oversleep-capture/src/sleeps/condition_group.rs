//! Groups of threads with the same conditions.

use super::ring::{self, RingConsumer};
use super::worker::{Answer, Command, Worker};
use crate::late::Counting;
use oversleep_recording::plan::{Cell, Conditions, Plan, Turn};
use oversleep_recording::{Note, Sample, Unobtained, Wakes};
use oversleep_sys::Refusal;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Sender};

/// The cells with the same conditions, and the threads that sleep in them.
pub(super) struct ConditionGroup {
    pub(super) conditions: Conditions,
    cells: Vec<Cell>,
    threads: Vec<SleeperThread>,
    /// Cells whose method is unavailable under these conditions.
    refused: HashSet<u32>,
}

/// Numbers of wake-ups and losses in a collection.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Collected {
    /// Number of wake-ups passed on.
    pub(super) wakes: u64,
    /// Number of samples and wake-ups that were lost because a ring was full.
    pub(super) lost: u64,
}

/// The coordinator's ends of the channels to one thread.
struct SleeperThread {
    commands: Sender<Command>,
    consumer: RingConsumer,
}

impl ConditionGroup {
    /// Groups the plan's cells by conditions, in the order in which these first appear.
    pub(super) fn group_cells(plan: &Plan) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for cell in &plan.cells {
            match groups.iter_mut().find(|group| group.conditions == cell.conditions) {
                Some(group) => group.cells.push(cell.clone()),
                None => groups.push(Self {
                    conditions: cell.conditions.clone(),
                    cells: vec![cell.clone()],
                    threads: Vec::new(),
                    refused: HashSet::new(),
                }),
            }
        }
        groups
    }

    /// Starts the threads, which apply their conditions and open their methods at once.
    pub(super) fn start(
        &mut self,
        plan: &Plan,
        stop: &Arc<AtomicBool>,
        counting: Option<&Counting>,
        answers: &Sender<Answer>,
    ) -> std::io::Result<()> {
        let mut longest: HashMap<u32, u64> = HashMap::new();
        for turn in &plan.turns {
            let seen = longest.entry(turn.cell).or_default();
            *seen = turn.sleeps.max(*seen);
        }
        for thread in 0..self.conditions.threads.unwrap_or(1).max(1) {
            let (commands, orders) = mpsc::channel();
            let (producer, consumer) =
                ring::ring(thread, self.cells.iter().map(|cell| (cell, longest.get(&cell.id).copied().unwrap_or(0))));
            let worker = Worker {
                thread,
                seed: plan.seed,
                producer,
                stop: Arc::clone(stop),
                counting: counting.cloned(),
                answers: answers.clone(),
            };
            std::thread::Builder::new().name(format!("sleeper-{thread}")).spawn(move || worker.work(&orders))?;
            let _ = commands.send(Command::Open(self.cells.clone()));
            self.threads.push(SleeperThread { commands, consumer });
        }
        Ok(())
    }

    /// Returns the number of threads.
    pub(super) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Adds what a thread reported when it was ready. Each refusal is noted once, whatever the number of threads.
    pub(super) fn ready(&mut self, refused: &[(String, Refusal)], methods: Vec<(u32, Refusal)>, note: &mut Note) {
        let mut tell = |what: &str, refusal: &Refusal| {
            let entry = unobtained(what, refusal);
            if !note.unavailable.contains(&entry) {
                note.unavailable.push(entry);
            }
        };
        for (what, refusal) in refused {
            tell(what, refusal);
        }
        for (cell, refusal) in methods {
            let method = self.cells.iter().find(|known| known.id == cell).map(|known| known.method.clone());
            tell(&method.unwrap_or_default(), &refusal);
            self.refused.insert(cell);
        }
    }

    /// Returns whether this group has the cell, and its method is available.
    pub(super) fn sleeps_in(&self, cell: u32) -> bool {
        self.cells.iter().any(|known| known.id == cell) && !self.refused.contains(&cell)
    }

    /// Starts a turn on all threads.
    pub(super) fn turn(&self, turn: Turn) {
        for thread in &self.threads {
            let _ = thread.commands.send(Command::Turn(turn));
        }
    }

    /// Returns whether some thread's ring could overflow in the next turn if it is not emptied before.
    pub(super) fn half_full(&self) -> bool {
        self.threads.iter().any(|thread| thread.consumer.half_full())
    }

    /// Moves the waiting samples to the end of `into`, and passes wake-ups of schedules to `wakes`.
    pub(super) fn collect(&mut self, into: &mut Vec<Sample>, wakes: &mut dyn FnMut(&Wakes)) -> Collected {
        let mut collected = Collected::default();
        for thread in &mut self.threads {
            thread.consumer.drain(into);
            collected.wakes += thread.consumer.follow(wakes);
            collected.lost += thread.consumer.take_lost();
        }
        collected
    }
}

/// Converts a refusal to the form in which recordings hold it.
pub(crate) fn unobtained(what: &str, refusal: &Refusal) -> Unobtained {
    Unobtained { what: what.to_owned(), kind: refusal.kind().to_owned(), why: refusal.reason().to_owned() }
}
