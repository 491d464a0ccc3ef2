//! Validation of parameters. Whatever is accepted here simulates without panic or hang.

use super::calibrate;
use super::params::Parameters;
use super::refuse::ParameterError;
use super::vocabulary::{Mechanism, Rounding, TickSource, TimeCounter};

/// Checks that these parameters are valid for a kernel.
pub(crate) fn validate(p: &Parameters) -> Result<(), ParameterError> {
    rates(p)?;
    spans(p)?;
    shares(p)?;
    ticks(p)
}

/// Highest accepted tick rate, in Hz. The highest published one is 40 000.
const MOST_HZ: u64 = 100_000;

/// Rejects a value outside `low..=high`; NaN is outside every range.
fn within(name: &'static str, value: f64, low: f64, high: f64, domain: &'static str) -> Result<(), ParameterError> {
    if value >= low && value <= high { Ok(()) } else { Err(ParameterError::Domain { name, value, domain }) }
}

fn rates(p: &Parameters) -> Result<(), ParameterError> {
    const COUNTER: &str = "the rates of a counter, 1 kHz to 10 GHz";
    within("hz", f64::from(p.hz), 1.0, MOST_HZ as f64, "1 to 100000 ticks per second")?;
    within("f_i8254_true_hz", p.f_i8254_true_hz, 1e3, 1e10, COUNTER)?;
    within("f_i8254_nom_hz", f64::from(p.f_i8254_nom_hz), 1e3, 1e10, COUNTER)?;
    within("lapic_true_hz", p.lapic_true_hz, 1e3, 1e10, COUNTER)?;
    within("tc_true_hz", p.tc_true_hz, 1e3, 1e10, COUNTER)?;
    within("tc_assumed_hz", p.tc_assumed_hz as f64, 1e3, 1e10, COUNTER)?;
    within("ntp_ppm", p.ntp_ppm, -100_000.0, 100_000.0, "-100000 to 100000 parts per million")?;
    within("cal_err", p.cal_err, -0.5, 1.0, "-0.5 to 1")?;
    within("cal_stalls_per_s", p.cal_stalls_per_s, 0.0, 1e4, "0 to 10000 per second")?;
    within("cal_stall_us", p.cal_stall_us, 0.0, 1e5, "0 to 100000 µs")?;
    within(
        "calibration error",
        calibrate::error(p),
        -0.5,
        1.0,
        "-0.5 to 1; lower cal_err, cal_stalls_per_s or cal_stall_us",
    )?;
    within("event_rate_hz", p.event_rate_hz, 0.0, 1e7, "0 to 10 million per second")?;
    within("read_unit_ns", f64::from(p.read_unit_ns), 1.0, 1e8, "1 ns to 100 ms")?;
    within("tc_tick", f64::from(p.tc_tick), 0.0, 1e4, "0 (FreeBSD's rule) to 10000 ticks")
}

fn spans(p: &Parameters) -> Result<(), ParameterError> {
    const SPAN: &str = "0 to 10 s, in µs";
    let spans = [
        ("irq_us", p.irq_us),
        ("lat_base_us", p.lat_base_us),
        ("lat_exp_us", p.lat_exp_us),
        ("idle_exit_us", p.idle_exit_us),
        ("idle_after_us", p.idle_after_us),
        ("syscall_us", p.syscall_us),
        ("call_us", p.call_us),
        ("loop_us", p.loop_us),
        ("daemon_us", p.daemon_us),
        ("slack_us", p.slack_us),
        ("select_slack_cap_us", p.select_slack_cap_us),
        ("slack_cap_us", p.slack_cap_us),
        ("sleep_hard_us", p.sleep_hard_us),
        ("yield_us", p.yield_us),
    ];
    for (name, value) in spans {
        within(name, value, 0.0, 1e7, SPAN)?;
    }
    within("extra_ticks", f64::from(p.extra_ticks), 0.0, 10.0, "0 to 10 ticks")?;
    within("daemon_from_s", p.daemon_from_s, 0.0, 8.64e6, "0 to 100 days, in s")?;
    within("quantum_ms", p.quantum_ms, 0.001, 1e4, "1 µs to 10 s, in ms")?;
    within("yield_busy_ms", p.yield_busy_ms, 0.0, 1e4, "0 to 10 s, in ms")?;
    within("yield_busy_sd_ms", p.yield_busy_sd_ms, 0.0, 1e4, "0 to 10 s, in ms")?;
    if p.tick_period_us != 0.0 {
        within("tick_period_us", p.tick_period_us, 1.0, 1e7, "0 (from hz) or 1 µs to 10 s")?;
    }
    Ok(())
}

