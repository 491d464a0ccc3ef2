//! What people have published of sleeps on systems of today, beside the presets that stand for those systems.
//!
//! A published figure agrees if it lies within the spread that its preset states: between the least and the greatest value
//! of the same statistic on the kernels at the ends of that spread, and half of its own last digit.

use super::charts;
use super::runs::{Experiment, Late};
use oversleep_figures::quantile::place;
use oversleep_recording::asked::{AskedPair, Figure, Reading, Repeated, Took};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::document::{Basis, Claim, FigureUnit, Publication, ReproducedFigure};
use oversleep_sim::{Kernel, ParameterError, preset};
use oversleep_sys::units::Nanos;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A figure of sleeps that are sorted.
type Statistic = Box<dyn Fn(&[f64]) -> f64>;

/// The published series.
const FIELD: &str = include_str!("field.toml");
/// Number of sleeps where nobody says how many there were.
const USUAL: u64 = 200;
/// Least number of periods that a ticker's rate is taken from.
const TICKS: f64 = 10.0;

/// The contents of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    series: Vec<Series>,
}

/// One publication.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Series {
    title: String,
    source: String,
    preset: String,
    method: String,
    #[serde(default)]
    start: Start,
    n: Option<u64>,
    #[serde(default)]
    set: Vec<(String, String)>,
    note: Option<String>,
    rows: Vec<Row>,
}

/// One request with its figures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    asked: String,
    #[serde(default, deserialize_with = "time")]
    simulate: Option<Nanos>,
    took: String,
    method: Option<String>,
    preset: Option<String>,
    /// Work after each sleep, which a rate includes.
    #[serde(default, deserialize_with = "time")]
    work: Option<Nanos>,
    /// Whether sleeps end at deadlines a period apart.
    #[serde(default)]
    ticker: bool,
    /// Why it disagrees.
    why: Option<String>,
}

/// Reads a time as people write it.
fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Nanos>, D::Error> {
    String::deserialize(from)?.parse().map(Some).map_err(D::Error::custom)
}

/// How sleeps begin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Start {
    /// When the one before has ended.
    #[default]
    Loop,
    /// At any time.
    Any,
    /// Always at the same time after a tick, which nobody knows.
    Phase,
}

/// A published figure beside the simulated ones, in ns.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    name: String,
    published: String,
    pub(super) at: Reading,
    pub(super) simulated: f64,
    /// Least and greatest within the preset's spread.
    pub(super) spread: (f64, f64),
}

impl Compared {
    fn agrees(&self) -> bool {
        let (at, half) = (self.at.time.as_f64(), self.at.half_digit_ns);
        at + half >= self.spread.0 && at - half <= self.spread.1
    }

    /// Returns the figure with the simulated numbers that would agree, whatever the machine within the spread.
    fn figure(&self) -> ReproducedFigure {
        let (at, half) = (self.at.time.as_f64(), self.at.half_digit_ns);
        let limits = (at - half - (self.spread.1 - self.simulated), at + half + (self.simulated - self.spread.0));
        ReproducedFigure::between(&self.name, &self.published, FigureUnit::Nanoseconds, limits, self.simulated)
    }
}

fn series() -> Result<Vec<Series>, ParameterError> {
    let file: File = toml::from_str(FIELD).map_err(|error| ParameterError::File(format!("field.toml: {error}")))?;
    Ok(file.series)
}

pub(super) fn publication() -> Result<Publication, ParameterError> {
    let (mut claims, mut rows) = (Vec::new(), Vec::new());
    for one in &series()? {
        let compared = one.compare()?;
        claims.push(one.claim(&compared));
        rows.extend(compared);
    }
    let within = rows.iter().filter(|row| row.iter().all(Compared::agrees)).count();
    let share = within as f64 / rows.len().max(1) as f64 * 100.0;
    claims.push(
        Claim::new(
            None,
            Basis::Fitted,
            vec![ReproducedFigure::between("rows within", "all", FigureUnit::PerCent, (100.0, 100.0), share)],
        )
        .about(format!("{within} of {} rows lie within the spread that their preset states", rows.len()))
        .because("A row agrees if each of its figures does; the reasons of the others stand beside them."),
    );
    Ok(Publication {
        name: "field".into(),
        title: "What people have published of systems of today".into(),
        by: "issues, pull requests and pages of twenty projects, 2011 to 2026; each with its address".into(),
        claims,
        tables: Vec::new(),
        charts: vec![charts::field(rows.iter().flatten())],
    })
}

impl Series {
    /// Returns the published figures of each row beside the simulated ones.
    fn compare(&self) -> Result<Vec<Vec<Compared>>, ParameterError> {
        self.rows.iter().map(|row| self.row(row)).collect()
    }

    fn experiment<'a>(&'a self, row: &'a Row, pair: &AskedPair) -> Result<Experiment<'a>, ParameterError> {
        let name = row.method.as_ref().unwrap_or(&self.method);
        let method = MethodId::from_name(name)
            .ok_or_else(|| ParameterError::File(format!("field.toml: no method is called {name}")))?;
        let set: Vec<(&str, &str)> = self.set.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let sleeps = pair.count.or(self.n).unwrap_or(USUAL);
        let asked = row.simulate.unwrap_or(pair.requested);
        let run = Experiment::sleeps(row.preset.as_ref().unwrap_or(&self.preset), &set, method, asked, sleeps);
        Ok(if self.start == Start::Loop { run } else { run.scattered() })
    }

