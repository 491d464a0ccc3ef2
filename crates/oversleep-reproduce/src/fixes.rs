//! Rizzo's three fixes, alone and in combination.

use super::runs::{Changes, Experiment};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::document::ReproducedTable;
use oversleep_recording::names;
use oversleep_sim::ParameterError;
use oversleep_sys::units::Nanos;

names! {
    /// One of Rizzo's fixes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Fix {
        /// Fix 1: the timer's rate is rounded to its nominal value, instead of the value from the calibration.
        Calibration = "calibration",
        /// Fix 2: time is cached at every tick (`kern.timecounter.tick` = 1), instead of once per millisecond.
        Clock = "clock",
        /// Fix 3: `tvtohz()` does not add an extra tick.
        Rounding = "rounding",
    }
}

impl Fix {
    const fn changes(self) -> (&'static str, &'static str) {
        match self {
            Self::Calibration => ("cal_stalls_per_s", "0"),
            Self::Clock => ("tc_tick", "1"),
            Self::Rounding => ("round", "ceil"),
        }
    }
}

/// A combination of fixes.
pub(super) struct Fixes(Vec<Fix>);

impl Fixes {
    /// Returns the combinations to show: none, each alone, each pair and all; or if some are picked: none, the picked
    /// ones, and all.
    pub(super) fn shown(picked: &[Fix]) -> Vec<Self> {
        let mut picked = picked.to_vec();
        picked.sort_unstable();
        picked.dedup();
        if !picked.is_empty() {
            let mut shown = vec![Self(Vec::new()), Self(picked)];
            if shown[1].0.len() < Fix::ALL.len() {
                shown.push(Self(Fix::ALL.to_vec()));
            }
            return shown;
        }
        let [one, two, three] = Fix::ALL;
        [&[][..], &[one], &[two], &[three], &[one, two], &[one, three], &[two, three], &[one, two, three]]
            .map(|fixes| Self(fixes.to_vec()))
            .into()
    }

    pub(super) fn name(&self) -> String {
        match self.0.len() {
            0 => "no fix".to_owned(),
            3 => "all three".to_owned(),
            _ => self.0.iter().map(|fix| fix.name()).collect::<Vec<_>>().join(" + "),
        }
    }

    pub(super) fn changes(&self) -> Vec<(&'static str, &'static str)> {
        self.0.iter().map(|fix| fix.changes()).collect()
    }

    /// Returns the number of fixes in the combination.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

/// A duration that is not a whole number of milliseconds: at whole ones two cached times compare equal, and a millionth
/// decides about a millisecond.
pub(super) const ODD_SECOND: Nanos = Nanos::from_micros(1_234_567);

/// Returns the table of the least, mean and greatest error on each kernel.
pub(super) fn table(picked: &[Fix]) -> Result<ReproducedTable, ParameterError> {
    let mut rows = Vec::new();
    for fixes in Fixes::shown(picked) {
        let mut row = vec![fixes.name()];
        let set = fixes.changes();
        for (preset, asked) in [
            ("freebsd-8-hz5000", Nanos::SECOND),
            ("freebsd-8-hz5000", ODD_SECOND),
            ("freebsd-8-hz5000", Nanos::from_secs(10)),
            ("freebsd-8-hz40000", ODD_SECOND),
        ] {
            row.push(errors(preset, &set, asked)?);
        }
        rows.push(row);
    }
    Ok(ReproducedTable {
        title: "the fixes: least / mean / greatest error of usleep in µs, 300 sleeps from anywhere in a tick".into(),
        columns: ["fixes", "5000 Hz, 1 s", "5000 Hz, 1.234567 s", "5000 Hz, 10 s", "40000 Hz, 1.234567 s"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    })
}

fn errors(preset: &str, set: Changes<'_>, asked: Nanos) -> Result<String, ParameterError> {
    let late = Experiment::sleeps(preset, set, MethodId::Usleep, asked, 300).scattered().late()?;
    let us = |ns: f64| format!("{:.0}", ns / 1e3);
    Ok(format!("{} / {} / {}", us(late.least()), us(late.mean()), us(late.greatest())))
}
