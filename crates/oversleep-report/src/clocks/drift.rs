//! Drift between clocks, as text.

use super::{section, table};
use oversleep_recording::catalog::ClockId;
use oversleep_recording::document::clocks::{ClockDrift, Clocks};
use std::fmt::Write;

/// Clocks that are not mere repetitions of others: `gettimeofday` repeats the realtime clock, `Instant` the monotonic
/// one.
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

pub(super) fn text(survey: &Clocks, every_pair: bool) -> String {
    let distinct = |clock: &str| ClockId::from_name(clock).is_some_and(|id| DISTINCT.contains(&id));
    let shown = |pair: &ClockDrift| every_pair || distinct(&pair.clock) && distinct(&pair.against);
    let mut pairs: Vec<&ClockDrift> = survey.drift.iter().collect();
    let all = pairs.len();
    // If only clocks that repeat others were asked for, they are shown.
    if pairs.iter().any(|pair| shown(pair)) {
        pairs.retain(|pair| shown(pair));
    }
    if pairs.is_empty() {
        return excuse(survey);
    }
    pairs.sort_by(|a, b| b.drift.get().total_cmp(&a.drift.get()));
    let mut table = table(["faster", "slower", "by ppm", "95 % interval", ""], 2..4);
    for found in &pairs {
        let seen = found.low.get() > 0.0;
        table.add_row(vec![
            found.clock.clone(),
            found.against.clone(),
            ppm(found.drift.get(), half(found)),
            format!("{} to {}", ppm(found.low.get(), half(found)), ppm(found.high.get(), half(found))),
            if seen { String::new() } else { "same".to_owned() },
        ]);
    }
    let mut out = section(&format!("Drift between clocks, over {}", survey.drift_window), &table);
    if pairs.iter().any(|found| found.low.get() <= 0.0) {
        out += "same: the interval contains 0, so no difference was seen.\n";
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

/// Returns the pair whose rates differ most, and by how many ppm, in decimals that its interval supports.
pub(super) fn largest(survey: &Clocks) -> Option<(&ClockDrift, String)> {
    // Of equal ones, the first.
    let seen = survey.drift.iter().rev().filter(|pair| pair.low.get() > 0.0);
    let pair = seen.max_by(|a, b| a.drift.get().total_cmp(&b.drift.get()))?;
    Some((pair, ppm(pair.drift.get(), half(pair))))
}

fn half(drift: &ClockDrift) -> f64 {
    (drift.high.get() - drift.low.get()) / 2.0
}

/// Formats a drift down to the second significant digit of the interval's half width, with at most six decimals.
fn ppm(value: f64, half: f64) -> String {
    let decimals = if half > 0.0 { (1.0 - half.log10().floor()).clamp(0.0, 6.0) } else { 6.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 6
    let decimals = decimals as usize;
    let text = format!("{value:.decimals$}");
    // A value that rounds to zero has no sign.
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_owned() } else { text }
}

fn excuse(survey: &Clocks) -> String {
    let mut out = String::new();
    if !survey.too_coarse_for_drift.is_empty() && !survey.stopped {
        _ = writeln!(
            out,
            "No drift: {} (100 of its steps do not fit into {}).",
            survey.too_coarse_for_drift.join(", "),
            survey.drift_window
        );
    }
    let cpu: Vec<_> = survey.clocks.iter().filter(|clock| clock.cpu_time).map(|clock| clock.clock.as_str()).collect();
    if !cpu.is_empty() {
        _ = writeln!(out, "No drift: {} (CPU time).", cpu.join(", "));
    }
    if let [only] = survey.followed.as_slice() {
        _ = writeln!(out, "No drift: {only} is the only clock, and a drift needs two.");
    }
    out
}
