//! What is so of a recording, and what a diagnosis said of it: right, open or false.

use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding};
use oversleep_recording::document::evidence::{ClockDrift, Rounding, TickQuantised, TimerWheel};

/// What is so of one recording.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    /// Causes that must be named for the diagnosis to be right; each also counts as a candidate.
    pub(crate) main: Vec<Cause>,
    /// Causes that are there as well, and may be named.
    pub(crate) also: Vec<Cause>,
    /// The tick's rate, in Hz.
    pub(crate) hz: Option<f64>,
    /// Rounding rules that end these sleeps where they ended.
    pub(crate) rules: Vec<Rounding>,
    /// How much longer the tick is than its name says, in ppm; not a number where any is accepted, as in `slack` and
    /// `share`.
    pub(crate) drift: f64,
    /// Constant slack, in ns.
    pub(crate) slack: f64,
    /// Slack as a share of the request.
    pub(crate) share: f64,
    /// The largest constant cost of a wake-up that may be named, in ns.
    pub(crate) cost: f64,
    /// How far the rate said may be from it.
    pub(crate) rate_off: f64,
}

impl Truth {
    /// A kernel whose timers fire when due: a wake-up costs up to `cost` ns.
    pub(crate) fn cost(cost: f64) -> Self {
        Self {
            main: vec![Cause::ConstantCost],
            also: Vec::new(),
            hz: None,
            rules: Vec::new(),
            drift: 0.0,
            slack: 0.0,
            share: 0.0,
            cost,
            rate_off: 1.1e-3,
        }
    }

    /// A kernel whose sleeps end at ticks.
    pub(crate) fn tick(hz: f64, rules: &[Rounding]) -> Self {
        Self {
            main: vec![Cause::TickQuantised],
            also: vec![Cause::ConstantCost],
            hz: Some(hz),
            rules: rules.to_vec(),
            ..Self::cost(100e3)
        }
    }

    /// With the tick longer by this many ppm.
    pub(crate) fn drifting(mut self, ppm: f64) -> Self {
        self.drift = ppm;
        self.also.extend([Cause::ClockDrift, Cause::Sawtooth]);
        self
    }

    /// With these causes beside the main ones.
    pub(crate) fn and(mut self, causes: &[Cause]) -> Self {
        self.also.extend(causes);
        self
    }

    /// With other main causes.
    pub(crate) fn mainly(mut self, causes: &[Cause]) -> Self {
        self.main = causes.to_vec();
        self
    }

    /// Returns whether a statement is true.
    pub(crate) fn holds(&self, finding: &Finding) -> bool {
        let cause = finding.cause();
        let within =
            |truth: f64| finding.low.is_none_or(|low| low <= truth) && finding.high.is_none_or(|high| truth <= high);
        if !self.main.contains(&cause) && !self.also.contains(&cause) {
            return false;
        }
        match cause {
            Cause::TickQuantised => finding
                .evidence
                .get::<TickQuantised>()
                .is_some_and(|tick| self.rate(*tick.hz) && tick.rounding.is_none_or(|rule| self.rules.contains(&rule))),
            Cause::TimerWheel => finding.evidence.get::<TimerWheel>().is_some_and(|wheel| self.rate(*wheel.hz)),
            Cause::ClockDrift | Cause::Sawtooth if self.drift.is_nan() => true,
            Cause::ClockDrift => {
                let evidence = finding.evidence.get::<ClockDrift>();
                let alias = evidence.and_then(|drift| drift.alias_ppm);
                let error = evidence.and_then(|drift| drift.alias_error_ppm).unwrap_or(0.0);
                let off = finding.size - self.drift;
                // Whole ticks of the length that they have, which is not always the one in their name.
                let beside = |alias: f64| off - alias * (off / alias).round();
                let aliases = alias.map_or(Vec::new(), |alias| vec![alias, alias * (1.0 + 1e-6 * self.drift)]);
                // A jump's height is known to a thousandth, and counts as often as there are ticks between.
                let known = |alias: f64| 1e-3 * off.abs() + 3.0 * error * (off / alias).abs();
                let same = |alias: &f64| beside(*alias).abs() < 1.0 + known(*alias);
                off.abs() < 1.0 || aliases.iter().any(same) || within(self.drift)
            }
            Cause::Sawtooth => {
                let every = self.hz.map_or(f64::INFINITY, |hz| 1e6 / hz * (1.0 + 1e-6 * self.drift));
                let off = finding.size - self.drift;
                (off - every * (off / every).round()).abs() < 0.5 + 0.01 * finding.size.abs()
            }
            Cause::TimerSlack if self.slack.is_nan() => true,
            Cause::ProportionalSlack if self.share.is_nan() => true,
            // A size outside its own interval is false whatever the truth is.
            Cause::TimerSlack => (finding.size / self.slack - 1.0).abs() < 0.2 && within(finding.size),
            Cause::ProportionalSlack => (finding.size / self.share - 1.0).abs() < 0.05 || within(self.share),
            Cause::ConstantCost => finding.size <= self.cost,
            _ => true,
        }
    }

