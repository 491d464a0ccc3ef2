//! What a simulated machine tells about its counters: their stated rates, the rates that its kernel assumes, and how
//! its clock is steered.

use super::calibrate::lapic_counts;
use super::clock::ACPI_HZ;
use super::params::Parameters;
use super::vocabulary::{TickSource, TimeCounter};
use oversleep_recording::machine::{CounterRate, Ntp, Timekeeping};
use oversleep_sys::units::Ppm;

/// Returns the rates of the counters behind clock and tick. A tick that is locked to the clock follows neither.
pub(crate) fn timekeeping(p: &Parameters) -> Timekeeping {
    if p.source == TickSource::Pll {
        return Timekeeping::default();
    }
    Timekeeping { clock_rate: clock(p), tick_rate: tick(p), ..Timekeeping::default() }
}

/// Returns how the clock is steered; `None` for one that nothing steers.
pub(crate) fn ntp(p: &Parameters) -> Option<Ntp> {
    (p.tc != TimeCounter::Ticks).then(|| Ntp { frequency: Ppm::new(p.ntp_ppm), ..Ntp::default() })
}

fn clock(p: &Parameters) -> Option<CounterRate> {
    match p.tc {
        TimeCounter::I8254 => Some(uncalibrated("i8254", p.f_i8254_nom_hz.into())),
        TimeCounter::Tsc => Some(CounterRate {
            counter: "tsc".to_owned(),
            stated_hz: Some(whole(p.tc_true_hz)),
            kernel_hz: Some(p.tc_assumed_hz),
            counts_per_tick: None,
        }),
        TimeCounter::Acpi => Some(uncalibrated("acpi", ACPI_HZ)),
        TimeCounter::Ticks => None,
    }
}

fn tick(p: &Parameters) -> Option<CounterRate> {
    let (nominal, hz) = (u64::from(p.f_i8254_nom_hz), u64::from(p.hz.max(1)));
    match p.source {
        TickSource::I8254 => {
            let counts_per_tick = Some((nominal + hz / 2) / hz);
            Some(CounterRate { counts_per_tick, ..uncalibrated("i8254", nominal) })
        }
        TickSource::Frac => Some(uncalibrated("i8254", nominal)),
        TickSource::Lapic => {
            let (multiple, counts) = lapic_counts(p);
            Some(CounterRate {
                counter: "lapic".to_owned(),
                stated_hz: Some(whole(p.lapic_true_hz)),
                kernel_hz: Some(super::calibrate::believed(p)),
                counts_per_tick: Some(multiple * counts),
            })
        }
        TickSource::Pll | TickSource::Exact => None,
    }
}

/// Returns a counter whose kernel assumes the nominal rate. Whether its crystal keeps that rate, nobody states.
fn uncalibrated(counter: &str, hz: u64) -> CounterRate {
    CounterRate { counter: counter.to_owned(), stated_hz: Some(hz), kernel_hz: Some(hz), counts_per_tick: None }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // validated: 1e3..1e10
fn whole(hz: f64) -> u64 {
    hz.round() as u64
}

#[cfg(test)]
mod tests {
    use super::super::kernel::Kernel;
    use super::*;

    #[test]
    fn counters_have_the_rates_of_the_preset() {
        let of = |name: &str| timekeeping(Kernel::preset(name).unwrap().parameters());
        let rizzo = of("freebsd-8-hz5000");
        let lapic = rizzo.tick_rate.unwrap();
        // One wrap of the i8254 lost in each of 31 stalls a second: 239 / 1193182 s each.
        assert_eq!((lapic.stated_hz, lapic.kernel_hz), (Some(100_000_000), Some(100_620_944)));
        assert_eq!((lapic.counts_per_tick, rizzo.clock_rate.unwrap().counter.as_str()), (Some(20_124), "acpi"));
        let herman = of("dragonfly-1.0");
        let tsc = herman.clock_rate.unwrap();
        assert_eq!((tsc.stated_hz, tsc.kernel_hz), (Some(1_000_000_000), Some(1_000_005_330)));
        assert_eq!(herman.tick_rate.unwrap().counts_per_tick, Some(11_932));
        assert_eq!(of("dragonfly-pll"), Timekeeping::default());
        assert_eq!(ntp(Kernel::preset("linux-2.4").unwrap().parameters()), None);
    }
}
