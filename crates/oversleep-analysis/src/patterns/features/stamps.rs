//! Recognises coarse time stamps: a property of the clock that was read, not of the sleeps.

use crate::patterns::features::group::Sleep;

/// Least lead, in nats, of a clock that moves at ticks over truncated stamps, by the number of steps of each sleep.
const BEYOND: f64 = 8.0;
/// Steps at least this long, in ns, are longer than any cost of waking.
const LONG: f64 = 500_000.0;
/// A request this near to whole steps, in steps, is not evidence by itself: the cost of a wake-up decides.
const NEAR: f64 = 0.1;

/// Returns whether sleeps timed in these steps (ns) are those of a kernel that ends them at the clock's own ticks,
/// always rounded up. Stamps that are merely truncated would show some sleeps as too short.
///
/// On truncated stamps, a sleep of `r` that ends when due takes floor(r / step) steps or one more; the share of the
/// latter is the fraction of `r` beyond whole steps.
pub(super) fn ends_at_steps(sleeps: &[Sleep], step: f64) -> bool {
    let mut gain = 0.0;
    let (mut whole, mut beyond) = (0, 0);
    for sleep in sleeps {
        let asked = sleep.requested / step;
        let part = asked - asked.floor();
        if !(NEAR..=1.0 - NEAR).contains(&part) {
            whole += 1;
            beyond += usize::from(((sleep.end - sleep.start) / step).round() > asked.round());
            continue;
        }
        let took = ((sleep.end - sleep.start) / step).round();
        gain += match took - asked.floor() {
            by if by < 0.5 => -BEYOND,
            by if by < 1.5 => -part.ln(),
            _ => 1.0,
        };
    }
    // Requests of whole steps that nearly always take one more: if the step is long, no wake-up costs as much.
    if step >= LONG && beyond * 10 >= whole * 9 {
        gain += beyond as f64;
    }
    gain > BEYOND
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleep(requested: f64, start: f64, end: f64) -> Sleep {
        Sleep {
            view: 0,
            start,
            due: start + requested,
            end,
            requested,
            late: end - start - requested,
            thread: 0,
            cpu: 0,
        }
    }

    #[test]
    fn truncated_stamps_show_some_sleeps_too_short() {
        let rounded: Vec<Sleep> = (0..40).map(|n| sleep(2.5e6, f64::from(n) * 4e6, f64::from(n) * 4e6 + 3e6)).collect();
        assert!(ends_at_steps(&rounded, 1e6));
        let short = |n: i32| sleep(2.5e6, f64::from(n) * 4e6, f64::from(n) * 4e6 + if n % 2 == 0 { 2e6 } else { 3e6 });
        assert!(!ends_at_steps(&(0..40).map(short).collect::<Vec<_>>(), 1e6));
    }
}
