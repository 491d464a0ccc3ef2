//! Makes the methods of a recording agree on the tick's rate: a machine has one tick.

use super::LatenessRule;
use super::group::Group;
use super::tick::{self, Design, Tick};

/// Tries groups whose rate differs from the one that most sleeps keep, often by a whole factor, at that rate.
pub(super) fn agree(groups: &[Group], rules: &mut [LatenessRule]) {
    let mut sleeps: Vec<(f64, usize)> = Vec::new();
    for (rule, group) in rules.iter().zip(groups) {
        let LatenessRule::Tick(Tick { hz: Some(hz), .. }) = rule else { continue };
        match sleeps.iter_mut().find(|(other, _)| (other - hz).abs() < 1e-9) {
            Some((_, count)) => *count += group.sleeps.len(),
            None => sleeps.push((*hz, group.sleeps.len())),
        }
    }
    let Some(&(most, _)) = sleeps.iter().max_by_key(|(_, count)| *count) else { return };
    for (rule, group) in rules.iter_mut().zip(groups) {
        let LatenessRule::Tick(tick) = rule else { continue };
        let other = tick.hz.is_none_or(|hz| (hz - most).abs() > 1e-9) && tick.design != Design::Sliding;
        if let Some(better) = other.then(|| tick::at(&group.timed(), most)).flatten() {
            *tick = better;
        }
    }
    finer(rules);
}

/// The largest ratio of two rates at which one counts as a divisor of the other.
const TIMES: f64 = 5.0;
/// Largest relative difference of two lengths of the same tick, measured by two methods.
const SAME: f64 = 1e-4;

/// Gives the shorter tick to methods whose wake-ups keep only every second to fifth tick of another method: they skip
/// ticks by the rhythm of their requests, while the longer tick would not explain the other method's wake-ups.
fn finer(rules: &mut [LatenessRule]) {
    let seen = |rule: &LatenessRule| match rule {
        LatenessRule::Tick(Tick { hz: Some(hz), grid: Some(grid), design, .. }) if *design != Design::Sliding => {
            Some((*hz, grid.tick))
        }
        _ => None,
    };
    let all: Vec<(f64, f64)> = rules.iter().filter_map(seen).collect();
    for rule in rules {
        let Some((hz, length)) = seen(rule) else { continue };
        let of = |fast: &&(f64, f64)| {
            let times = (fast.0 / hz).round();
            let part = (2.0..=TIMES).contains(&times) && (fast.0 / hz - times).abs() < 1e-9;
            part && (length / (times * fast.1) - 1.0).abs() < SAME
        };
        let fastest = all.iter().filter(of).max_by(|a, b| a.0.total_cmp(&b.0));
        if let (LatenessRule::Tick(tick), Some(&(fast, _))) = (rule, fastest) {
            let times = fast / hz;
            tick.grid =
                tick.grid.map(|grid| super::grid::Grid { tick: grid.tick / times, error: grid.error / times, ..grid });
            (tick.hz, tick.candidates) = (Some(fast), vec![fast]);
            (tick.rounding, tick.rules) = (None, Vec::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::features::grid::Grid;
    use crate::patterns::features::rounding::Votes;

    fn kept(hz: f64, length: f64) -> LatenessRule {
        let grid = Grid { tick: length, error: 0.1, phase: 0.0, wakes: 1.0, dues: 0.1, on_grid: 1.0, jitter: 1e3 };
        LatenessRule::Tick(Tick {
            hz: Some(hz),
            candidates: vec![hz],
            grid: Some(grid),
            rounding: None,
            votes: Votes::default(),
            rules: Vec::new(),
            gain: 50.0,
            design: Design::Diverse,
        })
    }

    fn rates(mut rules: Vec<LatenessRule>) -> Vec<Option<f64>> {
        finer(&mut rules);
        rules.iter().map(|rule| if let LatenessRule::Tick(tick) = rule { tick.hz } else { None }).collect()
    }

    #[test]
    fn a_method_that_meets_every_second_tick_has_the_ticks_of_the_others() {
        assert_eq!(rates(vec![kept(2_500.0, 402_480.0), kept(5_000.0, 201_240.0)]), [Some(5_000.0); 2]);
        // With another drift, these are two different ticks.
        assert_eq!(rates(vec![kept(2_500.0, 400_000.0), kept(5_000.0, 201_240.0)]), [Some(2_500.0), Some(5_000.0)]);
    }
}