    fn rate(&self, said: Option<f64>) -> bool {
        said.is_none_or(|said| self.hz.is_some_and(|hz| (said / hz - 1.0).abs() < self.rate_off))
    }

    /// Returns whether a finding names one of the main causes with nothing left open.
    fn names(&self, finding: &Finding) -> bool {
        let open = match finding.cause() {
            Cause::TickQuantised => finding.evidence.get::<TickQuantised>().is_none_or(|tick| tick.hz.is_none()),
            _ => false,
        };
        self.main.contains(&finding.cause()) && self.holds(finding) && !open
    }

    /// Returns whether the truth is among what a diagnosis leaves open.
    fn among(&self, found: &Diagnosis) -> bool {
        let offered = found.undecided.iter().flat_map(|open| &open.candidates);
        let listed = offered.into_iter().any(|candidate| {
            let named = self.main.iter().any(|cause| candidate.starts_with(cause.name()));
            let rate = candidate.split(' ').find_map(|word| word.parse::<f64>().ok());
            named && self.rate(rate)
        });
        let rates = found.all().filter_map(|finding| finding.evidence.get::<TickQuantised>());
        let mut open = rates.filter_map(|tick| tick.hz_candidates.as_ref());
        listed || (self.hz.is_some() && open.any(|rates| rates.iter().any(|hz| self.rate(Some(*hz)))))
    }
}

/// How a diagnosis stands beside the truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A main cause is named, and nothing false.
    Right,
    /// Nothing false, no main cause named; the truth is among the candidates.
    Offered,
    /// Nothing false, no main cause named, and the truth is not among the candidates.
    Silent,
    /// Something is stated that is not so.
    False(Vec<String>),
}

/// Judges a diagnosis.
pub(crate) fn judge(found: &Diagnosis, truth: &Truth) -> Verdict {
    let wrong: Vec<String> = found.all().filter(|finding| !truth.holds(finding)).map(words).collect();
    if !wrong.is_empty() {
        return Verdict::False(wrong);
    }
    match found.all().any(|finding| truth.names(finding)) {
        true => Verdict::Right,
        false if truth.among(found) => Verdict::Offered,
        false => Verdict::Silent,
    }
}

/// A statement in short.
pub(crate) fn words(finding: &Finding) -> String {
    let tick = finding.evidence.get::<TickQuantised>();
    let rate = tick.map_or(String::new(), |tick| {
        format!(" {:?} Hz {:?} of {:?}", *tick.hz, tick.rounding.map(Rounding::name), tick.hz_candidates)
    });
    format!(
        "{} {:.4} ({:.4?} to {:.4?}) sure {:.3}{rate}",
        finding.cause(),
        finding.size,
        finding.low.unwrap_or(f64::NAN),
        finding.high.unwrap_or(f64::NAN),
        finding.confidence
    )
}

/// Verdicts counted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) right: usize,
    pub(crate) offered: usize,
    pub(crate) silent: usize,
    pub(crate) wrong: usize,
}

impl Tally {
    pub(crate) fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Right => self.right += 1,
            Verdict::Offered => self.offered += 1,
            Verdict::Silent => self.silent += 1,
            Verdict::False(_) => self.wrong += 1,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.offered += other.offered;
        self.silent += other.silent;
        self.wrong += other.wrong;
    }

    pub(crate) fn all(&self) -> usize {
        self.right + self.offered + self.silent + self.wrong
    }

    /// A row of a table in markdown.
    pub(crate) fn row(&self, name: &str) -> String {
        format!("| {name} | {} | {} | {} | {} |", self.right, self.offered, self.silent, self.wrong)
    }
}

/// The head of that table.
pub(crate) const HEAD: &str = "| recordings | right | open, truth among the candidates | open | false |\n\
                               | --- | ---: | ---: | ---: | ---: |";
