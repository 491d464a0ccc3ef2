//! Exact figures of samples: sorted and counted here, with nothing of the program's statistics.

use super::shown::{agrees, durations, time};
use std::collections::BTreeMap;

/// Values of which figures are shown: the sleeps of a cell, of a processor, or what every period of a schedule felt.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) method: String,
    /// The shortest and the longest request in ns, or the period of a schedule.
    pub(super) requested: (i64, i64),
    /// Latenesses in ns, sorted; of values that were counted in buckets, the least that each can have been.
    pub(super) late: Vec<i64>,
    /// The most that each can have been; empty where the values are known.
    pub(super) most: Vec<i64>,
    /// Processor time in ns and wake-ups a sleep, where they were measured.
    pub(super) cost: Option<(f64, Option<f64>)>,
}

/// A figure as it is, before it is rounded for people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Figure {
    Count(u64),
    /// In ns; `None` where the samples are too few.
    Time(Option<f64>),
    Range(Option<(i64, i64)>),
    /// A number, to two decimals.
    Number(Option<f64>),
}

impl Group {
    /// Returns the figure under a heading of a table or a key of the documents; `None` for headings of other things.
    pub(super) fn figure(&self, heading: &str) -> Option<Figure> {
        let n = self.late.len();
        let sum = self.late.iter().map(|late| *late as f64).sum::<f64>();
        let squares = |mean: f64| self.late.iter().map(|late| (*late as f64 - mean).powi(2)).sum::<f64>();
        let mean = (n > 0).then(|| sum / n as f64);
        let ends = interval(n as u64).map(|(low, high)| (self.late[low - 1], self.late[high - 1]));
        let time = |ns: Option<i64>| Some(Figure::Time(ns.map(|ns| ns as f64)));
        let heading = heading.trim_start_matches("late ");
        if !self.most.is_empty() {
            let share =
                [("p50", (1, 2)), ("p90", (9, 10)), ("p99", (99, 100)), ("p99.9", (999, 1000)), ("max", (1, 1))];
            let share = share.into_iter().find(|(name, _)| *name == heading);
            let bounds = |(of, all)| self.rank(of, all).map(|at| (self.late[at], self.most[at]));
            match share {
                Some((_, share)) => return Some(Figure::Range(bounds(share))),
                None if !["n", "values", "min"].contains(&heading) => return None,
                None => {}
            }
        }
        match heading {
            "n" | "values" | "stalls" | "waits" => Some(Figure::Count(n as u64)),
            "early" => Some(Figure::Count(self.late.iter().filter(|late| **late < 0).count() as u64)),
            "min" => time(self.late.first().copied()),
            "max" => time(self.late.last().copied()),
            "mean" => Some(Figure::Time(mean)),
            "sd" if n < 2 => time(None),
            "sd" => Some(Figure::Time(mean.map(|mean| (squares(mean) / (n as f64 - 1.0)).sqrt()))),
            "p50" => time(self.quantile(1, 2)),
            "p90" => time(self.quantile(9, 10)),
            "p99" => time(self.quantile(99, 100)),
            "p99.9" => time(self.quantile(999, 1000)),
            "±" => Some(Figure::Time(ends.map(|(low, high)| (high - low) as f64 / 2.0))),
            "95 %" | "p50, 95 % interval" => Some(Figure::Range(ends)),
            "CPU" => Some(Figure::Time(self.cost.map(|cost| cost.0))),
            "wakes" => Some(Figure::Number(self.cost.and_then(|cost| cost.1))),
            "stalled" => time(Some(self.late.iter().sum())),
            _ => None,
        }
    }

    /// Returns the index of the smallest rank that is at least this share of all; `None` if the largest of so few values would more
    /// often than one time in twenty be below the quantile.
    fn rank(&self, of: usize, all: usize) -> Option<usize> {
        let n = self.late.len();
        let enough = of == all || (of as f64 / all as f64).powf(n as f64) <= 0.05;
        enough.then(|| (n * of).div_ceil(all) - 1)
    }

    pub(super) fn quantile(&self, of: usize, all: usize) -> Option<i64> {
        self.rank(of, all).map(|at| self.late[at])
    }

