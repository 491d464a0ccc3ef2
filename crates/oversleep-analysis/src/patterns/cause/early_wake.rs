//! `early-wake`: sleeps that return before their time is over, and whether the method allows that.

use super::{At, Detection};
use crate::patterns::features::{Features, LatenessRule, coarse};
use oversleep_figures::quantile::place;
use oversleep_recording::catalog::Early;
use oversleep_recording::document::evidence::{EarlyWake, Rounding};
use oversleep_recording::document::{Finding, Unit};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Smaller earliness, in ns, comes from the clocks' resolution and the order of two readings.
pub(in crate::patterns) const LEAST: i64 = 1_000;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    let mut steps: HashMap<usize, i64> = HashMap::new();
    for (view, cell) in features.views.iter().enumerate() {
        let is_often = |early: usize| early >= 2 && early * 200 >= cell.sorted.len();
        if !is_often(cell.sorted.partition_point(|&late| late < -LEAST)) {
            continue;
        }
        // Between readings of a clock that moves in steps, a sleep may seem up to a step too short.
        let resolution = || Nanos::from_f64(coarse::resolution(&features.groups[cell.group])).get();
        let step = *steps.entry(cell.group).or_insert_with(resolution);
        let early = cell.sorted.partition_point(|&late| late < -LEAST && late <= -step);
        if !is_often(early) {
            continue;
        }
        let may = cell.cell.row().map(|row| row.early == Early::Possible);
        let earliest = cell.sorted[0];
        let rounding = match &features.rules[cell.group] {
            LatenessRule::Tick(tick) => {
                tick.rounding.filter(|rounding| matches!(rounding, Rounding::Early | Rounding::Down))
            }
            _ => None,
        };
        let sleeps = cell.sorted.len() as u64;
        let evidence = EarlyWake { early: early as u64, sleeps, earliest_ns: earliest, method_may: may, rounding };
        let mut finding = Finding::new(evidence, cell.sorted[place(early, 0.5)] as f64, Unit::Nanoseconds)
            .between(earliest as f64, cell.sorted[early - 1] as f64)
            .sure(1.0 - 0.5f64.powi(i32::try_from(early).unwrap_or(i32::MAX)));
        if rounding.is_some() {
            finding.confounders.clear();
        }
        seen.push((At::View(view), finding));
    }
    seen
}
