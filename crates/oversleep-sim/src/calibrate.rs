//! The error of a kernel's timer rates after calibrating them with `DELAY`.
//!
//! FreeBSD's `DELAY` polls the i8254 and corrects for at most one wrap of the counter per poll
//! (sys/amd64/isa/clock.c, FreeBSD 7.3). A stall of D that spans floor(D / Tw) wraps therefore loses exactly that
//! many periods Tw, whatever its phase; the delay lasts longer than requested, and what is counted during it (the TSC,
//! and through it the local APIC) appears faster than it is. At frequencies below 1/D the wraps are too long to be
//! lost, which is why the error starts only beyond some HZ.

use super::params::Parameters;

/// Returns by how much the calibrated timer's rate is overestimated, as a ratio minus one.
pub(crate) fn error(p: &Parameters) -> f64 {
    let rate = u64::from(p.f_i8254_nom_hz);
    let hz = u64::from(p.hz);
    let wrap_us = ((rate + hz / 2) / hz) as f64 / f64::from(p.f_i8254_nom_hz) * 1e6;
    let lost_us = if wrap_us > 0.0 { wrap_us * (p.cal_stall_us / wrap_us).floor() } else { 0.0 };
    p.cal_err + p.cal_stalls_per_s * lost_us / 1e6
}

/// Returns the local APIC's interrupts per tick, and its counts per interrupt, at this tick rate.
///
/// `lapic_setup_clock` (`sys/amd64/amd64/local_apic.c`, FreeBSD 7.3): 1 interrupt per tick from 1500 Hz, 2 from 750 Hz,
/// 4 below, so that the statistics clocks derived from it keep their rate; the period is truncated.
pub(crate) fn lapic_counts(p: &Parameters) -> (u64, u64) {
    let believed = believed(p);
    let hz = u64::from(p.hz);
    let multiple = match hz {
        1500.. => 1,
        750..1500 => 2,
        _ => 4,
    };
    (multiple, believed / (hz * multiple))
}

/// Returns the local APIC timer's rate as the kernel believes it after its calibration, in Hz.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // validated: 1e3..2e10
pub(crate) fn believed(p: &Parameters) -> u64 {
    (p.lapic_true_hz * (1.0 + error(p))).floor() as u64
}
