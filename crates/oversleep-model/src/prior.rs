//! What is known before any sleep is seen, as probabilities, each with its reason. Knowledge of kernels, not fitted to
//! recordings.

use super::group::Group;
use super::propose::Candidate;
use oversleep_recording::Recording;

/// Rates in Hz that kernels are built with, and how often. Distributions choose 250 and 1000, embedded boards and old
/// kernels 100, Windows 64; the rest is met rarely.
const RATES: &[(f64, f64)] = &[
    (100.0, 0.22),
    (250.0, 0.25),
    (1000.0, 0.22),
    (300.0, 0.05),
    (64.0, 0.05),
    (1024.0, 0.02),
    (2000.0, 0.02),
    (128.0, 0.01),
    (60.0, 0.01),
    (500.0, 0.01),
    (512.0, 0.01),
    (200.0, 0.01),
    (10_000.0, 0.01),
    (50.0, 0.005),
    (256.0, 0.005),
    (2048.0, 0.005),
    (2500.0, 0.005),
    (4000.0, 0.005),
    (5000.0, 0.005),
    (24.0, 0.003),
    (32.0, 0.003),
    (48.0, 0.003),
    (600.0, 0.003),
    (1200.0, 0.003),
    (1500.0, 0.003),
    (6000.0, 0.002),
    (8000.0, 0.002),
    (40_000.0, 0.002),
];
/// Rates in Hz that kernels are built with, slowest first.
pub const KNOWN_RATES: [f64; RATES.len()] = {
    let mut all = [0.0; RATES.len()];
    let mut count = 0;
    while count < all.len() {
        let mut at = count;
        while at > 0 && all[at - 1] > RATES[count].0 {
            all[at] = all[at - 1];
            at -= 1;
        }
        all[at] = RATES[count].0;
        count += 1;
    }
    all
};
/// Windows: 15.625 ms by default, 10 ms on old machines, 1 ms and 0.5 ms once somebody asks for it.
const WINDOWS: &[(f64, f64)] = &[(64.0, 0.45), (100.0, 0.12), (1000.0, 0.25), (2000.0, 0.06)];
/// FreeBSD: kern.hz 100 until 2005, 1000 since; Rizzo's tests go to 40 kHz.
const FREEBSD: &[(f64, f64)] =
    &[(100.0, 0.3), (1000.0, 0.4), (2000.0, 0.05), (2500.0, 0.02), (4000.0, 0.03), (5000.0, 0.03), (10_000.0, 0.04)];
/// Rates with this probability compete as equals on a machine whose system is known: which one it has, its sleeps must show.
const OFTEN: f64 = 0.05;
/// Probability of a known rate that a system is not known for.
const ELSEWHERE: f64 = 0.002;

/// Probability of a rate that no kernel is known for, flat in its logarithm from 20 Hz to 60 kHz.
const MEASURED: f64 = 0.03;
const DECADES: f64 = 8.0; // ln(60000 / 20)
/// Probability of a tick that no kernel above is known for and that is a whole number of `STEP` ns long, up to 50 ms: timers
/// are programmed with round lengths.
const ROUND: f64 = 0.01;
const STEP: f64 = 0.5e6;
const STEPS: f64 = 100.0;
/// Probability of another tick of a whole number of hertz, from 20 to 60 000: so kernels are told their rate.
const WHOLE: f64 = 0.01;
/// Probability that the tick is made of the clock that measures it, so that it has no drift at all.
const LOCKED: f64 = 0.3;
/// Half of all other ticks are this near to nominal, in ppm: crystals; miscalibration reaches 1 % (Cauchy).
const DRIFT: f64 = 20.0;

/// How a tick rounds: the laws of `oversleep_sim::law` that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// To the first tick at or after the time (`tick-up`).
    Up,
    /// One tick more (`tick-up` with `extra`).
    UpPlusOne,
    /// Counted from the tick in progress, and one more (`counted-ticks`).
    Counted,
    /// The same, of the whole ticks that the request holds (`counted-ticks`, rounded down and one more).
    CountedDown,
    /// Counted from the last tick (`from-last-tick`).
    Early,
    /// Ends are stamped by a clock that counts these ticks (`coarse-stamps`); the sleeps know nothing of them.
    Stamps,
    /// n − 1 to n ticks, with n rounded down (`freertos-delay`).
    Down,
    /// None of these, though sleeps end at ticks.
    Other,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 8] = [
        Self::Up,
        Self::UpPlusOne,
        Self::Counted,
        Self::CountedDown,
        Self::Early,
        Self::Stamps,
        Self::Down,
        Self::Other,
    ];
}

