//! The kernel's protection against a runaway real-time thread that uses the whole machine, as far as the kernel reports
//! it.
//!
//! Linux allows FIFO and RR threads together `sched_rt_runtime_us` of every `sched_rt_period_us`, 95 % by default;
//! −1 removes that limit. Since 6.12 a deadline server reserves 50 ms of every second for fair threads instead
//! where it is built in, and the numbers below limit deadline threads only.

use oversleep_recording::machine::RtGuard;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::fs;

const RUNTIME: &str = "/proc/sys/kernel/sched_rt_runtime_us";
const PERIOD: &str = "/proc/sys/kernel/sched_rt_period_us";

/// Returns the kernel's limit on real-time threads.
pub fn read() -> Result<RtGuard, Refusal> {
    let text = |path: &str| fs::read_to_string(path).map_err(|error| Refusal::from_os(path, &error));
    parse(&text(RUNTIME)?, &text(PERIOD)?)
        .ok_or_else(|| Refusal::Failed(format!("{RUNTIME} and {PERIOD} are not the numbers they should be")))
}

fn parse(runtime_us: &str, period_us: &str) -> Option<RtGuard> {
    let us = |text: &str| text.trim().parse::<i32>().ok().map(i64::from);
    let (runtime, period) = (us(runtime_us)?, us(period_us)?);
    Some(RtGuard { runtime: (runtime >= 0).then(|| Nanos::from_micros(runtime)), period: Nanos::from_micros(period) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minus_one_guards_nothing() {
        let share = |runtime| parse(runtime, "1000000\n").unwrap().share();
        assert!((share("950000\n") - 0.95).abs() < 1e-12);
        assert!((share("-1\n") - 1.0).abs() < 1e-12);
        assert!(share("0").abs() < 1e-12);
        assert_eq!(parse("", "1"), None);
    }
}
