//! `timer-wheel`: the timeout is counted in ticks on the kernel's timer wheel. Linux ≥ 4.8 (kernel/time/timer.c):
//! ceil(request / tick) + 1 ticks, from 63 ticks on rounded up to multiples of 8, from 504 of 64, and so on.

use super::{At, Detection, share_of};
use crate::patterns::features::wheel::step;
use crate::patterns::features::{Features, LatenessRule};
use crate::patterns::parts;
use oversleep_recording::document::evidence::TimerWheel;
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let LatenessRule::Tick(tick) = &features.rules[cell.group] else { continue };
        if !features.wheels[cell.group] {
            continue;
        }
        let nominal = tick.hz.map(|hz| 1e9 / hz);
        let length = tick.grid.map(|grid| grid.tick).or(nominal);
        let step = nominal.or(length).map(|tick| step(cell.requested as f64 / tick));
        let waits = cell.series.iter().map(|&late| parts::split(features, view, late).tick as f64);
        let evidence =
            TimerWheel { hz: tick.hz.into(), tick_ns: length, rounding: tick.rounding.into(), step_ticks: step };
        let mut finding = Finding::new(evidence, cell.quantile(0.5) as f64, Unit::Nanoseconds)
            .sure(if tick.rounding.is_some() { 0.95 } else { 0.8 });
        if let Some((length, step)) = length.zip(step) {
            finding = finding.between(0.0, (step as f64 + 1.0) * length);
        }
        finding.share = share_of(waits, &cell.series);
        seen.push((At::View(view), finding));
    }
    seen
}
