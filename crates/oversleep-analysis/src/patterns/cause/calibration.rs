//! `calibration`: the kernel assumes another rate of a counter than the processor or firmware states. It is named where
//! the recorded rates explain what time synchronisation and the tick's whole number of counts leave of a drift; the
//! samples alone show only the sum of these.

use super::drift::LEAST;
use crate::clocks::rates::counters;
use crate::patterns::features::{Features, LatenessRule};
use oversleep_recording::document::evidence::{AssumedRate, Calibration, ClockDrift, DriftParts, Times};
use oversleep_recording::document::{Finding, Unit};
use oversleep_recording::machine::CounterRate;
use oversleep_recording::text::grouped;

/// Largest part of the difference of two rates that may be left unexplained.
const MOST_LEFT: f64 = 0.5;

/// Compares a drift with the recorded rates, and returns the finding if they explain it; otherwise adds to the drift's
/// evidence how they compare.
pub(super) fn explain(features: &Features<'_>, drift: &mut Finding) -> Option<Finding> {
    let machine = &features.recording.meta.machine;
    let counters = counters(&machine.timekeeping);
    if counters.is_empty() {
        return None;
    }
    let Some(ntp) = machine.ntp.map(|ntp| ntp.frequency.get()) else {
        tell(drift, format!("{}; how NTP corrects the clock was not recorded", rates(&counters)));
        return None;
    };
    let counted = machine.timekeeping.tick_rate.as_ref().filter(|rate| rate.counts_per_tick.is_some());
    let rounding = counted.map(|rate| rounding(rate, tick_hz(features)));
    // The counts per tick say nothing if the tick's rate is open.
    let rounding = match rounding {
        Some(None) => {
            tell(drift, rates(&counters));
            return None;
        }
        known => known.flatten(),
    };
    let parts = parts(drift.size, &counters, ntp, rounding);
    let words = words(&counters, &parts);
    let margin = drift.low.zip(drift.high).map_or(0.0, |(low, high)| 0.5 * (high - low));
    if !explains(&parts, margin) {
        tell(drift, words);
        return None;
    }
    drift.confounders.clear();
    if let Some(evidence) = drift.evidence.get_mut::<ClockDrift>() {
        // All that NTP leaves, whole counts included: the finding made here has the part that is calibration.
        evidence.calibration_ppm = None;
    }
    let (size, stated) = (parts.calibration_ppm + parts.left_ppm, parts.calibration_ppm);
    let evidence = Calibration { parts, counters, side_by_side: words };
    let finding = Finding::new(evidence, size, Unit::Ppm);
    Some(finding.between((size - margin).min(stated), (size + margin).max(stated)).sure(0.95))
}

/// Returns whether the counters' rates explain what the rest leaves of a drift that is known to ± `margin` ppm: without
/// them something is left, with them nothing.
fn explains(parts: &DriftParts, margin: f64) -> bool {
    let known = margin + LEAST;
    let unexplained = parts.calibration_ppm + parts.left_ppm;
    unexplained.abs() > known
        && parts.left_ppm.abs() <= known.min(MOST_LEFT * parts.calibration_ppm.abs())
        && parts.calibration_ppm.abs() > LEAST
}

fn tell(drift: &mut Finding, words: String) {
    if let Some(evidence) = drift.evidence.get_mut::<ClockDrift>() {
        evidence.side_by_side = Some(words);
    }
}

/// Returns by how much the whole number of counts lengthens a tick of `hz` per second, in ppm; `None` if the rate is
/// not known.
fn rounding(rate: &CounterRate, hz: Option<f64>) -> Option<f64> {
    let (counts, kernel) = (rate.counts_per_tick? as f64, rate.kernel_hz.filter(|hz| *hz > 0)? as f64);
    hz.map(|hz| (counts * hz / kernel - 1.0) * 1e6)
}

/// Returns the nominal rate of the tick, if the samples show it.
fn tick_hz(features: &Features<'_>) -> Option<f64> {
    let rates =
        features.rules.iter().filter_map(|rule| if let LatenessRule::Tick(tick) = rule { tick.hz } else { None });
    let rates: Vec<f64> = rates.collect();
    let first = rates.first().copied()?;
    rates.iter().all(|hz| (hz - first).abs() < 1e-9).then_some(first)
}

