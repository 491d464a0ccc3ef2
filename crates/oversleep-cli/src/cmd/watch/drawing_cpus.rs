//! Keeps the drawing thread off the processors on which sleeping threads wake up.
//!
//! Observed on Linux 6.18 with two processors, under FIFO 80 with the CPU latency held at 0: drawing on the sleeper's
//! own processor made its p99.9 17 µs later, since a write to a terminal cannot be interrupted everywhere in a kernel
//! that is not preemptible.

use oversleep_os::settings::{Guard, affinity};
use std::collections::BTreeSet;

/// The processors on which the calling thread may draw.
#[derive(Debug, Default)]
pub(super) struct DrawingCpus {
    /// Processors that the thread had before; `None` before the first call.
    allowed: Option<Vec<u32>>,
    /// Processors that it left last.
    left: BTreeSet<u16>,
}

impl DrawingCpus {
    /// Moves the calling thread off these processors, if it may use another one. Where threads cannot be moved, they
    /// stay where they are.
    pub(super) fn leave(&mut self, sleeping: &BTreeSet<u16>) {
        if sleeping.is_empty() || *sleeping == self.left {
            return;
        }
        self.left.clone_from(sleeping);
        let allowed = self.allowed.get_or_insert_with(|| affinity::read().unwrap_or_default());
        let _ = affinity::apply(&free(allowed, sleeping)).map(Guard::keep);
    }
}

/// Returns the processors of `allowed` on which no thread sleeps; all of them if that leaves none.
fn free(allowed: &[u32], sleeping: &BTreeSet<u16>) -> Vec<u32> {
    let free: Vec<u32> =
        allowed.iter().copied().filter(|&cpu| !sleeping.iter().any(|&taken| u32::from(taken) == cpu)).collect();
    if free.is_empty() { allowed.to_vec() } else { free }
}

#[cfg(test)]
mod tests {
    use super::free;
    use std::collections::BTreeSet;

    #[test]
    fn processors_of_sleepers_are_left_unless_there_are_no_others() {
        assert_eq!(free(&[0, 1, 3], &BTreeSet::from([1])), [0, 3]);
        assert_eq!(free(&[0, 1], &BTreeSet::from([0, 1, u16::MAX])), [0, 1]);
    }
}