    fn row(&self, row: &Row) -> Result<Vec<Compared>, ParameterError> {
        let malformed = |error: &dyn std::fmt::Display| ParameterError::File(format!("field.toml: {error}"));
        let asked: Repeated = row.asked.parse().map_err(|error| malformed(&error))?;
        let took: Took = row.took.parse().map_err(|error| malformed(&error))?;
        let pair = AskedPair::new(asked, &took).map_err(|error| malformed(&error))?;
        let run = self.experiment(row, &pair)?;
        let sorted = |mut slept: Vec<f64>| {
            slept.sort_by(f64::total_cmp);
            slept
        };
        let slept = |kernel: &Kernel| -> Vec<f64> {
            let asked = row.simulate.unwrap_or(pair.requested).as_f64();
            let work = row.work.unwrap_or(Nanos::ZERO).as_f64();
            // A ticker's lateness counts once in all its periods.
            let length = |late: f64| if row.ticker { asked + late / TICKS } else { asked + late + work };
            run.late_on(kernel).0.into_iter().map(length).collect()
        };
        let in_order = slept(&run.kernel()?);
        let mut all = Vec::new();
        if self.start == Start::Loop && !row.ticker && in_order.len() > 1 {
            // At which time after a tick the first sleep began is not known; without it all are alike.
            all.push(sorted(in_order[1..].to_vec()));
        }
        let usual = sorted(in_order);
        all.push(usual.clone());
        for kernel in preset(run.preset)?.extremes()? {
            let changed = kernel.set_all(&run.set)?;
            all.push(sorted(slept(&changed)));
            if self.start == Start::Phase {
                all.push(slept_in_loop(&run, &changed, pair.requested, row));
            }
        }
        let least = all.iter().filter_map(|slept| slept.first()).copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().filter_map(|slept| slept.last()).copied().fold(f64::NEG_INFINITY, f64::max);
        let compare = |(figure, published): (&Figure, &str)| {
            let (name, at, statistic): (String, Reading, Statistic) = match figure {
                Figure::Mean(at) => ("mean".into(), *at, Box::new(|slept| Late(slept.to_vec()).mean())),
                Figure::Min(at) => ("least".into(), *at, Box::new(|slept| slept[0])),
                Figure::Max(at) => ("greatest".into(), *at, Box::new(|slept| slept[slept.len() - 1])),
                Figure::Quantile(share, at) => {
                    let share = *share;
                    (format!("p{}", share * 100.0), *at, Box::new(move |slept| slept[place(slept.len(), share)]))
                }
                Figure::Value(at) => ("once".into(), *at, Box::new(|slept| slept[slept.len() / 2])),
                _ => return None,
            };
            let of_each = || all.iter().filter(|slept| !slept.is_empty()).map(|slept| statistic(slept));
            // Where nobody knows the phase, or it is of one sleep, it can be anywhere among the sleeps.
            let spread = if self.start == Start::Phase || matches!(figure, Figure::Value(_)) {
                (least, most)
            } else {
                (of_each().fold(f64::INFINITY, f64::min), of_each().fold(f64::NEG_INFINITY, f64::max))
            };
            let published = published.rsplit('=').next().unwrap_or(published).to_owned();
            let name = format!("{}: {name}", row.label());
            Some(Compared { name, published, at, simulated: statistic(&usual), spread })
        };
        Ok(pair.figures.iter().zip(row.took.split(',')).filter_map(compare).collect())
    }

    fn claim(&self, compared: &[Vec<Compared>]) -> Claim {
        let mut why: Vec<String> = self.note.iter().cloned().collect();
        for (row, figures) in self.rows.iter().zip(compared) {
            if !figures.iter().all(Compared::agrees) {
                why.extend(row.why.iter().map(|why| format!("{}: {why}", row.label())));
            }
        }
        why.push(format!("Preset {}. Published: {}.", self.preset, self.source));
        let first = self.rows.first().and_then(|row| {
            let asked: Repeated = row.asked.parse().ok()?;
            let pair = AskedPair::new(asked, &row.took.parse().ok()?).ok()?;
            Some(self.experiment(row, &pair).ok()?.command())
        });
        let figures = compared.iter().flatten().map(Compared::figure).collect();
        // The spreads were stated with these figures at hand.
        let claim = Claim::new(None, Basis::Fitted, figures).about(&self.title).because(why.join(" "));
        Claim { command: first, ..claim }
    }
}

/// Returns sorted durations of sleeps back to back.
fn slept_in_loop(run: &Experiment<'_>, kernel: &Kernel, asked: Nanos, row: &Row) -> Vec<f64> {
    let asked = row.simulate.unwrap_or(asked).as_f64();
    let mut slept: Vec<f64> =
        run.clone().back_to_back().late_on(kernel).0.into_iter().map(|late| asked + late).collect();
    slept.sort_by(f64::total_cmp);
    slept
}

impl Row {
    fn label(&self) -> String {
        let mut label = self.asked.clone();
        for (name, what) in [(self.method.as_ref(), ""), (self.preset.as_ref(), "on ")] {
            if let Some(name) = name {
                label += &format!(", {what}{name}");
            }
        }
        if let Some(work) = self.work {
            label += &format!(", work {work}");
        }
        if self.ticker {
            label += ", ticker";
        }
        label
    }
}
