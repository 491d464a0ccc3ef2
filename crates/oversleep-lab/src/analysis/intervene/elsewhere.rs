//! The slack of other cells than the base: how much later they are than the cell with the least slack.
//!
//! Not tests, and not counted among the tries: sizes with intervals, to stand beside what other witnesses say of those
//! cells.

use super::blocks::AllBlocked;
use super::cause::Reading;
use super::compare::{Effort, later};
use crate::analysis::diagnose::Cause;
use crate::plan::intervene::Change;
use crate::plan::{Cell, Policy};

/// For every variant in slack or real-time policy, where one of them has the least slack.
pub(super) fn slacks(cells: &[Cell], all: &AllBlocked, effort: Effort, seed: u64) -> Vec<Reading> {
    let Some((base, variants)) = cells.split_first() else { return Vec::new() };
    let Some(least) = variants.iter().find(|cell| slack(base, cell) == Some(1)) else { return Vec::new() };
    let most = variants.iter().filter(|cell| slack(base, cell) > Some(1)).max_by_key(|cell| slack(base, cell));
    let mut readings = Vec::new();
    for cell in variants {
        if cell.id == least.id {
            // Its own slack is what is missing when another one's is added.
            let known = most.and_then(|most| Some((most, slack(base, most)?)));
            let felt = known.and_then(|(most, known)| Some((later(all, most.id, least.id, effort, seed)?, known)));
            readings.extend(felt.map(|([delay, p50], known)| {
                reading(
                    cell.id,
                    p50.or_delay(delay).less(known as f64),
                    format!("slack {}", oversleep_os::units::Nanos::new(known)),
                )
            }));
        } else if slack(base, cell).is_some() || real_time(base, cell) {
            let felt = later(all, cell.id, least.id, effort, seed);
            readings.extend(felt.map(|[delay, p50]| reading(cell.id, p50.or_delay(delay), "slack 1 ns".to_owned())));
        }
    }
    readings
}

fn reading(cell: u32, p50: super::cause::Part, by: String) -> Reading {
    let seen = p50.low > 0.0;
    Reading { cell, cause: Cause::TimerSlack, p50, p99: None, seen, by, finding: None }
}

/// The slack of a variant in slack alone, in ns.
fn slack(base: &Cell, cell: &Cell) -> Option<i64> {
    match Change::between(base, cell)[..] {
        [Change::Slack { slack_ns }] => slack_ns.map(oversleep_os::units::Nanos::get),
        _ => None,
    }
}

fn real_time(base: &Cell, cell: &Cell) -> bool {
    matches!(Change::between(base, cell)[..], [Change::Policy { policy: Some(policy) }] if Policy::is_real_time(policy))
}
