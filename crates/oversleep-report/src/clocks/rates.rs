//! The rates that the kernel counts by, compared with the stated ones.

use super::{grouped, section, table};
use oversleep_recording::document::clocks::Clocks;
use oversleep_recording::document::evidence::Times;

/// Returns the counters with both rates, and NTP's correction; empty if neither is known.
pub(super) fn text(survey: &Clocks) -> String {
    let ppm = |ppm: f64| format!("{:+.2} ppm", (ppm * 100.0).round() / 100.0 + 0.0);
    let mut out = String::new();
    if !survey.assumed_rates.is_empty() {
        let mut table = table(["counter", "times", "stated, Hz", "kernel's, Hz", "lengthens the tick by"], 2..5);
        for rate in &survey.assumed_rates {
            let times = match rate.times {
                Times::Clock => "the clock",
                Times::Tick => "the tick",
            };
            let (stated, kernel) = (grouped(rate.stated_hz), grouped(rate.kernel_hz));
            table.add_row(vec![rate.counter.clone(), times.to_owned(), stated, kernel, ppm(rate.drift_ppm)]);
        }
        out += &section("Rates of the counters that the kernel tells time by", &table);
    }
    if let Some(correction) = survey.ntp_ppm {
        out += &format!("NTP corrects the clock's rate by {}.\n", ppm(correction));
    }
    out
}
