//! Comparison of a diagnosis with the kernel that the recording came from.

use super::design::{Design, of_method};
use super::kernel::{Foreign, Noise, Rule};
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding, diagnose};
use oversleep_lab::import::csv;
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{Rounding, TickQuantised};
use std::collections::{BTreeMap, BTreeSet};

/// The result for one recording, by field.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Fields with a right statement.
    pub(crate) right: Vec<&'static str>,
    /// Fields that were left open.
    pub(crate) open: Vec<&'static str>,
    /// Fields with a wrong statement, and the statement.
    pub(crate) wrong: Vec<(&'static str, String)>,
    /// Causes that were found but that the kernel does not have.
    pub(crate) foreign: BTreeSet<&'static str>,
}

impl Verdict {
    fn mark(&mut self, field: &'static str, told: Option<bool>, said: impl std::fmt::Debug) {
        match told {
            Some(true) => self.right.push(field),
            Some(false) => self.wrong.push((field, format!("{said:?}"))),
            None => self.open.push(field),
        }
    }
}

/// The results of many recordings.
#[derive(Debug, Default)]
pub(crate) struct Score {
    /// Number of right, open and wrong fields, by name.
    pub(crate) fields: BTreeMap<&'static str, [usize; 3]>,
    /// Number of recordings.
    pub(crate) recordings: usize,
    /// Number of recordings without a wrong statement or a false cause.
    pub(crate) clean: usize,
    /// Number of recordings with a false cause, by cause.
    pub(crate) foreign: BTreeMap<&'static str, usize>,
    /// Number of recordings with any false cause.
    pub(crate) with_foreign: usize,
}

impl Score {
    pub(crate) fn add(&mut self, verdict: &Verdict) {
        self.recordings += 1;
        self.clean += usize::from(verdict.wrong.is_empty() && verdict.foreign.is_empty());
        self.with_foreign += usize::from(!verdict.foreign.is_empty());
        let mut count = |field: &'static str, at: usize| self.fields.entry(field).or_default()[at] += 1;
        verdict.right.iter().for_each(|field| count(field, 0));
        verdict.open.iter().for_each(|field| count(field, 1));
        verdict.wrong.iter().for_each(|(field, _)| count(field, 2));
        for cause in &verdict.foreign {
            *self.foreign.entry(cause).or_default() += 1;
        }
    }

    /// Adds the results of another run.
    pub(crate) fn join(&mut self, other: &Self) {
        self.recordings += other.recordings;
        self.clean += other.clean;
        self.with_foreign += other.with_foreign;
        for (field, counts) in &other.fields {
            let mine = self.fields.entry(field).or_default();
            mine.iter_mut().zip(counts).for_each(|(mine, more)| *mine += more);
        }
        for (cause, count) in &other.foreign {
            *self.foreign.entry(cause).or_default() += count;
        }
    }

    /// Returns the results as a Markdown table.
    pub(crate) fn table(&self) -> String {
        let mut text = String::from("| field | right | left open | wrong |\n| --- | ---: | ---: | ---: |\n");
        for (field, [right, open, wrong]) in &self.fields {
            text += &format!("| {field} | {right} | {open} | {wrong} |\n");
        }
        let causes: Vec<String> = self.foreign.iter().map(|(cause, count)| format!("{cause} {count}")).collect();
        let causes = if causes.is_empty() { "none".into() } else { causes.join(", ") };
        text + &format!(
            "\nNothing wrong in {} of {} recordings; false causes in {} ({causes}).\n",
            self.clean, self.recordings, self.with_foreign
        )
    }
}

/// Diagnoses a table and compares the result with the kernel.
pub(crate) fn judge(kernel: &Foreign, design: &Design, table: &str) -> Verdict {
    let recording = csv::read(table.as_bytes(), "foreign.csv").expect("the generator writes tables that can be read");
    let found = diagnose(&recording);
    let mut verdict = Verdict::default();
    ticks(kernel, design, &found, &mut verdict);
    drift(kernel, design, &found, &mut verdict);
    slack(kernel, design, &recording, &found, &mut verdict);
    wheel(design, &recording, &found, &mut verdict);
    strangers(kernel, &found, &mut verdict);
    verdict
}

fn machine(found: &Diagnosis, cause: Cause) -> Option<&Finding> {
    found.machine.iter().find(|finding| finding.cause() == cause)
}

fn ticks(kernel: &Foreign, design: &Design, found: &Diagnosis, verdict: &mut Verdict) {
    let tick = machine(found, Cause::TickQuantised);
    let seen = found.has(Cause::TickQuantised);
    let few = found.undecided.iter().any(|open| open.question.contains("what rules"));
    // With sleeps back to back or to whole seconds, fast ticks may be taken for a cost; leaving that open is not wrong.
    let open = found.undecided.iter().any(|open| open.question.contains("fast ticks"));
    let told = if tick.is_none() && (few || (open && kernel.ticks())) {
        None
    } else {
        Some(tick.is_some() == kernel.ticks() && seen == kernel.ticks())
    };
    verdict.mark("tick or not", told, seen);
    let Some(tick) = tick.filter(|_| kernel.ticks()) else { return };
    let evidence = tick.evidence.get::<TickQuantised>().expect("its evidence");
    let (hz, candidates) = (*evidence.hz, evidence.hz_candidates.as_ref());
    // A rate that is not a listed one is measured, to a thousandth.
    verdict.mark("rate", hz.map(|hz| (hz / kernel.hz - 1.0).abs() < 1.1e-3), (hz, candidates));
    if let (None, Some(list)) = (hz, candidates) {
        let among = list.iter().any(|hz| (hz / kernel.hz - 1.0).abs() < 1.1e-3);
        verdict.mark("rate among the candidates", Some(among), list);
    }
    let rule = evidence.rounding.map(Rounding::name);
    // Just after a tick, NT's rule and the first tick at or after the time are the same.
    let one_place = matches!(design, Design::WallSecond { .. } | Design::Fixed { .. } | Design::Paused { .. });
    let same = kernel.rule == Rule::Early && one_place;
    let right = |rule: &str| rule == kernel.rule.rounding() || (same && rule == "up");
    verdict.mark("rule", rule.map(right), rule);
}

