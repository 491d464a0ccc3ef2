//! Rizzo's three fixes, each alone and together.

use super::runs::{Changes, Experiment};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::document::ReproducedTable;
use oversleep_sim::ParameterError;
use oversleep_sys::units::Nanos;

/// One of Rizzo's fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fix {
    /// 1: the timer's rate rounded to its nominal value, instead of what the calibration made of it.
    Calibration,
    /// 2: time cached at every tick (`kern.timecounter.tick` = 1), instead of once a millisecond.
    Clock,
    /// 3: no extra tick in `tvtohz()`.
    Rounding,
}

impl Fix {
    /// Every fix, in the order of the mail.
    pub const ALL: [Self; 3] = [Self::Calibration, Self::Clock, Self::Rounding];

    /// Returns the name it is asked for by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Calibration => "calibration",
            Self::Clock => "clock",
            Self::Rounding => "rounding",
        }
    }

    const fn changes(self) -> (&'static str, &'static str) {
        match self {
            Self::Calibration => ("cal_stalls_per_s", "0"),
            Self::Clock => ("tc_tick", "1"),
            Self::Rounding => ("round", "ceil"),
        }
    }
}

/// Some of the fixes, with the name they have together.
pub(super) struct Fixes(Vec<Fix>);

impl Fixes {
    /// Returns the kernels that are shown: without a fix, each alone, each two and all; or only those picked between none and all.
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

    /// Returns how many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

/// At whole milliseconds two cached times compare equal, and a millionth decides about a millisecond.
pub(super) const ODD_SECOND: Nanos = Nanos::from_micros(1_234_567);

/// Returns the least, mean and greatest error of each kernel.
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
        title: "the fixes: least / mean / greatest error of usleep in us, 300 sleeps from anywhere in a tick".into(),
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