/// Largest multiple of the request that a kernel may be late by (XNU's `latency_qos_scale` of -15).
const MOST_OF_REQUEST: f64 = 32_768.0;

fn shares(p: &Parameters) -> Result<(), ParameterError> {
    within("select_slack_frac", p.select_slack_frac, 0.0, MOST_OF_REQUEST, "0 to 32768")?;
    within("p_run", p.p_run, 0.01, 1.0, "0.01 to 1")?;
    within("slack_shift", f64::from(p.slack_shift), -16.0, 62.0, "-16 to 62")?;
    within("tick_phase", p.tick_phase.max(0.0), 0.0, 1.0, "0 to 1 (or below zero: from the seed)")?;
    within("wall_start_s", p.wall_start_s.max(0.0), 0.0, 1.0, "0 to 1 s (or below zero: from the seed)")?;
    if p.tick_phase.is_nan() || p.wall_start_s.is_nan() {
        return Err(ParameterError::Domain { name: "tick_phase, wall_start_s", value: f64::NAN, domain: "numbers" });
    }
    within("alloweddeviation", f64::from(p.alloweddeviation), 0.0, 100.0, "0 to 100 per cent")?;
    match p.long_bits {
        32 | 64 => Ok(()),
        bits => {
            Err(ParameterError::Domain { name: "long_bits", value: f64::from(bits), domain: "the widths 32 and 64" })
        }
    }
}

fn ticks(p: &Parameters) -> Result<(), ParameterError> {
    if matches!(p.source, TickSource::I8254 | TickSource::Frac | TickSource::Pll) {
        reload(p)?;
    }
    if p.source == TickSource::Lapic && calibrate::lapic_counts(p).1 < 1 {
        return Err(ParameterError::Lapic(p.hz));
    }
    if p.round == Rounding::Hzto44 && p.mechanism == Mechanism::Tick && p.hz > 1000 {
        return Err(ParameterError::Hzto44(p.hz));
    }
    if p.tc == TimeCounter::Ticks && p.ntp_ppm != 0.0 {
        return Err(ParameterError::SteeredTicks);
    }
    if p.source == TickSource::Pll {
        if p.tc == TimeCounter::Ticks {
            return Err(ParameterError::PllOnTicks);
        }
        if p.tc_tick > 64 || p.tc_tick == 0 && p.hz > 60_000 {
            return Err(ParameterError::PllWindup(p.tc_tick));
        }
    }
    Ok(())
}

/// Checks that the i8254's divisor fits into its reload register of 16 bits.
fn reload(p: &Parameters) -> Result<(), ParameterError> {
    let (rate, hz) = (u64::from(p.f_i8254_nom_hz), u64::from(p.hz));
    // Both fractional sources also load the truncated divisor plus one.
    let divisor = if p.source == TickSource::I8254 { (rate + hz / 2) / hz } else { rate / hz + 1 };
    if (2..=65_535).contains(&divisor) {
        return Ok(());
    }
    Err(ParameterError::Divisor { hz: p.hz, divisor, least: rate / 65_535 + 1, most: (rate / 2).min(MOST_HZ) })
}
