//! Drift between clocks, for people.

use super::{section, table};
use crate::analysis::clocks::drift::{self, Drift};
use crate::capture::clocks::{Series, Survey};
use oversleep_sys::clock::ClockId;
use std::fmt::Write;

/// Clocks that the others only repeat: `gettimeofday` is the realtime clock, `Instant` the monotonic one.
const DISTINCT: &[ClockId] = &[
    ClockId::Monotonic,
    ClockId::MonotonicRaw,
    ClockId::Boottime,
    ClockId::Realtime,
    ClockId::Tai,
    ClockId::CounterOrdered,
    ClockId::UptimeRaw,
    ClockId::MachContinuousTime,
    ClockId::Gethrtime,
    ClockId::QueryPerformanceCounter,
    ClockId::QueryInterruptTimePrecise,
    ClockId::SystemTimePrecise,
];

/// Every pair once, the faster first.
pub(super) fn pairs(survey: &Survey) -> Vec<(ClockId, ClockId, Drift)> {
    let mut pairs = Vec::new();
    for (index, a) in survey.series.iter().enumerate() {
        for b in &survey.series[index + 1..] {
            pairs.extend(ordered(a, b));
        }
    }
    pairs
}

fn ordered(a: &Series, b: &Series) -> Option<(ClockId, ClockId, Drift)> {
    let found = drift::between(&a.points, &b.points)?;
    if found.rate.get() >= 0.0 {
        return Some((a.id, b.id, found));
    }
    Some((b.id, a.id, drift::between(&b.points, &a.points)?))
}

pub(super) fn text(survey: &Survey, every_pair: bool) -> String {
    let shown = |id: &ClockId| every_pair || DISTINCT.contains(id);
    let mut pairs = pairs(survey);
    let all = pairs.len();
    // Asked for by name, even clocks that repeat others are shown.
    if pairs.iter().any(|(a, b, _)| shown(a) && shown(b)) {
        pairs.retain(|(a, b, _)| shown(a) && shown(b));
    }
    if pairs.is_empty() {
        return excuse(survey);
    }
    pairs.sort_by(|a, b| b.2.rate.get().total_cmp(&a.2.rate.get()));
    let mut table = table(["faster", "slower", "by ppm", "95 % interval", ""], 2..4);
    for (faster, slower, found) in &pairs {
        let seen = found.low.get() > 0.0;
        table.add_row(vec![
            faster.name().to_owned(),
            slower.name().to_owned(),
            ppm(found.rate.get(), half(found)),
            format!("{} to {}", ppm(found.low.get(), half(found)), ppm(found.high.get(), half(found))),
            if seen { String::new() } else { "same".to_owned() },
        ]);
    }
    let mut out = section(&format!("Drift between clocks, over {}", survey.drift), &table);
    if pairs.iter().any(|(_, _, found)| found.low.get() <= 0.0) {
        out += "same: the interval holds 0, so no difference was seen.\n";
    }
    if pairs.len() < all {
        _ = writeln!(
            out,
            "{} pairs of clocks that repeat these are left out; --all-pairs shows them.",
            all - pairs.len()
        );
    }
    out + &excuse(survey)
}

fn half(drift: &Drift) -> f64 {
    (drift.high.get() - drift.low.get()) / 2.0
}

/// To the digit in which the interval's half has its second significant figure, at most six decimals.
fn ppm(value: f64, half: f64) -> String {
    let decimals = if half > 0.0 { (1.0 - half.log10().floor()).clamp(0.0, 6.0) } else { 6.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 6
    let decimals = decimals as usize;
    let text = format!("{value:.decimals$}");
    // What rounds to zero has no sign.
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_owned() } else { text }
}

fn excuse(survey: &Survey) -> String {
    let mut out = String::new();
    let names = |ids: &[ClockId]| ids.iter().map(|id| id.name()).collect::<Vec<_>>().join(", ");
    if !survey.too_coarse.is_empty() && !survey.stopped {
        _ = writeln!(
            out,
            "No drift: {} (100 of its steps do not fit into {}).",
            names(&survey.too_coarse),
            survey.drift
        );
    }
    let cpu = survey.clocks.iter().map(|measured| measured.probe.id());
    let cpu: Vec<_> = cpu.filter(|id| id.row().counts.is_cpu_time()).collect();
    if !cpu.is_empty() {
        _ = writeln!(out, "No drift: {} (CPU time).", names(&cpu));
    }
    if survey.series.len() == 1 {
        _ = writeln!(out, "No drift: {} alone has nothing to drift from.", survey.series[0].id.name());
    }
    out
}