fn drift(kernel: &Foreign, design: &Design, found: &Diagnosis, verdict: &mut Verdict) {
    if !kernel.ticks() || machine(found, Cause::TickQuantised).is_none() {
        return;
    }
    let drift = machine(found, Cause::ClockDrift);
    let size = drift.map_or(0.0, |drift| drift.size);
    let within = drift.is_some_and(|drift| {
        drift.low.is_some_and(|low| low <= kernel.drift) && drift.high.is_some_and(|high| kernel.drift <= high)
    });
    // With sleeps a second apart, a drift cannot be distinguished from one that differs by a whole tick per second.
    let per_second = if matches!(design, Design::WallSecond { .. }) { 1e6 / kernel.hz } else { f64::INFINITY };
    let off = |size: f64| {
        let off = size - kernel.drift;
        if per_second.is_finite() { off - per_second * (off / per_second).round() } else { off }
    };
    let right = off(size).abs() < 1.0 || within;
    verdict.mark(
        "drift",
        if drift.is_none() && !right { None } else { Some(right) },
        (size, drift.map(|d| (d.low, d.high))),
    );
    if let Design::WallSecond { .. } = design {
        let slope = found.all().find(|finding| finding.cause() == Cause::Sawtooth).map(|finding| finding.size);
        let told = slope.map(|slope| off(slope).abs() < 0.5 + 0.01 * kernel.drift.abs());
        // It is right not to state a drift that is too small to be seen in the scatter.
        let told = if slope.is_none() && kernel.drift.abs() < 1.0 { Some(true) } else { told };
        verdict.mark("sawtooth", told, slope);
    }
}

fn slack(kernel: &Foreign, design: &Design, recording: &Recording, found: &Diagnosis, verdict: &mut Verdict) {
    for cell in &found.cells {
        let plan = &recording.meta.plan.cells[cell.cell as usize];
        let rule =
            if matches!(design, Design::Methods { .. }) { of_method(&plan.method, kernel.rule) } else { kernel.rule };
        let (slack, share, cap) = match rule {
            Rule::Timer { slack, share, cap } => (slack, share, cap),
            _ => (0.0, 0.0, 0.0),
        };
        let of = |cause: Cause| cell.findings.iter().find(|finding| finding.cause() == cause);
        match of(Cause::TimerSlack) {
            Some(finding) if slack > 0.0 => {
                verdict.mark("slack", Some((finding.size / slack - 1.0).abs() < 0.05), finding.size);
            }
            Some(_) => {
                verdict.foreign.insert("timer-slack");
            }
            None if slack > 0.0 => verdict.mark("slack", None, ()),
            None => {}
        }
        let stretched = (share * plan.pattern.typical().as_f64()).min(cap);
        match of(Cause::ProportionalSlack) {
            Some(finding) if share > 0.0 => {
                verdict.mark("share", Some((finding.size / share - 1.0).abs() < 0.05), finding.size);
            }
            Some(_) => {
                verdict.foreign.insert("proportional-slack");
            }
            None if stretched > slack + 20e3 => verdict.mark("share", None, ()),
            None => {}
        }
    }
}

fn wheel(design: &Design, recording: &Recording, found: &Diagnosis, verdict: &mut Verdict) {
    for cell in &found.cells {
        let method = recording.meta.plan.cells[cell.cell as usize].method.as_str();
        let seen = cell.findings.iter().any(|finding| finding.cause() == Cause::TimerWheel);
        match (method, design) {
            ("rcvtimeo", Design::Methods { .. }) => verdict.mark("wheel", seen.then_some(true), seen),
            _ if seen => {
                verdict.foreign.insert("timer-wheel");
            }
            _ => {}
        }
    }
}

/// Marks causes that the kernel does not have. A missing tick, slack or share is counted elsewhere.
fn strangers(kernel: &Foreign, found: &Diagnosis, verdict: &mut Verdict) {
    let early = kernel.rule == Rule::Early || kernel.drift < -5.0 || kernel.resolution > 900.0;
    for finding in found.all() {
        let has = match finding.cause() {
            Cause::TickQuantised
            | Cause::ConstantCost
            | Cause::TimerSlack
            | Cause::ProportionalSlack
            | Cause::TimerWheel => true,
            Cause::ClockDrift | Cause::Sawtooth => kernel.ticks(),
            Cause::EarlyWake => early,
            Cause::PeriodicInterference => matches!(kernel.noise, Noise::Bursts { .. }),
            _ => false,
        };
        if !has {
            verdict.foreign.insert(finding.cause().name());
        }
    }
}