/// Rules of durations that are one for deadlines.
const OF_DURATIONS: [Rule; 3] = [Rule::UpPlusOne, Rule::Early, Rule::Down];

/// Systems that differ in what their sleeps may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Linux,
    Linux24,
    Windows,
    Windows9,
    Bsd,
    FreeBsd10,
    Mac,
    Unknown,
}

/// What a recording states of its machine, as probabilities.
#[derive(Debug, Clone)]
pub(crate) struct Prior {
    family: Family,
    freebsd: bool,
    high_resolution: Option<bool>,
}

impl Prior {
    /// Returns what a recording states: its system (a simulated kernel's name) and whether its timers are precise.
    pub(crate) fn new(recording: &Recording) -> Self {
        let machine = &recording.meta.machine;
        let name = if machine.system == "simulated" {
            machine.release.to_lowercase()
        } else {
            format!("{}-{}", machine.system, machine.release).to_lowercase()
        };
        Self { high_resolution: machine.timekeeping.high_resolution, ..Self::named(&name) }
    }

    /// Returns what the name of a system states.
    pub(crate) fn named(name: &str) -> Self {
        let is = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        let family = match () {
            () if is(&["linux-2.4"]) => Family::Linux24,
            () if is(&["linux"]) => Family::Linux,
            () if is(&["windows-9"]) => Family::Windows9,
            () if is(&["windows"]) => Family::Windows,
            () if is(&["freebsd-1"]) => Family::FreeBsd10,
            () if is(&["freebsd", "dragonfly", "openbsd", "netbsd", "solaris", "sunos", "illumos"]) => Family::Bsd,
            () if is(&["macos", "darwin", "ios"]) => Family::Mac,
            () => Family::Unknown,
        };
        Self { family, freebsd: name.starts_with("freebsd"), high_resolution: None }
    }

    /// Returns the probability that sleeps of this machine end at ticks.
    pub(crate) fn tick(&self) -> f64 {
        if self.high_resolution == Some(true) {
            return 0.01;
        }
        match self.family {
            Family::Mac | Family::FreeBsd10 => 0.01,
            // Built with high-resolution timers nearly always; recordings are made where they are not.
            Family::Linux => 0.4,
            Family::Windows => 0.8,
            Family::Linux24 | Family::Windows9 | Family::Bsd => 0.95,
            Family::Unknown => 0.5,
        }
    }

    /// Returns the known rates in Hz with their probabilities.
    pub(crate) fn rates(&self) -> Vec<(f64, f64)> {
        let own = match self.family {
            Family::Windows => WINDOWS,
            _ if self.freebsd => FREEBSD,
            _ => RATES,
        };
        let of = |hz: f64| own.iter().find(|known| known.0.total_cmp(&hz).is_eq()).map_or(ELSEWHERE, |known| known.1);
        RATES.iter().map(|&(hz, _)| (hz, of(hz))).collect()
    }

    /// Returns the probability of a rule of a group's sleeps, given ticks. A deadline is the same time by all rules that add
    /// to a duration, or count it from the last tick: of these, one competes.
    pub(crate) fn rule(&self, rule: Rule, group: &Group) -> f64 {
        let of = |rule| self.of_durations(rule, group.wheel);
        match rule {
            _ if !group.has_deadlines() => of(rule),
            Rule::Up => of(rule) + OF_DURATIONS.map(of).iter().sum::<f64>(),
            _ if OF_DURATIONS.contains(&rule) => 0.0,
            _ => of(rule),
        }
    }

    /// Returns the likelihood of a rule from the scores of a group's rules: without how usual it is.
    pub(crate) fn likelihood(&self, scores: &[(Rule, f64)], rule: Rule, group: &Group) -> f64 {
        let rule = if group.has_deadlines() && OF_DURATIONS.contains(&rule) { Rule::Up } else { rule };
        let score = scores.iter().find(|score| score.0 == rule).map_or(f64::NEG_INFINITY, |score| score.1);
        score - self.rule(rule, group).ln()
    }

