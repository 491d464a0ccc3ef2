//! The same plan on many kernels that differ in one parameter, using all processors.

use super::clock::FrequencyChange;
use super::kernel::Kernel;
use super::refuse::ParameterError;
use super::run::{Arithmetic, Outcome, Simulation};
use super::tally::Tally;
use oversleep_recording::plan::Plan;
use rayon::prelude::*;
use std::str::FromStr;

/// A parameter and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// Name of the parameter.
    pub parameter: String,
    /// Values, as [`Kernel::set`] takes them.
    pub values: Vec<String>,
}

/// Default number of values in a range.
const POINTS: usize = 50;
/// Maximum number of values in a range.
const MOST: usize = 100_000;

impl FromStr for Sweep {
    type Err = ParameterError;

    /// Parses `hz=100,1000,5000` as a list, `hz=100..20000` as fifty values in geometric steps, `hz=100..20000/9` as
    /// nine of them, and `ntp_ppm=-50..50/11` in even steps, because geometric ones cannot cross zero. Values of
    /// whole-number parameters are rounded, and occur once each.
    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let wrong = ParameterError::Sweep;
        let (parameter, values) =
            text.split_once('=').ok_or_else(|| wrong("write it as hz=100..20000 or hz=100,1000"))?;
        let (parameter, values) = (parameter.trim(), values.trim());
        if !super::set::known(parameter) {
            return Err(super::set::unknown(parameter));
        }
        let Some((low, rest)) = values.split_once("..") else {
            let values: Vec<_> = values.split(',').map(|value| value.trim().to_owned()).collect();
            return Ok(Self { parameter: parameter.to_owned(), values });
        };
        let (high, points) = match rest.split_once('/') {
            None => (rest, POINTS),
            Some((high, points)) => (high, points.trim().parse().map_err(|_| wrong("after / comes how many values"))?),
        };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let (Some(low), Some(high)) = (number(low), number(high)) else {
            return Err(wrong("a range goes from a number to a number"));
        };
        if low >= high || !(2..=MOST).contains(&points) {
            return Err(wrong("a range goes upwards, in 2 to 100000 values"));
        }
        let whole = super::set::whole_number(parameter);
        let mut values: Vec<String> = (0..points).map(|i| step(low, high, i, points, whole)).collect();
        values.dedup();
        Ok(Self { parameter: parameter.to_owned(), values })
    }
}

/// Returns the `i`-th of `points` values from `low` to `high`.
fn step(low: f64, high: f64, i: usize, points: usize, whole: bool) -> String {
    let share = i as f64 / (points - 1) as f64;
    let value = if low > 0.0 { low * libm::pow(high / low, share) } else { low + (high - low) * share };
    if whole { format!("{}", value.round()) } else { format!("{}", libm::round(value * 1e6) / 1e6) }
}

/// The result of one kernel of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepRow {
    /// Value of the parameter.
    pub value: String,
    /// Statistics of each of the plan's cells and the outcome of the run; or why these parameters are not valid.
    pub result: Result<(Vec<Tally>, Outcome), ParameterError>,
}

/// Runs `plan` on every kernel of the sweep, each from the same seed, and keeps statistics only. The rows are in
/// the order of the values, and do not depend on the number of processors.
pub fn sweep(
    kernel: &Kernel,
    sweep: &Sweep,
    plan: &Plan,
    seed: u64,
    changes: &[FrequencyChange],
    arithmetic: Arithmetic,
) -> Vec<SweepRow> {
    let row = |value: &String| SweepRow {
        value: value.clone(),
        result: kernel
            .set(&sweep.parameter, value)
            .map(|kernel| Simulation::new(&kernel, plan, seed).arithmetic(arithmetic).changes(changes).tally()),
    };
    sweep.values.par_iter().map(row).collect()
}
