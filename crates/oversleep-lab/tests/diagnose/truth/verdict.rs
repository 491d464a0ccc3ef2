//! The truth about a recording, and verdicts on a diagnosis of it: right, open or false.

use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding};
use oversleep_recording::document::evidence::{ClockDrift, Rounding, TickQuantised, TimerWheel};

/// The truth about one recording.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    /// Causes that must be named for the diagnosis to be right; each also counts if it is a candidate.
    pub(crate) main: Vec<Cause>,
    /// Causes that are also present, and may be named.
    pub(crate) also: Vec<Cause>,
    /// Tick rate, in Hz.
    pub(crate) hz: Option<f64>,
    /// Rounding rules that predict the ends of these sleeps.
    pub(crate) rules: Vec<Rounding>,
    /// How much longer than nominal the tick is, in ppm; NaN if any value is accepted, also in `slack` and `share`.
    pub(crate) drift: f64,
    /// Part of the drift that comes from rates that the kernel assumes wrongly, in ppm.
    pub(crate) calibration: f64,
    /// Constant slack, in ns.
    pub(crate) slack: f64,
    /// Slack as a share of the request.
    pub(crate) share: f64,
    /// Largest constant cost of a wake-up that may be stated, in ns.
    pub(crate) cost: f64,
    /// Largest accepted error of the rate, as a share of it.
    pub(crate) rate_off: f64,
}

impl Truth {
    /// Returns the truth of a kernel whose timers fire when due, with a cost of at most `cost` ns per wake-up.
    pub(crate) fn cost(cost: f64) -> Self {
        Self {
            main: vec![Cause::ConstantCost],
            also: Vec::new(),
            hz: None,
            rules: Vec::new(),
            drift: 0.0,
            calibration: 0.0,
            slack: 0.0,
            share: 0.0,
            cost,
            rate_off: 1.1e-3,
        }
    }

    /// Returns the truth of a kernel whose sleeps end at ticks.
    pub(crate) fn tick(hz: f64, rules: &[Rounding]) -> Self {
        Self {
            main: vec![Cause::TickQuantised],
            also: vec![Cause::ConstantCost],
            hz: Some(hz),
            rules: rules.to_vec(),
            ..Self::cost(100e3)
        }
    }

    /// Makes the tick this many ppm longer, all of it by rates that the kernel assumes wrongly.
    pub(crate) fn drifting(mut self, ppm: f64) -> Self {
        (self.drift, self.calibration) = (ppm, ppm);
        self.also.extend([Cause::ClockDrift, Cause::Calibration, Cause::Sawtooth]);
        self
    }

    /// Adds causes that may be named.
    pub(crate) fn and(mut self, causes: &[Cause]) -> Self {
        self.also.extend(causes);
        self
    }

    /// Replaces the main causes.
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
                // The distance may be a whole number of ticks of their true length, which is not always the nominal
                // one.
                let beside = |alias: f64| off - alias * (off / alias).round();
                let aliases = alias.map_or(Vec::new(), |alias| vec![alias, alias * (1.0 + 1e-6 * self.drift)]);
                // The height of a jump is known to a thousandth, and counts once for each tick in between.
                let known = |alias: f64| 1e-3 * off.abs() + 3.0 * error * (off / alias).abs();
                let same = |alias: &f64| beside(*alias).abs() < 1.0 + known(*alias);
                off.abs() < 1.0 || aliases.iter().any(same) || within(self.drift)
            }
            // A kernel without any error of calibration must not be told to have one.
            Cause::Calibration => {
                let off = (finding.size - self.calibration).abs();
                self.calibration != 0.0 && (off < 1.0 || within(self.calibration))
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
            // From ticks, a cost is the least lateness: few sleeps bound it roughly, and say so.
            Cause::ConstantCost => {
                let bounded = self.hz.is_some() && finding.low.is_some_and(|low| low <= self.cost);
                finding.size <= if bounded { 2.0 * self.cost } else { self.cost }
            }
            _ => true,
        }
    }

    fn rate(&self, said: Option<f64>) -> bool {
        said.is_none_or(|said| self.hz.is_some_and(|hz| (said / hz - 1.0).abs() < self.rate_off))
    }
}

/// The ground truth about a recording, with which a diagnosis can be compared.
pub(crate) trait GroundTruth {
    /// Returns every statement; of a false one with its words.
    fn check<'a>(&self, found: &'a Diagnosis) -> Vec<(&'a Finding, Option<String>)>;
    /// Returns whether a finding names one of the main causes and leaves nothing open.
    fn names(&self, finding: &Finding) -> bool;
    /// Returns whether the truth is among the candidates that a diagnosis leaves open.
    fn among(&self, found: &Diagnosis) -> bool;
    /// Returns the truth in short form.
    fn about(&self) -> String;
}

impl GroundTruth for Truth {
    fn check<'a>(&self, found: &'a Diagnosis) -> Vec<(&'a Finding, Option<String>)> {
        found.all().map(|finding| (finding, (!self.holds(finding)).then(|| words(finding)))).collect()
    }

    fn names(&self, finding: &Finding) -> bool {
        let open = match finding.cause() {
            Cause::TickQuantised => finding.evidence.get::<TickQuantised>().is_none_or(|tick| tick.hz.is_none()),
            _ => false,
        };
        self.main.contains(&finding.cause()) && self.holds(finding) && !open
    }

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

    fn about(&self) -> String {
        let (hz, drift, share, slack) = (self.hz, self.drift, self.share, self.slack);
        format!("{hz:?} Hz, {:?}, drift {drift} ppm, share {share:.5}, slack {slack}", self.rules)
    }
}

/// Verdict on a diagnosis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A main cause is named, and nothing is false.
    Right,
    /// Nothing is false and no main cause is named; the truth is among the candidates.
    Offered,
    /// Nothing is false, no main cause is named, and the truth is not among the candidates.
    Silent,
    /// Some statements are false; these are listed.
    False(Vec<String>),
}

/// Compares a diagnosis with the truth.
pub(crate) fn judge(found: &Diagnosis, truth: &impl GroundTruth) -> Verdict {
    let mut wrong: Vec<String> = truth.check(found).into_iter().filter_map(|(_, wrong)| wrong).collect();
    // Cells often share a finding.
    wrong.dedup();
    if !wrong.is_empty() {
        return Verdict::False(wrong);
    }
    match found.all().any(|finding| truth.names(finding)) {
        true => Verdict::Right,
        false if truth.among(found) => Verdict::Offered,
        false => Verdict::Silent,
    }
}

/// Returns a statement in short form.
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

/// Numbers of verdicts.
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

    /// Returns a row of a Markdown table.
    pub(crate) fn row(&self, name: &str) -> String {
        format!("| {name} | {} | {} | {} | {} |", self.right, self.offered, self.silent, self.wrong)
    }
}

/// The head of the Markdown table.
pub(crate) const HEAD: &str = "| recordings | right | open, truth among the candidates | open | false |\n\
                               | --- | ---: | ---: | ---: | ---: |";
