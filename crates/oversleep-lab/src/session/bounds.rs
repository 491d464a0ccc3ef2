//! Bounds of lateness: what is measured for them, and their document.

use super::error::RequestError;
use super::methods;
use super::plan::refuse_starvation;
use super::results::Results;
use oversleep_analysis::bounds::Gather;
use oversleep_analysis::document;
use oversleep_recording::document::LatenessBounds;
use oversleep_recording::plan::build::{self, DEFAULT_METHODS, Grid};
use oversleep_recording::plan::{Conditions, Pattern, Plan, RequestedConditions, Turn};
use oversleep_sys::units::Nanos;

/// A request to find out how late sleeps can be.
#[derive(Debug, Clone)]
pub struct BoundsRequest {
    /// Duration of the sleeps.
    pub asked: Nanos,
    /// How long to measure, all conditions together.
    pub duration: Nanos,
    /// Name of the method; the system's usual one if not given.
    pub method: Option<String>,
    /// Conditions; several values of one make a bound each.
    pub conditions: RequestedConditions,
}

/// Wake-ups per second of all threads together: about 1 % of a processor at 10 µs each, so that sleepers hardly queue behind each other.
const WAKES_PER_SECOND: i64 = 1_000;
/// Most threads that sleep at once.
const MOST_THREADS: i64 = 200;
/// Sleeps that a thread makes at the least: a longer request is measured with a shorter one.
const FEWEST_SLEEPS: i64 = 20;
/// Time that a condition is in force before the next one has its turn, so that each meets what the machine does meanwhile.
const TURN: Nanos = Nanos::from_secs(5);

/// Returns what is measured: sleeps of three quarters of the duration to all of it, so that threads that begin together do not go on in
/// step, on as many threads as make a thousand wake-ups a second, at most 200.
///
/// # Errors
/// If the method is unknown or never sleeps, or a real-time thread would starve the machine.
pub fn plan_bounds(request: &BoundsRequest) -> Result<Plan, RequestError> {
    let names: Vec<String> = request.method.iter().cloned().collect();
    let rows = methods::methods(&names, &[DEFAULT_METHODS.measure])?;
    if let Some(row) = rows.iter().find(|row| row.spins()) {
        return Err(RequestError::NeverSleeps { method: row.name });
    }
    let combinations = request.conditions.combinations();
    let of_each = Nanos::new(request.duration.get() / i64::try_from(combinations.len()).unwrap_or(i64::MAX).max(1));
    let to = request.asked.min(Nanos::new(of_each.get() / FEWEST_SLEEPS)).max(Nanos::new(1));
    let pattern = Pattern::Random { from: Nanos::new(to.get() - to.get() / 4), to };
    let threads = to.saturating_mul(WAKES_PER_SECOND).get() / Nanos::SECOND.get();
    let threads = u16::try_from(threads.clamp(1, MOST_THREADS)).unwrap_or(1);
    let conditions: Vec<Conditions> =
        combinations.into_iter().map(|one| Conditions { threads: one.threads.or(Some(threads)), ..one }).collect();
    let grid = Grid { rows: &rows, requests: &[pattern], conditions: &conditions };
    let plan = build::measure(&grid, 1, Plan::DEFAULT_SEED);
    // Threads wait for each other at the end of a turn, so one condition has a single one.
    let turn = if plan.cells.len() > 1 { TURN.min(of_each) } else { of_each };
    let sleeps = (turn.get() / pattern.typical().get().max(1)).max(1).unsigned_abs();
    let rounds = (of_each.get() / turn.get().max(1)).max(1);
    let round = || plan.cells.iter().map(|cell| Turn { cell: cell.id, sleeps });
    let plan = Plan { turns: (0..rounds).flat_map(|_| round()).collect(), ..plan.clone() };
    refuse_starvation(&plan)?;
    Ok(plan)
}

impl Results {
    /// Returns how late sleeps of a duration can be at a risk, from what was gathered beside these figures.
    pub fn bounds(&self, gathered: Gather, asked: Nanos, risk: f64) -> LatenessBounds {
        let cells = gathered.bounds(&self.meta, &self.cells, asked, risk);
        LatenessBounds { asked, risk, measured: document::with_cells(&self.meta, &self.note, cells) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::{Condition, Value};

    fn planned(asked: Nanos, seconds: i64, loads: &[i64]) -> Plan {
        let mut conditions = RequestedConditions::default();
        conditions.ask(Condition::named("load").unwrap(), loads.iter().map(|n| Value::Number(*n)).collect());
        plan_bounds(&BoundsRequest { asked, duration: Nanos::from_secs(seconds), method: None, conditions }).unwrap()
    }

    #[test]
    fn as_many_threads_sleep_as_make_a_thousand_wake_ups_a_second() {
        for (asked, threads, longest) in [
            (Nanos::from_micros(100), 1, Nanos::from_micros(100)),
            (Nanos::from_millis(10), 10, Nanos::from_millis(10)),
            (Nanos::from_millis(100), 100, Nanos::from_millis(100)),
            (Nanos::from_secs(1), 200, Nanos::from_secs(1)),
            // Only a twentieth of the minute: a longer sleep would be measured too rarely.
            (Nanos::from_secs(60), 200, Nanos::from_secs(3)),
        ] {
            let plan = planned(asked, 60, &[]);
            let [cell] = &plan.cells[..] else { panic!("{plan:?}") };
            assert_eq!(cell.conditions.threads, Some(threads), "{asked}");
            assert!(matches!(cell.pattern, Pattern::Random { to, .. } if to == longest), "{asked}: {:?}", cell.pattern);
            assert_eq!(plan.turns.len(), 1);
            let time = plan.turns[0].sleeps.cast_signed() * cell.pattern.typical().get();
            assert!((55_000_000_000..=60_000_000_000).contains(&time), "{asked}: {time}");
        }
    }

    #[test]
    fn conditions_take_turns_within_the_time() {
        let plan = planned(Nanos::from_millis(100), 60, &[0, 4]);
        assert_eq!(plan.turns.iter().map(|turn| turn.cell).collect::<Vec<_>>(), [0, 1].repeat(6));
        let time: i64 = plan
            .turns
            .iter()
            .map(|turn| turn.sleeps.cast_signed() * plan.cells[turn.cell as usize].pattern.typical().get())
            .sum();
        assert!((50_000_000_000..=60_000_000_000).contains(&time), "{time}");
    }
}