    /// Returns the probability of a rule of durations on a timer wheel, or not. Linux rounds up, with one more only in low-resolution builds; NT counts
    /// from the last tick; the BSDs and Linux 2.4 count and add one, as do timeouts on a timer wheel.
    pub(crate) fn of_durations(&self, rule: Rule, wheel: bool) -> f64 {
        if wheel {
            // Linux, kernel/time/timer.c: `schedule_timeout` counts from the tick in progress and ends nothing early.
            return match rule {
                Rule::Counted => 0.85,
                Rule::UpPlusOne => 0.1,
                Rule::Other => 0.04,
                Rule::Up | Rule::Stamps => 1e-3,
                Rule::Early | Rule::Down | Rule::CountedDown => 1e-9,
            };
        }
        let [up, plus, counted, early, other] = match self.family {
            Family::Linux | Family::FreeBsd10 | Family::Mac => [0.70, 0.13, 0.10, 1e-3, 0.07],
            Family::Linux24 => [0.15, 0.20, 0.60, 1e-3, 0.05],
            Family::Windows => [0.06, 0.02, 0.02, 0.85, 0.05],
            Family::Windows9 => [0.70, 0.10, 0.10, 0.05, 0.05],
            Family::Bsd => [0.15, 0.20, 0.45, 1e-3, 0.20],
            Family::Unknown => [0.50, 0.10, 0.20, 0.12, 0.08],
        };
        match rule {
            Rule::Up => up,
            Rule::UpPlusOne => plus,
            Rule::Counted => counted,
            // DragonFly's `tvtohz_low` and one more, of January 2004.
            Rule::CountedDown if self.family == Family::Bsd => 0.02,
            Rule::CountedDown => 1e-5,
            Rule::Early => early,
            Rule::Other => other,
            // Kernels of microcontrollers: of no system that is named here.
            Rule::Down if self.family == Family::Unknown => 0.02,
            Rule::Down => 1e-4,
            // Coarse clocks are read by old programs and by the simulator's own tests.
            Rule::Stamps => 0.03,
        }
    }

    /// Returns how usual a rate is, in nats, where that shows nothing of this machine: of any rate where the system is not known,
    /// and of those that its system is often built with.
    pub(crate) fn usual_rate(&self, candidate: &Candidate) -> f64 {
        let often = self.family == Family::Unknown || candidate.usual >= OFTEN.ln();
        if often { candidate.usual } else { 0.0 }
    }

    /// The same of a rule.
    pub(crate) fn usual_rule(&self, rule: Rule, group: &Group) -> f64 {
        let probability = self.rule(rule, group);
        let counts = self.family == Family::Unknown && !group.wheel && probability > 0.0;
        if counts { probability.ln() } else { 0.0 }
    }

    /// Returns the family of the system.
    pub(crate) fn family(&self) -> Family {
        self.family
    }
}

/// Returns the logarithm of the probability of a tick of `period` ns, within a relative error, and the part of it that says
/// how usual its nominal length is. Without a known rate it may have a round length, or any.
pub(crate) fn period(period: f64, known: Option<(f64, f64)>, error: f64) -> (f64, f64) {
    let near = |nominal: f64| {
        let (ppm, width) = ((period / nominal - 1.0) * 1e6, (error * 1e6).max(1e-3));
        let cauchy = |scale: f64| 1.0 / (std::f64::consts::PI * scale * (1.0 + (ppm / scale).powi(2)));
        let density = (1.0 - LOCKED) * cauchy(DRIFT) + LOCKED * cauchy(width.max(0.02));
        (density * 2.5 * width).ln().min(0.0)
    };
    if let Some((hz, probability)) = known {
        return (probability.ln() + near(1e9 / hz), probability.ln());
    }
    let any = (MEASURED * (2.5 * error).min(1.0) / DECADES).ln();
    let (steps, hz) = ((period / STEP).round().clamp(1.0, STEPS), (1e9 / period).round());
    let nominal = [(steps * STEP, (ROUND / STEPS).ln()), (1e9 / hz, (WHOLE / DECADES / hz).ln())];
    let nominal = nominal.map(|(length, usual)| (usual + near(length), usual));
    [(any, 0.0)]
        .into_iter()
        .chain(nominal)
        .fold((f64::NEG_INFINITY, 0.0), |best, one| if one.0 > best.0 { one } else { best })
}
