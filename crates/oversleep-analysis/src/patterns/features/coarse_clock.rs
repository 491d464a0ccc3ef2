//! What is known of sleeps whose times were read on a coarse clock.

use super::group::{Group, Sleep};
use super::open::{self, OpenQuestion};
use super::{LatenessRule, coarse, lattice, stamps};

/// Judges groups whose clock moves in steps. If it does so at ticks, the numbers of steps show the tick; if it is only
/// read in such steps, the rule stays open.
pub(super) fn judge(groups: &[Group], rules: &mut [LatenessRule], open: &mut [Option<OpenQuestion>]) {
    judge_stamps(groups, rules, open);
    let mut steps = coarse::steps(groups);
    if steps.is_empty() && coarse::in_milliseconds(groups) {
        steps = vec![coarse::MILLISECOND];
    }
    let Some(&step) = steps.first() else { return judge_ends(groups, rules, open) };
    let all: Vec<Sleep> = groups.iter().filter(|group| !group.yields()).flat_map(Group::timed).collect();
    let kept = !coarse::is_millisecond(step) && stamps::ends_at_steps(&all, step);
    for ((rule, group), open) in rules.iter_mut().zip(groups).zip(open) {
        if group.yields() || matches!(rule, LatenessRule::Queue(_)) {
            continue;
        }
        if kept && let Some(tick) = coarse::tick(&group.timed(), &steps) {
            (*rule, *open) = (LatenessRule::Tick(tick), None);
        } else if !kept {
            (*rule, *open) = (LatenessRule::Unclear, Some(open::coarse_stamps(step)));
        }
    }
}

/// Ticks of at most so many units of the clock that was read are no more than its units.
const UNITS: f64 = 4.0;

/// Leaves open what rules sleeps whose ticks are the units in which starts and ends were counted.
fn judge_stamps(groups: &[Group], rules: &mut [LatenessRule], open: &mut [Option<OpenQuestion>]) {
    for ((rule, group), open) in rules.iter_mut().zip(groups).zip(open) {
        let LatenessRule::Tick(tick) = rule else { continue };
        let Some(grid) = tick.grid else { continue };
        if let Some(unit) = lattice::unit(&group.timed()).filter(|unit| grid.tick < (UNITS + 0.5) * unit) {
            (*rule, *open) = (LatenessRule::Unclear, Some(open::coarse_stamps(unit)));
        }
    }
}

/// Leaves open what rules sleeps of which only the ends were read on a coarse clock.
fn judge_ends(groups: &[Group], rules: &mut [LatenessRule], open: &mut [Option<OpenQuestion>]) {
    for ((rule, group), open) in rules.iter_mut().zip(groups).zip(open).filter(|((_, group), _)| !group.yields()) {
        if let Some(unit) = coarse::unit_of_ends(group) {
            (*rule, *open) = (LatenessRule::Unclear, Some(open::coarse_ends(unit)));
        }
    }
}
