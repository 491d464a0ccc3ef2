//! How slow the machine is, measured by the cost of reading its clocks.

use oversleep_recording::Bracket;
use oversleep_recording::plan::ClockName;

/// Slower readings of a pair of clocks than this, in ns, are due to the processor, or to a counter outside it.
const DEAR: f64 = 1_000.0;
/// Most brackets used.
const ENOUGH: usize = 2_000;

/// Returns what reading a pair of clocks costs, in ns, if the processor causes it. `None` where it is not known, or
/// where a counter outside the processor (HPET, ACPI timer) takes most of it and so shows nothing of wake-ups.
pub fn read(brackets: &[Bracket]) -> Option<f64> {
    let width = brackets.first().map(|bracket| bracket.width.as_f64()).filter(|&width| width > 0.0)?;
    let far = || resolution(brackets).is_some_and(|step| !(40.0..=120.0).contains(&(width / step)));
    (width <= DEAR || !far()).then_some(width)
}

/// Returns the step of the clocks' counter in ns: the difference between two clocks on one counter changes by whole
/// steps. Where time is counted in instructions, a step is one of them, and reading a pair takes some sixty to eighty.
fn resolution(brackets: &[Bracket]) -> Option<f64> {
    let mut apart: Vec<i64> = brackets
        .iter()
        .filter(|bracket| bracket.clock == ClockName::Realtime)
        .take(ENOUGH)
        .map(|bracket| bracket.reading.get().saturating_sub(bracket.monotonic.get()))
        .collect();
    apart.sort_unstable();
    // Conversion to nanoseconds is off by one at times.
    let steps = apart.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| (3..20_000).contains(step));
    steps.min().map(|step| step as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;

    /// Returns brackets of this width whose clocks differ by these values, in ns.
    fn brackets(width: i64, apart: &[i64]) -> Vec<Bracket> {
        let bracket = |(at, apart): (usize, &i64)| {
            let monotonic = Nanos::new(1_000_000 * i64::try_from(at).unwrap());
            let reading = monotonic.saturating_add(Nanos::new(*apart));
            Bracket { clock: ClockName::Realtime, monotonic, width: Nanos::new(width), reading }
        };
        apart.iter().enumerate().map(bracket).collect()
    }

    #[test]
    fn a_slow_counter_is_no_slow_processor() {
        assert_eq!(read(&brackets(300, &[0, 4, 8])), Some(300.0));
        // 32 ns per instruction; the ACPI timer's 279 ns; an emulated HPET's 10 ns.
        assert_eq!(read(&brackets(1_792, &[0, 32, 33, 64])), Some(1_792.0));
        assert_eq!(read(&brackets(1_986, &[0, 1, 279, 280, 3_632])), None);
        assert_eq!(read(&brackets(2_086, &[0, 10, 3_990])), None);
        assert_eq!(read(&[]), None);
    }
}
