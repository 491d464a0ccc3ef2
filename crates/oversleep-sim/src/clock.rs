//! The wall clock: a counter with a true rate, an assumed rate and a steered frequency.

use super::params::Parameters;
use super::refuse::ParameterError;
use super::scale::Scale;
use super::tick::micro_hertz;
use super::time::{LIMIT, Ps, ps_from_s};
use super::vocabulary::TimeCounter;
use oversleep_sys::units::{Nanos, ParseNanosError};

/// The ACPI timer's rate.
pub(crate) const ACPI_HZ: u64 = 3_579_545;

/// A change of the clock's frequency during a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrequencyChange {
    /// Time of the change, in true seconds from the beginning. As in `hardclock`, it takes effect at the clock's next
    /// second.
    pub at_s: f64,
    /// New value of `ntp_ppm`.
    pub ntp_ppm: f64,
}

impl std::str::FromStr for FrequencyChange {
    type Err = ParameterError;

    /// Parses for example `300s ntp_ppm=-10`: after five minutes, 10 ppm slower. Nothing else can change while a kernel
    /// runs.
    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let wrong = |why: &str| ParameterError::value("--at", text, why);
        let (at, change) = text.trim().split_once(' ').ok_or_else(|| wrong("write it as '300s ntp_ppm=-10'"))?;
        let at: Nanos = at.parse().map_err(|error: ParseNanosError| wrong(&error.to_string()))?;
        let value = change
            .trim()
            .strip_prefix("ntp_ppm=")
            .ok_or_else(|| wrong("only ntp_ppm can change while a kernel runs, as in '300s ntp_ppm=-10'"))?;
        let ntp_ppm: f64 = value.trim().parse().map_err(|_| wrong("ntp_ppm takes a number"))?;
        if at < Nanos::ZERO || !(-100_000.0..=100_000.0).contains(&ntp_ppm) {
            return Err(wrong("it takes a time after the start, and -100000 to 100000 parts per million"));
        }
        Ok(Self { at_s: at.as_secs_f64(), ntp_ppm })
    }
}

/// Converts true time to the clock's nanoseconds.
#[derive(Debug, Clone)]
pub(crate) struct Clock<S> {
    counts: S,
    /// True picoseconds per count, to find when the clock will show a given time.
    count_time: S,
    assumed_hz: u64,
    true_hz: f64,
    segments: Vec<Segment<S>>,
    /// Index of the segment last used.
    here: usize,
}

/// A time range of constant frequency.
#[derive(Debug, Clone)]
struct Segment<S> {
    from_count: i64,
    from_ns: i64,
    ns: S,
    counts: S,
    /// Approximate nanoseconds per count, where exactness is not needed.
    about_ns: f64,
}

impl<S: Scale> Segment<S> {
    fn new(from_count: i64, from_ns: i64, assumed_hz: u64, ntp_ppm: f64) -> Self {
        const UNIT: i64 = 1_000_000_000_000;
        #[allow(clippy::cast_possible_truncation)] // validated to ±1e5 ppm
        let steered = UNIT + (ntp_ppm * 1e6).round() as i64;
        let numerator = 1_000_000_000 * u128::from(steered.unsigned_abs());
        let denominator = u128::from(assumed_hz) * u128::from(UNIT.unsigned_abs());
        Self {
            from_count,
            from_ns,
            ns: S::new(numerator, denominator),
            counts: S::new(denominator, numerator),
            about_ns: numerator as f64 / denominator as f64,
        }
    }

    fn read(&self, count: i64) -> i64 {
        self.from_ns + self.ns.floor(count - self.from_count)
    }
}