fn parts(drift_ppm: f64, counters: &[AssumedRate], ntp_ppm: f64, rounding_ppm: Option<f64>) -> DriftParts {
    let ratio = |ppm: f64| 1.0 + ppm * 1e-6;
    let calibration: f64 = counters.iter().map(|counter| ratio(counter.drift_ppm)).product();
    let unexplained = ratio(drift_ppm) / ratio(ntp_ppm) / ratio(rounding_ppm.unwrap_or(0.0));
    DriftParts {
        drift_ppm,
        calibration_ppm: (calibration - 1.0) * 1e6,
        ntp_ppm,
        rounding_ppm,
        left_ppm: (unexplained - calibration) * 1e6,
    }
}

fn words(counters: &[AssumedRate], parts: &DriftParts) -> String {
    let rounding =
        parts.rounding_ppm.map_or_else(String::new, |ppm| format!("; whole counts per tick add {}", signed(ppm)));
    let (ntp, left) = (signed(parts.ntp_ppm), signed(parts.left_ppm));
    format!("{}{rounding}; NTP corrects by {ntp}; what is left: {left}", rates(counters))
}

fn rates(counters: &[AssumedRate]) -> String {
    let one = |counter: &AssumedRate| {
        let times = match counter.times {
            Times::Clock => "clock",
            Times::Tick => "tick",
        };
        let AssumedRate { counter, stated_hz, kernel_hz, drift_ppm, .. } = counter;
        let (stated, kernel) = (grouped(*stated_hz), grouped(*kernel_hz));
        format!(
            "{times} by {counter}: firmware says {stated} Hz, the kernel calibrated {kernel} Hz: {}",
            signed(*drift_ppm)
        )
    };
    counters.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Writes ppm with two digits; what rounds to zero is positive.
fn signed(ppm: f64) -> String {
    format!("{:+.2} ppm", (ppm * 100.0).round() / 100.0 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::machine::Timekeeping;

    fn rate(stated: u64, kernel: u64, counts: Option<u64>) -> CounterRate {
        CounterRate { counter: "tsc".into(), stated_hz: Some(stated), kernel_hz: Some(kernel), counts_per_tick: counts }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn a_clock_that_counts_faster_than_assumed_lengthens_the_tick() {
        let clock =
            Timekeeping { clock_rate: Some(rate(2_400_000_000, 2_399_961_000, None)), ..Timekeeping::default() };
        let found = counters(&clock);
        assert!(near(found[0].drift_ppm, 16.2503), "{found:?}");
        let parts = parts(0.25, &found, -16.0, None);
        assert!(near(parts.left_ppm, 0.0), "{parts:?}");
        let said = "clock by tsc: firmware says 2\u{a0}400\u{a0}000\u{a0}000 Hz, the kernel calibrated \
                    2\u{a0}399\u{a0}961\u{a0}000 Hz: +16.25 ppm; NTP corrects by -16.00 ppm; what is left: +0.00 ppm";
        assert_eq!(words(&found, &parts), said);
        let tick =
            Timekeeping { tick_rate: Some(rate(100_000_000, 100_620_944, Some(20_124))), ..Timekeeping::default() };
        let found = counters(&tick);
        assert!(near(found[0].drift_ppm, 6_209.44), "{found:?}");
        assert!(near(rounding(tick.tick_rate.as_ref().unwrap(), Some(5_000.0)).unwrap(), -9.3817));
    }

    #[test]
    fn only_rates_that_fit_the_samples_are_a_cause() {
        let clock = |kernel: u64| {
            counters(&Timekeeping { clock_rate: Some(rate(1_000_000_000, kernel, None)), ..Timekeeping::default() })
        };
        let so =
            |drift: f64, kernel: u64, ntp: f64, margin: f64| explains(&parts(drift, &clock(kernel), ntp, None), margin);
        assert!(so(20.0, 999_980_000, 0.0, 0.2));
        // NTP alone explains the drift; the drift is another one; both are within the error.
        assert!(!so(20.0, 1_000_000_000, 20.0, 0.2));
        assert!(!so(40.0, 999_980_000, 0.0, 0.2));
        assert!(!so(3.0, 999_997_000, 0.0, 5.0));
        // What is left is no smaller part than what is explained.
        assert!(!so(3.0, 999_999_000, 0.0, 2.4));
    }
}
