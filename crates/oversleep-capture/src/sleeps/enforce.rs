//! Applies conditions to the calling thread.

use oversleep_os::settings::{Guard, Setting, of_scope};
use oversleep_recording::plan::{Conditions, Scope, Value};
use oversleep_sys::Refusal;

/// Conditions in force on this thread, until dropped.
pub(crate) struct Enforced {
    held: Vec<(&'static str, Guard<Value>)>,
    refused: Vec<(String, Refusal)>,
}

/// Releases settings in reverse order: a thread under `SCHED_DEADLINE` may change nothing but its policy.
impl Drop for Enforced {
    fn drop(&mut self) {
        while self.held.pop().is_some() {}
    }
}

impl Enforced {
    /// Applies the conditions that are available; [`Enforced::refused`] lists the rest.
    pub(crate) fn apply(asked: &Conditions, thread: u16) -> Self {
        Self::with(asked, thread, |setting| setting.apply)
    }

    /// Applies the conditions on a thread that ends with them, and therefore need not be able to leave them.
    pub(crate) fn for_life(asked: &Conditions, thread: u16) -> Self {
        Self::with(asked, thread, |setting| setting.apply_for_life)
    }

    fn with(
        asked: &Conditions,
        thread: u16,
        how: impl Fn(&Setting) -> fn(&Value) -> Result<Guard<Value>, Refusal>,
    ) -> Self {
        let cpus = asked.affinity.as_ref().map(|cpus| share(cpus, asked.one_cpu_each == Some(true), thread));
        let asked = Conditions { affinity: cpus, ..asked.clone() };
        let (mut held, mut refused) = (Vec::new(), Vec::new());
        for (row, setting) in of_scope(Scope::Thread) {
            match row.get(&asked).map(|value| how(setting)(&value)) {
                Some(Ok(guard)) => held.push((row.key, guard)),
                Some(Err(refusal)) => refused.push((row.name.to_owned(), refusal)),
                None => {}
            }
        }
        Self { held, refused }
    }

    /// Returns the conditions in force on the calling thread, read back from the system.
    pub(crate) fn read_back(&self) -> Conditions {
        let mut conditions = Conditions::default();
        for (row, setting) in of_scope(Scope::Thread) {
            let guard = self.held.iter().find(|(key, _)| *key == row.key).map(|(_, guard)| guard);
            setting.in_force(guard).iter().for_each(|value| row.set(&mut conditions, value));
        }
        conditions
    }

    /// Returns the conditions that were refused, with reasons.
    pub(crate) fn refused(&self) -> &[(String, Refusal)] {
        &self.refused
    }
}

/// Returns all of the processors, or only this thread's own.
fn share(cpus: &[u32], one_each: bool, thread: u16) -> Vec<u32> {
    if !one_each || cpus.is_empty() {
        return cpus.to_vec();
    }
    vec![cpus[usize::from(thread) % cpus.len()]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_shared_or_dealt_out_in_turn() {
        assert_eq!(share(&[3, 5], false, 1), [3, 5]);
        assert_eq!((0..4).map(|thread| share(&[3, 5], true, thread)).collect::<Vec<_>>(), [[3], [5], [3], [5]]);
        assert_eq!(share(&[], true, 1), [0_u32; 0]);
    }
}
