//! `bounds`: whether sleeps are later than a bound as often as it says, in ten made-up regimes of a million sleeps each, and between
//! recordings of this machine that are named after `--`.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool;
use oversleep_lab::analysis::bounds::{DueSleep, bound};
use oversleep_recording::Recording;
use oversleep_recording::document::TailBound;
use oversleep_recording::file::Reader;
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// Risks that are promised.
const RISKS: [f64; 3] = [1e-2, 1e-3, 1e-4];
/// Sleeps of a regime, one a millisecond, and of the minute from which a bound is computed.
const SLEEPS: usize = 1_000_000;
const MINUTE: usize = 60_000;
/// Goal: the exceedances are within this factor of the risk.
const FACTOR: f64 = 2.0;

/// How late sleeps are: a usual lateness for each, in ns, and times for which none of them ends.
struct Regime {
    name: &'static str,
    usual: fn(&mut Draw, usize) -> f64,
    /// Returns how long after this time nothing is stopped, and for how long it then is; both in ms.
    stop: Option<NextStop>,
}

/// Returns how long after a time, in ms, the next stop begins, and how long it is.
type NextStop = fn(&mut Draw, f64) -> (f64, f64);

/// Random numbers.
struct Draw(Pcg64Mcg);

impl Draw {
    fn share(&mut self) -> f64 {
        self.0.random_range(1e-12..1.0)
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * self.share().ln()
    }

    /// Returns a value of a Pareto tail of this shape above `least`.
    fn pareto(&mut self, least: f64, shape: f64) -> f64 {
        least * self.share().powf(-shape)
    }
}

/// Wait in a run queue of this many others a processor: whole slices of 3 ms in one of 20 sleeps.
fn queue(draw: &mut Draw, others: f64) -> f64 {
    let wait = if draw.share() < 0.05 { 3e6 * (others * draw.share()).ceil() * draw.share() } else { 0.0 };
    60e3 + draw.exponential(8e3 * (1.0 + others)) + wait
}

/// Busy for 10 s in 30.
fn is_busy(index: usize) -> bool {
    (index / 10_000).is_multiple_of(3)
}

const REGIMES: [Regime; 10] = [
    Regime { name: "quiet", usual: |draw, _| 55e3 + draw.exponential(4e3), stop: None },
    Regime { name: "slack of 1 ms", usual: |draw, _| 1e6 * draw.share() + draw.exponential(8e3), stop: None },
    Regime { name: "FIFO", usual: |draw, _| 5e3 + draw.exponential(700.0), stop: None },
    Regime { name: "2 busy threads", usual: |draw, _| queue(draw, 1.0), stop: None },
    Regime { name: "4 busy threads", usual: |draw, _| queue(draw, 2.0), stop: None },
    Regime { name: "8 busy threads", usual: |draw, _| queue(draw, 4.0), stop: None },
    Regime {
        name: "quota: 20 ms of each 100",
        usual: |draw, _| 55e3 + draw.exponential(4e3),
        stop: Some(|draw, _| (75.0 + 10.0 * draw.share(), 15.0 + 10.0 * draw.share())),
    },
    Regime {
        name: "stops of 20 ms, 1 in 5 s",
        usual: |draw, _| 55e3 + draw.exponential(4e3),
        stop: Some(|draw, _| (draw.exponential(5_000.0), 20.0)),
    },
    Regime {
        name: "a host's steals, heavy",
        usual: |draw, _| 55e3 + draw.exponential(4e3),
        stop: Some(|draw, _| (draw.exponential(800.0), draw.pareto(0.3, 0.4))),
    },
    Regime {
        name: "restless: busy 10 s in 30",
        usual: |draw, at| if is_busy(at) { queue(draw, 2.0) } else { 55e3 + draw.exponential(4e3) },
        stop: None,
    },
];

impl Regime {
    fn sleeps(&self, count: usize, seed: u64) -> Vec<DueSleep> {
        let mut draw = Draw(Pcg64Mcg::seed_from_u64(seed));
        let next = |draw: &mut Draw, after: f64| match self.stop {
            None => (f64::INFINITY, 0.0),
            Some(stop) => {
                let (wait, length) = stop(draw, after);
                (after + wait, length)
            }
        };
        let mut stop = next(&mut draw, 0.0);
        let sleep = |index: usize| {
            let due = index as f64;
            while stop.0 + stop.1 < due {
                stop = next(&mut draw, stop.0 + stop.1);
            }
            let stopped = if stop.0 <= due { (stop.0 + stop.1 - due) * 1e6 } else { 0.0 };
            let late = stopped + (self.usual)(&mut draw, index);
            DueSleep { due: Nanos::from_f64(due * 1e6), late: Nanos::from_f64(late) }
        };
        (0..count).map(sleep).collect()
    }
}

/// What came of the bounds of one regime at one risk.
#[derive(Default)]
struct Outcome {
    /// Shares of the other sleeps beyond each bound, over the risk.
    ratios: Vec<f64>,
    /// The same of the bounds over all the time, where the machine changed; elsewhere the same.
    of_all: Vec<f64>,
    /// Whether each bound stated that its risk is known within the factor.
    sure: Vec<bool>,
    /// Bounds whose upper limit was exceeded no more often than the risk.
    held: usize,
    refused: usize,
}