impl<S: Scale> Clock<S> {
    /// Returns the clock of these (accepted) parameters, reading `start_ns` at true time 0.
    pub(crate) fn new(p: &Parameters, start_ns: i64, changes: &[FrequencyChange]) -> Self {
        let (true_micro_hz, assumed_hz) = match p.tc {
            TimeCounter::I8254 => (micro_hertz(p.f_i8254_true_hz), u64::from(p.f_i8254_nom_hz)),
            TimeCounter::Tsc => (micro_hertz(p.tc_true_hz), p.tc_assumed_hz),
            TimeCounter::Acpi => (micro_hertz(ACPI_HZ as f64), ACPI_HZ),
            // Read between ticks: in ns of true time.
            TimeCounter::Ticks => (micro_hertz(1e9), 1_000_000_000),
        };
        let mut clock = Self {
            counts: S::new(true_micro_hz, super::tick::PS_TIMES_MICRO),
            count_time: S::new(super::tick::PS_TIMES_MICRO, true_micro_hz),
            assumed_hz,
            true_hz: true_micro_hz as f64 / 1e6,
            segments: vec![Segment::new(0, start_ns, assumed_hz, p.ntp_ppm)],
            here: 0,
        };
        for change in changes {
            clock.steer(change);
        }
        clock
    }

    /// Adds a segment that begins at the clock's first full second after `change.at_s`.
    fn steer(&mut self, change: &FrequencyChange) {
        let at = ps_from_s(change.at_s).clamp(0, LIMIT);
        let read = self.read_ns(at);
        let rollover = read - read.rem_euclid(1_000_000_000) + 1_000_000_000;
        let when = self.when(rollover, at);
        let from_count = self.counts.floor(when);
        if let Some(last) = self.segments.last() {
            let from_ns = last.read(from_count);
            self.segments.push(Segment::new(from_count, from_ns, self.assumed_hz, change.ntp_ppm));
        }
    }

    /// Returns the clock's reading at true time `t`, in ns.
    pub(crate) fn read_ns(&mut self, t: Ps) -> i64 {
        let count = self.counts.floor(t);
        while self.here + 1 < self.segments.len() && count >= self.segments[self.here + 1].from_count {
            self.here += 1;
        }
        while self.here > 0 && count < self.segments[self.here].from_count {
            self.here -= 1;
        }
        self.segments[self.here].read(count)
    }

    /// Returns the approximate nanoseconds of the clock per true picosecond, where it was read last.
    pub(crate) fn rate(&self) -> f64 {
        self.count_ns() * self.true_hz / 1e12
    }

    /// Returns the approximate nanoseconds between two counts, where it was read last.
    pub(crate) fn count_ns(&self) -> f64 {
        self.segments[self.here].about_ns
    }

    /// Returns how long after `t` the clock's frequency stays as it was at the last reading.
    pub(crate) fn steady_for(&self, t: Ps) -> Ps {
        match self.segments.get(self.here + 1) {
            Some(next) => self.count_time.floor(next.from_count).saturating_sub(t),
            None => Ps::MAX,
        }
    }

    /// Returns the counter's own time, without steering, in ns.
    pub(crate) fn raw_ns(&self, t: Ps) -> i64 {
        let first = &self.segments[0];
        #[allow(clippy::cast_possible_truncation)] // a ratio below 2⁶³ of a count below 2⁶³ in 100 days
        let ns = i128::from(self.counts.floor(t)) * 1_000_000_000 / i128::from(self.assumed_hz);
        first.from_ns.saturating_add(i64::try_from(ns).unwrap_or(i64::MAX))
    }

    /// Returns a true time not before `from` at which the clock reads at least `ns`, at most about one count later than
    /// the first such time.
    pub(crate) fn when(&mut self, ns: i64, from: Ps) -> Ps {
        let mut t = from;
        // Each round finds the exact count unless the frequency changes on the way; then the next one does.
        for _ in 0..self.segments.len() + 4 {
            let missing = ns.saturating_sub(self.read_ns(t));
            if missing <= 0 {
                return t;
            }
            let counts = self.segments[self.here].counts.floor(missing).saturating_add(1);
            let count = self.counts.floor(t).saturating_add(counts);
            let next = match self.segments.get(self.here + 1) {
                // One count beyond the border, and on from there.
                Some(next) if count > next.from_count => next.from_count,
                _ => count,
            };
            t = self.count_time.floor(next).saturating_add(1).max(t.saturating_add(1));
        }
        t
    }
}
