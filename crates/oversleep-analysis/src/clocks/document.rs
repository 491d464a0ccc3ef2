//! Builds the document of a survey of clocks.

use super::drift;
use super::rates::counters;
use oversleep_recording::catalog::{Backwards, ClockId};
use oversleep_recording::document::clocks::{
    Across, Clock, ClockDrift, Clocks, Cost, Counter, LoadedCost, Steps, Tool,
};
use oversleep_recording::{
    ClockAcross, ClockCost, ClockReadings, ClockSeries, ClockSteps, ClockSurvey, CounterFacts, End, Meta, Note,
};
use oversleep_sys::clock::counter::Support;
use oversleep_sys::units::{Hertz, Nanos};

/// Version of the document's format.
const FORMAT: u32 = 1;

/// Computes the figures of a survey of clocks from its recording.
pub fn document(meta: &Meta, note: &Note) -> Clocks {
    let empty = ClockSurvey::default();
    let survey = note.clocks.as_ref().unwrap_or(&empty);
    Clocks {
        format: FORMAT,
        tool: Tool { name: "oversleep".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        clocks: survey.clocks.iter().map(clock).collect(),
        drift: pairs(&survey.series),
        drift_window: survey.drift_window.unwrap_or_default(),
        too_coarse_for_drift: survey.too_coarse.clone(),
        counter: survey.counter.as_ref().map(|facts| counter(facts, &meta.machine.system)),
        counter_refused: survey.counter_refused.as_ref().map(|refusal| refusal.why.clone()),
        assumed_rates: counters(&meta.machine.timekeeping),
        ntp_ppm: meta.machine.ntp.map(|ntp| ntp.frequency.get()),
        followed: survey.series.iter().map(|series| series.clock.clone()).collect(),
        stopped: note.end != Some(End::Complete),
        unavailable: meta.unavailable.iter().chain(&note.unavailable).cloned().collect(),
    }
}

fn counter(facts: &CounterFacts, system: &str) -> Counter {
    let CounterFacts { invariant, nominal, clocksource } = facts.clone();
    let nominal_hz = nominal.map(Hertz::as_f64);
    let support = Support { invariant, nominal, clocksource };
    let trusted = support.trusted_where(system == "Linux");
    Counter { invariant, nominal_hz, clocksource: support.clocksource, trusted }
}

fn clock(readings: &ClockReadings) -> Clock {
    let row = ClockId::from_name(&readings.clock).map(ClockId::row);
    Clock {
        clock: readings.clock.clone(),
        call: row.map(|row| row.call),
        counts: row.map(|row| row.counts.name()),
        steered: row.map(|row| row.steered.name()),
        suspend: row.map(|row| row.suspend.name()),
        may_go_backwards: row.map(|row| row.backwards != Backwards::Never),
        backwards: row.map(|row| row.backwards.name()),
        source: row.map(|row| row.source),
        rate_hz: readings.rate.as_f64(),
        costs: readings.costs.iter().map(cost).collect(),
        loaded: readings.loaded.map(|loaded| LoadedCost { readers: loaded.readers, cost: cost(&loaded.cost) }),
        claimed_resolution: readings.claimed,
        steps: readings.steps.map(|found| steps(found, readings.rate)),
        across_cpus: readings.across.as_ref().map(|found| across(found, readings.rate)),
        cpu_time: row.is_some_and(|row| row.counts.is_cpu_time()),
    }
}

fn cost(cost: &ClockCost) -> Cost {
    let ClockCost { calls, total } = *cost;
    Cost { calls, total, per_call_ns: total.as_f64() / calls.max(1) as f64 }
}

fn steps(found: ClockSteps, rate: Hertz) -> Steps {
    let per_tick = 1e9 / rate.as_f64();
    Steps {
        reads: found.reads,
        smallest_ticks: found.smallest_ticks,
        smallest_ns: found.smallest_ticks.map(|ticks| ticks as f64 * per_tick),
        repeated_share: repeated_share(&found),
        backwards: found.backwards,
        worst_backwards: nanos(found.worst_backwards_ticks, rate),
    }
}

/// Returns the share of readings equal to the one before, 0 to 1; `None` for fewer than two readings.
fn repeated_share(steps: &ClockSteps) -> Option<f64> {
    (steps.reads > 1).then(|| steps.repeated as f64 / (steps.reads - 1) as f64)
}

fn across(found: &ClockAcross, rate: Hertz) -> Across {
    match found {
        ClockAcross::Not(why) => Across::Not { compared: false, why: why.clone() },
        ClockAcross::Compared(found) => Across::Compared {
            compared: true,
            pinned: found.pinned,
            reads: found.reads,
            earlier: found.earlier,
            worst_ticks: found.worst_ticks,
            worst: nanos(found.worst_ticks, rate),
        },
    }
}

/// Returns the time that `ticks` take, rounded down; the largest value if it overflows, as a file may contain any rate.
fn nanos(ticks: u64, rate: Hertz) -> Nanos {
    let ticks = i128::from(ticks.min(i64::MAX.unsigned_abs()));
    let product = ticks.checked_mul(rate.denominator().into()).and_then(|product| product.checked_mul(1_000_000_000));
    let nanos = product.and_then(|product| i64::try_from(product / i128::from(rate.numerator())).ok());
    nanos.map_or(Nanos::MAX, Nanos::new)
}

/// Returns the drift of every pair of clocks, once, the faster clock first.
fn pairs(series: &[ClockSeries]) -> Vec<ClockDrift> {
    let mut pairs = Vec::new();
    for (index, a) in series.iter().enumerate() {
        for b in &series[index + 1..] {
            pairs.extend(ordered(a, b));
        }
    }
    pairs
}

fn ordered(a: &ClockSeries, b: &ClockSeries) -> Option<ClockDrift> {
    let found = drift::between(&a.points, &b.points)?;
    let (faster, slower, found) =
        if found.rate.get() >= 0.0 { (a, b, found) } else { (b, a, drift::between(&b.points, &a.points)?) };
    Some(ClockDrift {
        clock: faster.clock.clone(),
        against: slower.clock.clone(),
        drift: found.rate,
        low: found.low,
        high: found.high,
        confidence: 0.95,
        rounds: found.rounds,
        left_out: found.left_out,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_needs_two_readings() {
        let of = |reads, repeated| repeated_share(&ClockSteps { reads, repeated, ..ClockSteps::default() });
        assert_eq!([of(7, 2), of(3, 2), of(1, 0), of(0, 0)], [Some(2.0 / 6.0), Some(1.0), None, None]);
    }

    #[test]
    fn ticks_become_times_whatever_the_rate() {
        let rate = |above, below| Hertz::new(above, below).unwrap();
        assert_eq!(nanos(1_580, rate(1_000_000_000, 1)), Nanos::new(1_580));
        assert_eq!(nanos(26, rate(2_600_000_000, 1)), Nanos::new(10));
        assert_eq!(nanos(27, rate(2_600_000_000, 1)), Nanos::new(10));
        assert_eq!(nanos(u64::MAX, rate(1, u64::MAX)), Nanos::MAX);
        assert_eq!(nanos(u64::MAX, rate(u64::MAX, 1)), Nanos::new(499_999_999));
    }
}
