//! Rates of the counters that the kernel tells time by: what is stated of them, and what the kernel assumes.

use oversleep_recording::document::evidence::{AssumedRate, Times};
use oversleep_recording::machine::{CounterRate, Timekeeping};

/// Returns the counters whose rate is known from both sides. A clock that counts faster than the kernel assumes makes
/// the tick longer; so does a tick timer that counts slower.
pub(crate) fn counters(timekeeping: &Timekeeping) -> Vec<AssumedRate> {
    let of = |rate: &Option<CounterRate>, times: Times| {
        let rate = rate.as_ref()?;
        let (stated, kernel) = (rate.stated_hz.filter(|hz| *hz > 0)?, rate.kernel_hz.filter(|hz| *hz > 0)?);
        let ratio = match times {
            Times::Clock => stated as f64 / kernel as f64,
            Times::Tick => kernel as f64 / stated as f64,
        };
        let drift_ppm = (ratio - 1.0) * 1e6;
        Some(AssumedRate { counter: rate.counter.clone(), times, stated_hz: stated, kernel_hz: kernel, drift_ppm })
    };
    let both = [of(&timekeeping.tick_rate, Times::Tick), of(&timekeeping.clock_rate, Times::Clock)];
    both.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(stated: u64, kernel: u64) -> CounterRate {
        CounterRate { stated_hz: Some(stated), kernel_hz: Some(kernel), ..CounterRate::default() }
    }

    #[test]
    fn counters_known_from_one_side_tell_nothing() {
        let half = CounterRate { kernel_hz: None, ..rate(1, 1) };
        assert_eq!(counters(&Timekeeping { clock_rate: Some(half), ..Timekeeping::default() }), []);
        assert_eq!(counters(&Timekeeping { tick_rate: Some(rate(0, 5)), ..Timekeeping::default() }), []);
    }
}
