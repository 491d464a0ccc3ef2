//! Which of two ways to sleep makes fewer sleeps late.

/// Number of sleeps in each half of a comparison: the usual way, then the other.
const BLOCK: u32 = 128;
/// Number of sleeps for which the result of a comparison is kept, at most. At first the other way is kept for
/// [`KEPT_FIRST`], and each time that it proves better again, for twice as many.
const KEPT: u32 = 4_096;
const KEPT_FIRST: u32 = 256;
/// The other way is kept if it makes at most one sleep late for this many of the usual way: unless the usual way prevents
/// a quarter.
const GAIN: f64 = 0.75;

/// Decides for each sleep between a usual way and another, which is tried where more sleeps are late than should be,
/// and kept for a while if fewer are late with it than before and after: a burst of late sleeps that ends by itself
/// proves nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comparison {
    /// Number of late sleeps in a block from which the other way is tried.
    many: u32,
    /// Number of sleeps for which the other way is kept next.
    kept: u32,
    phase: Phase,
    sleeps: u32,
    late: u32,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    /// Sleeps in the usual way, and counts the late sleeps of each block; ends as soon as there are more than the other
    /// way made late, if that was tried.
    Watching { too_many: Option<u32> },
    /// Sleeps in the other way for a block, and ends as soon as more are late than in the block before.
    Trying { late_before: u32 },
    /// Sleeps in the other way, because it is better.
    Other,
    /// Sleeps in the usual way, because the other is not better.
    Usual,
}

impl Comparison {
    /// Compares a requested share with what the default gets, which costs less. The default is tried where more sleeps
    /// are late than three standard deviations of the allowed number explain, and the five that a sudden load makes
    /// late until it is followed; it is kept unless trying to keep the share prevents a quarter of its late sleeps.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 5 to 86
    pub(super) fn promise(share: f64) -> Self {
        let allowed = f64::from(BLOCK) * (1.0 - share);
        let many = (allowed + 3.0 * (allowed * share).sqrt() + 5.0).ceil() as u32;
        Self { many, kept: KEPT_FIRST, phase: Phase::Watching { too_many: None }, sleeps: 0, late: 0 }
    }

    /// Returns whether to sleep in the other way next.
    pub(super) fn is_other(self) -> bool {
        matches!(self.phase, Phase::Trying { .. } | Phase::Other)
    }

    /// Learns whether a sleep was late.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 512
    pub(super) fn learn(&mut self, late: bool) {
        self.sleeps += 1;
        self.late += u32::from(late);
        let late = self.late;
        let is_over = self.sleeps
            >= match self.phase {
                Phase::Other => self.kept,
                Phase::Usual => KEPT,
                Phase::Watching { .. } | Phase::Trying { .. } => BLOCK,
            };
        match self.phase {
            Phase::Watching { too_many: Some(too_many) } if late >= too_many => self.enter(Phase::Other),
            Phase::Trying { late_before } if f64::from(late) * GAIN > f64::from(late_before) => {
                self.enter(Phase::Usual);
            }
            _ if !is_over => {}
            Phase::Watching { too_many: None } if late >= self.many => self.enter(Phase::Trying { late_before: late }),
            Phase::Watching { .. } => {
                self.kept = KEPT_FIRST;
                self.enter(if late >= self.many { Phase::Usual } else { Phase::Watching { too_many: None } });
            }
            Phase::Usual => self.enter(Phase::Watching { too_many: None }),
            Phase::Trying { .. } | Phase::Other => {
                if let Phase::Other = self.phase {
                    self.kept = KEPT.min(2 * self.kept);
                }
                let in_a_block = (f64::from(late * BLOCK / self.sleeps) * GAIN) as u32;
                self.enter(Phase::Watching { too_many: Some(self.many.max(in_a_block + 1)) });
            }
        }
    }

    fn enter(&mut self, phase: Phase) {
        (self.phase, self.sleeps, self.late) = (phase, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many of `sleeps` go the other way, where every `n`th is late in the usual way, and every `m`th in
    /// the other.
    fn other(comparison: &mut Comparison, sleeps: u32, n: u32, m: u32) -> u32 {
        let once = |sleep| {
            let is_other = comparison.is_other();
            comparison.learn(sleep % if is_other { m } else { n } == 0);
            u32::from(is_other)
        };
        (1..=sleeps).map(once).sum()
    }

    #[test]
    fn a_rare_delay_changes_nothing() {
        assert_eq!(other(&mut Comparison::promise(0.99), 10_000, 20, u32::MAX), 0);
        assert_eq!(other(&mut Comparison::promise(0.5), 10_000, 2, u32::MAX), 0);
    }

    #[test]
    fn where_the_other_way_is_better_it_is_taken_nearly_always() {
        let taken = other(&mut Comparison::promise(0.99), 20_000, 3, 5);
        assert!(taken > 19_000, "{taken}");
    }

    #[test]
    fn where_the_other_way_is_no_better_it_is_seldom_tried() {
        let taken = other(&mut Comparison::promise(0.99), 20_000, 5, 3);
        assert!((BLOCK..20_000 / 12).contains(&taken), "{taken}");
    }

    #[test]
    fn a_load_that_ends_is_noticed() {
        let mut comparison = Comparison::promise(0.99);
        other(&mut comparison, 1_000, 3, u32::MAX);
        assert!(other(&mut comparison, 10_000, u32::MAX, u32::MAX) <= KEPT);
    }

    /// A host that is busy for a moment makes many sleeps late, and the default is tried just when that is over.
    #[test]
    fn a_burst_of_late_sleeps_proves_nothing() {
        let mut comparison = Comparison::promise(0.99);
        let taken: u32 = (0..20).map(|_| other(&mut comparison, 128, 2, 3) + other(&mut comparison, 872, 100, 3)).sum();
        assert!(taken < 20_000 / 4, "{taken}");
        let mut comparison = Comparison::promise(0.99);
        let taken = other(&mut comparison, 128, 2, 3) + other(&mut comparison, 9_872, 100, 3);
        assert_eq!(taken, BLOCK);
    }
}
