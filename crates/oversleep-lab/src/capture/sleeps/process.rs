//! Conditions of the whole process: locked memory, a latency hold, Windows' timer resolution and priority class,
//! exemption from throttling.

use super::condition_group::unobtained;
use oversleep_os::settings::{Guard, latency_hold, memory_lock, priority_class, throttling, timer_resolution};
use oversleep_recording::Note;
use oversleep_recording::plan::{Conditions, PriorityClass};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

/// Conditions in force for the process, until dropped.
pub(in crate::capture) struct ProcessWide {
    memory: Option<Guard<bool>>,
    unthrottled: Option<Guard<bool>>,
    hold: Switched<Nanos, Nanos>,
    resolution: Switched<Nanos, Nanos>,
    class: Switched<PriorityClass, PriorityClass>,
}

impl ProcessWide {
    /// Applies the conditions that stay for the whole run, if any cell asks for them: locked memory, no throttling.
    pub(in crate::capture) fn apply<'a>(conditions: impl Iterator<Item = &'a Conditions>, note: &mut Note) -> Self {
        let (mut lock, mut opt_out) = (false, false);
        for conditions in conditions {
            lock |= conditions.memory_locked == Some(true);
            opt_out |= conditions.unthrottled == Some(true);
        }
        let mut attempt = |what: &str, wanted: bool, apply: fn() -> Result<Guard<bool>, Refusal>| {
            let refused = |refusal: Refusal| note.unavailable.push(unobtained(what, &refusal));
            wanted.then(apply)?.map_err(refused).ok()
        };
        Self {
            memory: attempt("memory lock", lock, || memory_lock::apply(true)),
            unthrottled: attempt("no throttling", opt_out, throttling::opt_out),
            hold: Switched::default(),
            resolution: Switched::default(),
            class: Switched::default(),
        }
    }

    /// Applies what the next turn asks for, releases what it does not, and fills in what is in force.
    pub(in crate::capture) fn settle(&mut self, asked: &Conditions, obtained: &mut Conditions, note: &mut Note) {
        obtained.latency_hold = self.hold.to(asked.latency_hold, "latency hold", latency_hold::apply, note);
        let set = self.resolution.to(asked.timer_resolution, "timer resolution", timer_resolution::apply, note);
        obtained.timer_resolution = set.or_else(|| timer_resolution::read().ok().map(|now| now.in_force));
        let set = self.class.to(asked.priority_class, "priority class", priority_class::apply, note);
        obtained.priority_class = set.or_else(|| priority_class::read().ok());
        obtained.memory_locked = self.memory.as_ref().map(Guard::obtained).or_else(|| memory_lock::read().ok());
        obtained.unthrottled = self.unthrottled.as_ref().map(Guard::obtained);
    }
}

/// A setting that may differ from turn to turn.
struct Switched<A, T> {
    held: Option<(A, Guard<T>)>,
    /// Values that were refused, so that they are not tried again at every turn.
    refused: Vec<A>,
}

impl<A, T> Default for Switched<A, T> {
    fn default() -> Self {
        Self { held: None, refused: Vec::new() }
    }
}

impl<A: Copy + PartialEq, T: Clone> Switched<A, T> {
    /// Releases any other value, applies this one, and returns the value in force.
    fn to(
        &mut self,
        asked: Option<A>,
        what: &str,
        apply: fn(A) -> Result<Guard<T>, Refusal>,
        note: &mut Note,
    ) -> Option<T> {
        if self.held.as_ref().map(|(held, _)| *held) != asked {
            self.held = None;
            if let Some(asked) = asked.filter(|asked| !self.refused.contains(asked)) {
                match apply(asked) {
                    Ok(guard) => self.held = Some((asked, guard)),
                    Err(refusal) => {
                        note.unavailable.push(unobtained(what, &refusal));
                        self.refused.push(asked);
                    }
                }
            }
        }
        self.held.as_ref().map(|(_, guard)| guard.obtained())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halved(asked: i64) -> Result<Guard<i64>, Refusal> {
        if asked < 0 { Err(Refusal::Unavailable("below zero".into())) } else { Guard::new(Ok(asked / 2), || ()) }
    }

    #[test]
    fn a_setting_follows_the_turns_and_a_refusal_is_told_once() {
        let (mut switched, mut note) = (Switched::default(), Note::default());
        let mut to = |asked, note: &mut Note| switched.to(asked, "half", halved, note);
        assert_eq!(to(Some(8), &mut note), Some(4));
        assert_eq!(to(None, &mut note), None);
        assert_eq!(to(Some(-1), &mut note), None);
        assert_eq!(to(Some(2), &mut note), Some(1));
        assert_eq!(to(Some(-1), &mut note), None);
        assert_eq!(note.unavailable.len(), 1);
        assert_eq!(note.unavailable[0].why, "below zero");
    }
}
