//! Output of `stress-ng --cyclic`: percentiles, and a distribution if it was asked for.

use super::line_reader::{Line, LineFault, SECOND_RUN, by_line};
use super::whole_file::{Builder, has, times};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::{Conditions, Policy};
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;

/// Reads such output.
pub(super) const STRESS_NG: Importer =
    Importer::new(FORMAT, |start| has(start, "stress-ng") && has(start, "cyclic:"), read);

const FORMAT: &str = "stress-ng-cyclic";

const CONVENTION: &str = "stress-ng cyclic: how much longer than asked a sleep took, of the samples it kept";

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let mut report = Report::default();
    let contents = by_line(name, FORMAT, input, |line| match line.split_once("cyclic:") {
        Some((_, said)) => report.line(said.trim()),
        None if line.trim().is_empty() || line.starts_with("stress-ng: ") => Ok(Line::Other),
        None => Ok(Line::Foreign),
    })?;
    let mut builder = Builder::new(name, FORMAT, CONVENTION);
    builder.contents_by_value(contents);
    let conditions = Conditions { policy: report.policy, ..Conditions::default() };
    let cell = builder.cell("stress-ng cyclic", None, conditions);
    if let Some(note) = &report.cut {
        builder.remark(note.clone());
    }
    if report.rows.is_empty() && report.percentiles {
        builder.remark("its percentiles are left out; with --cyclic-dist NS it writes a distribution too".to_owned());
    }
    builder.distribution(report.distribution(cell));
    builder.finish("it has no figures")
}

#[derive(Default)]
struct Report {
    policy: Option<Policy>,
    samples: u64,
    mean: Option<f64>,
    min: Option<i64>,
    max: Option<i64>,
    width: i64,
    rows: Vec<(i64, u64)>,
    cut: Option<String>,
    /// Whether the line that each run begins with was read, and percentiles were.
    begun: bool,
    percentiles: bool,
}

impl Report {
    fn line(&mut self, said: &str) -> Result<Line, LineFault> {
        let number_after = |key: &str| -> Option<f64> {
            let rest = said[said.find(key)? + key.len()..].trim_start();
            let end = rest.find(|letter: char| !(letter.is_ascii_digit() || letter == '.')).unwrap_or(rest.len());
            rest[..end].parse().ok()
        };
        #[allow(clippy::cast_possible_truncation)] // nanoseconds of a run of minutes
        let integer_after = |key: &str| number_after(key).map(|number| number as i64);
        if said.starts_with("sched ") {
            if std::mem::replace(&mut self.begun, true) {
                return Err(SECOND_RUN);
            }
            let samples = said.rsplit(',').next().and_then(|part| part.trim().strip_suffix("samples"));
            self.samples = samples.and_then(|text| text.trim().parse().ok()).ok_or("a number of samples")?;
            self.policy = said.contains("SCHED_OTHER").then_some(Policy::Other);
        } else if said.starts_with("mean:") {
            if self.mean.is_some() {
                return Err(SECOND_RUN);
            }
            self.mean = number_after("mean:");
        } else if said.starts_with("min:") {
            (self.min, self.max) = (integer_after("min:"), integer_after("max:"));
        } else if said.starts_with("latency distribution") {
            self.width = integer_after("(").filter(|width| *width > 0).ok_or("the width of buckets")?;
        } else if said.starts_with("Note:") {
            self.cut = Some(said.trim_start_matches("Note:").trim().chars().take(200).collect());
        } else if said.split_once("%:").is_some_and(|(share, _)| share.parse::<f64>().is_ok()) {
            self.percentiles = true;
        } else if let [low, count] = said.split_whitespace().collect::<Vec<_>>()[..]
            && self.width > 0
            && low.bytes().all(|digit| digit.is_ascii_digit())
        {
            let row = low.parse().ok().zip(count.parse().ok()).ok_or("a bucket and its count")?;
            if self.rows.last().is_some_and(|(last, _): &(i64, u64)| row.0 <= *last) {
                return Err("a bucket above the one before".into());
            }
            self.rows.push(row);
        } else if !["latency percentiles", "(for the first", "latency (ns)"].iter().any(|known| said.starts_with(known))
        {
            return Ok(Line::Foreign);
        }
        Ok(Line::Value)
    }

    fn distribution(&self, cell: u32) -> Distribution {
        let bucket = |low: i64| {
            let high = low.checked_add(self.width - 1)?;
            Some((times(low, 1)?, times(high, 1)?))
        };
        let filled = self.rows.iter().filter(|(_, count)| *count > 0);
        let mut buckets: Vec<(Nanos, Nanos, u64)> =
            filled.filter_map(|(low, count)| bucket(*low).map(|(low, high)| (low, high, *count))).collect();
        buckets.sort_unstable();
        let counted = buckets.iter().map(|(_, _, count)| *count).fold(0, u64::saturating_add);
        let mut lost = vec![Loss::Times, Loss::Order, Loss::Requests];
        lost.extend(buckets.is_empty().then_some(Loss::Buckets));
        Distribution {
            cell,
            quantity: Quantity::Oversleep,
            count: self.samples.max(counted),
            outside_from: buckets.last().map(|(_, high, _)| *high + Nanos::new(1)),
            buckets,
            min: self.min.map(Nanos::new),
            max: self.max.map(Nanos::new),
            mean_ns: self.mean,
            lost,
        }
    }
}