    /// Returns whether a row so labelled can be this group's among `others`: it names its method and request if it names any.
    fn fits(&self, label: &str, others: &[&Self]) -> bool {
        let named = others.iter().map(|other| other.method.as_str()).filter(|method| label.starts_with(method));
        let times = durations(label);
        // A request that all rows have in common is not in their names.
        let alike = others.iter().all(|other| other.requested == self.requested);
        named.max_by_key(|method| method.len()).is_none_or(|method| method == self.method)
            && (alike || times.is_empty() || times.iter().any(|shown| self.asks_for(shown)))
    }

    fn asks_for(&self, shown: &str) -> bool {
        let within =
            |(ns, half): (f64, f64)| ns + half >= self.requested.0 as f64 && ns - half <= self.requested.1 as f64;
        time(shown).is_some_and(within)
    }

    /// Returns how many values are in each bin of the pictures: 40 of them a decade, evenly spaced in logarithms, negative ones
    /// with negative numbers, 0 for what is less than 1 ns.
    pub(super) fn bins(&self) -> BTreeMap<i64, u64> {
        let edges: Vec<f64> = (0..=480).map(|edge| 10_f64.powf(f64::from(edge) / 40.0) - 1e-9).collect();
        let mut bins = BTreeMap::new();
        for late in &self.late {
            let bin = i64::try_from(edges.partition_point(|edge| *edge <= late.unsigned_abs() as f64)).unwrap();
            *bins.entry(bin * late.signum()).or_default() += 1;
        }
        bins
    }
}

/// Returns the ranks, from 1, between which a median lies with 95 %: those at which the resampled median has its quantiles 0.025 and
/// 0.975, by summing the binomial distribution. `None` below 5 values.
fn interval(n: u64) -> Option<(usize, usize)> {
    // P(at least half of n draws are among the k smallest values).
    let among = |k: u64| {
        let share = k as f64 / n as f64;
        let log = |count: u64| (1..=count).map(|at| (at as f64).ln()).sum::<f64>();
        let half = n.div_ceil(2);
        let mut term =
            (log(n) - log(half) - log(n - half) + half as f64 * share.ln() + (n - half) as f64 * (1.0 - share).ln())
                .exp();
        let mut sum = 0.0;
        for hits in half..=n {
            sum += term;
            term *= (n - hits) as f64 / (hits + 1) as f64 * share / (1.0 - share);
        }
        sum
    };
    let first = |level: f64| {
        let (mut low, mut high) = (1, n);
        while low < high {
            let middle = low.midpoint(high);
            if middle == n || among(middle) >= level { high = middle } else { low = middle + 1 }
        }
        usize::try_from(low).unwrap()
    };
    (n >= 5).then(|| (first(0.025), first(0.975)))
}

/// A row of a table: what it is called, and figures by their headings.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) label: String,
    pub(super) figures: Vec<(String, String)>,
}

impl Row {
    /// Returns the first figure that is not the group's, and what it would be.
    fn wrong(&self, group: &Group) -> Option<(&str, &str, Figure)> {
        self.figures.iter().find_map(|(heading, shown)| {
            let exact = group.figure(heading)?;
            (!agrees(shown, exact)).then_some((heading.as_str(), shown.as_str(), exact))
        })
    }
}

/// Holds the rows of a table against the groups that it can be of: each row has to be another group's. Returns how many figures were
/// compared.
pub(super) fn compare(place: &str, rows: &[Row], groups: &[&Group], faults: &mut Vec<String>) -> usize {
    let mut left = groups.to_vec();
    // Names that fit few groups first: those that say less would take them.
    let mut ordered: Vec<&Row> = rows.iter().collect();
    ordered.sort_by_key(|row| groups.iter().filter(|group| group.fits(&row.label, groups)).count());
    for row in ordered {
        let fitting: Vec<usize> = (0..left.len()).filter(|at| left[*at].fits(&row.label, groups)).collect();
        match fitting.iter().find(|at| row.wrong(left[**at]).is_none()) {
            Some(at) => {
                left.remove(*at);
            }
            None => faults.push(match fitting.first().and_then(|at| row.wrong(left[*at])) {
                Some((heading, shown, exact)) => {
                    format!("{place}: {}: {heading} is shown as {shown}, and is {exact:?}", row.label)
                }
                None => format!("{place}: nothing is called {}, or it is shown twice", row.label),
            }),
        }
    }
    rows.iter()
        .map(|row| row.figures.iter().filter(|(heading, _)| Group::default().figure(heading).is_some()).count())
        .sum()
}