impl Outcome {
    /// Adds the bound from `known`, held against `others`, sorted latenesses.
    fn add(&mut self, known: &[DueSleep], others: &[i64], risk: f64) {
        let found = bound(&mut known.to_vec(), risk);
        let sure = found.as_ref().is_some_and(|found: &TailBound| found.risk_factor() <= FACTOR);
        let Some((late, at_most, of_all)) = found.and_then(|found| Some((found.late?, found.at_most?, found.of_all)))
        else {
            self.refused += 1;
            return;
        };
        let beyond = |late: Nanos| {
            (others.len() - others.partition_point(|other| *other <= late.get())) as f64 / others.len() as f64
        };
        self.ratios.push(beyond(late) / risk);
        self.of_all.push(beyond(of_all.unwrap_or(late)) / risk);
        self.sure.push(sure);
        self.held += usize::from(beyond(at_most) <= risk);
    }

    /// Returns how many bounds with this statement are within the factor, and of how many.
    fn within(&self, sure: bool) -> (usize, usize) {
        let chosen = || self.ratios.iter().zip(&self.sure).filter(|(_, is_sure)| **is_sure == sure);
        (chosen().filter(|(ratio, _)| (1.0 / FACTOR..=FACTOR).contains(*ratio)).count(), chosen().count())
    }

    fn cells(&self) -> [String; 6] {
        let all = self.ratios.len();
        let [sure, unsure] = [true, false].map(|b| self.within(b)).map(|(within, all)| format!("{within} of {all}"));
        let spread = |ratios: &[f64]| {
            tool::median(ratios)
                .map_or_else(|| "–".to_owned(), |(middle, low, high)| format!("{middle:.2} ({low:.2} to {high:.2})"))
        };
        [
            spread(&self.ratios),
            spread(&self.of_all),
            sure,
            unsure,
            format!("{} of {all}", self.held),
            self.refused.to_string(),
        ]
    }
}

pub(super) fn run(options: &Options) -> Result<(), String> {
    println!("{}", sheet::place());
    let headings = [
        "regime",
        "risk",
        "beyond / risk",
        "over all the time",
        "within 2, known",
        "within 2, few events",
        "upper limit held",
        "refused",
    ];
    let title = if options.own.is_empty() {
        format!("Bounds from a minute of {MINUTE} sleeps, against the {SLEEPS} sleeps of the regime")
    } else {
        "Bounds from each recording, against the others'".to_owned()
    };
    let mut sheet = Sheet::new(&title, &headings);
    let (mut within, mut known, mut held, mut all) = (0, 0, 0, 0);
    let mut add = |name: &str, risk: f64, outcome: &Outcome, sheet: &mut Sheet| {
        let (right, total) = outcome.within(true);
        (within, known) = (within + right, known + total);
        held += outcome.held;
        all += outcome.ratios.len();
        sheet.row([name.to_owned(), format!("{risk:e}")].into_iter().chain(outcome.cells()));
    };
    if options.own.is_empty() {
        for (seed, regime) in (0..).zip(&REGIMES) {
            eprintln!("bounds: {}", regime.name);
            let sleeps = regime.sleeps(SLEEPS, seed);
            let sorted = sorted(&sleeps);
            let minutes: Vec<&[DueSleep]> = sleeps.chunks_exact(MINUTE).collect();
            let outcomes: Vec<Outcome> = RISKS
                .par_iter()
                .map(|risk| {
                    let mut outcome = Outcome::default();
                    for known in &minutes {
                        outcome.add(known, &sorted, *risk);
                    }
                    outcome
                })
                .collect();
            for (risk, outcome) in RISKS.iter().zip(&outcomes) {
                add(regime.name, *risk, outcome, &mut sheet);
            }
        }
    } else {
        let recordings = options.own.iter().map(|file| read(Path::new(file))).collect::<Result<Vec<_>, _>>()?;
        for name in recordings.first().map(|cells| cells.keys().cloned().collect::<Vec<_>>()).unwrap_or_default() {
            let cells: Vec<&Vec<DueSleep>> = recordings.iter().filter_map(|cells| cells.get(&name)).collect();
            for risk in RISKS {
                let mut outcome = Outcome::default();
                for (index, known) in cells.iter().enumerate() {
                    for (_, other) in cells.iter().enumerate().filter(|(other, _)| *other != index) {
                        outcome.add(known, &sorted(other), risk);
                    }
                }
                add(&name, risk, &outcome, &mut sheet);
            }
        }
    }
    sheet.remark(format!(
        "Of {known} bounds whose risk is said to be known within a factor of {FACTOR}, {within} are exceeded that often (promised: 90 %); of \
         {all}, {held} upper limits held (promised: 95 %)."
    ));
    sheet.print(options);
    Ok(())
}

fn sorted(sleeps: &[DueSleep]) -> Vec<i64> {
    let mut late: Vec<i64> = sleeps.iter().map(|sleep| sleep.late.get()).collect();
    late.sort_unstable();
    late
}

/// Returns the sleeps of each cell of a recording, by method and conditions.
fn read(file: &Path) -> Result<BTreeMap<String, Vec<DueSleep>>, String> {
    let mut reader = Reader::open(file).map_err(|error| error.to_string())?;
    let mut recording = Recording::new(reader.meta().clone());
    reader.read_into(&mut recording).map_err(|error| error.to_string())?;
    let mut cells: BTreeMap<String, Vec<DueSleep>> = BTreeMap::new();
    for sample in &recording.samples {
        let Some(cell) = recording.meta.plan.cells.iter().find(|cell| cell.id == sample.cell) else { continue };
        let late = sample.oversleep();
        let sleep = DueSleep { due: sample.end.saturating_sub(late), late };
        cells.entry(format!("{}, {}", cell.method, cell.conditions.name(None))).or_default().push(sleep);
    }
    Ok(cells)
}
