//! Conditions that only a whole process can have: locked memory, a latency hold.

use super::group::unobtained;
use oversleep_os::settings::{Guard, latency_hold, memory_lock};
use oversleep_recording::Note;
use oversleep_recording::plan::Conditions;
use oversleep_sys::units::Nanos;

/// The process's own conditions, until dropped.
pub(in crate::capture) struct ProcessWide {
    memory: Option<Guard<bool>>,
    hold: Option<(Nanos, Guard<Nanos>)>,
    /// A hold that was refused is not asked for again at every turn.
    refused: Option<Nanos>,
}

impl ProcessWide {
    /// Locks memory if any condition asks for it: it cannot be locked for some threads alone.
    pub(in crate::capture) fn apply<'a>(mut conditions: impl Iterator<Item = &'a Conditions>, note: &mut Note) -> Self {
        let memory =
            conditions.any(|conditions| conditions.memory_locked == Some(true)).then(|| memory_lock::apply(true));
        let memory = match memory {
            Some(Ok(guard)) => Some(guard),
            Some(Err(refusal)) => {
                note.unavailable.push(unobtained("memory lock", &refusal));
                None
            }
            None => None,
        };
        Self { memory, hold: None, refused: None }
    }

    /// Whether memory is locked, as the system says.
    pub(in crate::capture) fn memory_locked(&self) -> Option<bool> {
        self.memory.as_ref().map(Guard::obtained).or_else(|| memory_lock::read().ok())
    }

    /// Holds the latency that the next turn asks for, and lets go of any other. Says what is held.
    pub(in crate::capture) fn hold(&mut self, asked: Option<Nanos>, note: &mut Note) -> Option<Nanos> {
        if self.hold.as_ref().map(|(held, _)| *held) != asked {
            self.hold = None;
            if let Some(asked) = asked.filter(|&asked| self.refused != Some(asked)) {
                match latency_hold::apply(asked) {
                    Ok(guard) => self.hold = Some((asked, guard)),
                    Err(refusal) => {
                        note.unavailable.push(unobtained("latency hold", &refusal));
                        self.refused = Some(asked);
                    }
                }
            }
        }
        self.hold.as_ref().map(|(_, guard)| guard.obtained())
    }
}
