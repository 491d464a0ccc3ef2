//! Finds stalls of several processors at the same time.

use oversleep_sys::units::Nanos;

/// The processor of a stall, and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The processor.
    pub cpu: u32,
    /// Its beginning.
    pub from: Nanos,
    /// Its end.
    pub until: Nanos,
}

/// Returns, for each span, the other processors that stalled at the same time, in ascending order.
///
/// The same time means that two spans have at least half of the shorter one in common. What stops the whole machine
/// (its host, a system-management interrupt) stops all processors within a fraction of its length; stalls of different
/// causes overlap as much only by chance.
pub fn together(spans: &[Span]) -> Vec<Vec<u32>> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&at| spans[at].from);
    let mut with = vec![Vec::new(); spans.len()];
    let mut open: Vec<usize> = Vec::new();
    for &now in &order {
        open.retain(|&before| spans[before].until > spans[now].from);
        for &before in &open {
            if spans[before].cpu != spans[now].cpu && overlap(&spans[before], &spans[now]) {
                with[before].push(spans[now].cpu);
                with[now].push(spans[before].cpu);
            }
        }
        open.push(now);
    }
    for cpus in &mut with {
        cpus.sort_unstable();
        cpus.dedup();
    }
    with
}

fn overlap(a: &Span, b: &Span) -> bool {
    let common = a.until.min(b.until) - a.from.max(b.from);
    let shorter = (a.until - a.from).min(b.until - b.from);
    common > Nanos::ZERO && common.get() >= shorter.get() - common.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(cpu: u32, from: i64, until: i64) -> Span {
        Span { cpu, from: Nanos::new(from), until: Nanos::new(until) }
    }

    #[test]
    fn half_of_the_shorter_one_is_enough_and_less_is_not() {
        let spans = [span(1, 0, 100), span(2, 80, 120), span(3, 81, 121)];
        assert_eq!(together(&spans), [vec![2], vec![1, 3], vec![2]]);
    }

    #[test]
    fn a_stop_of_the_whole_machine_is_seen_on_each_processor() {
        let spans = [span(3, 1_002, 2_000), span(1, 1_000, 2_001), span(2, 999, 1_990), span(1, 5_000, 5_010)];
        assert_eq!(together(&spans), [vec![1, 2], vec![2, 3], vec![1, 3], vec![]]);
    }

    #[test]
    fn one_processor_is_never_together_with_itself() {
        assert_eq!(together(&[span(1, 0, 10), span(1, 5, 15)]), [vec![], Vec::<u32>::new()]);
        assert!(together(&[]).is_empty());
    }
}
