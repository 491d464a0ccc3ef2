//! Metrics of sleeps for Prometheus and compatible programs (OpenMetrics 1.0): a recording's export and a running
//! measurement use the same names and buckets.

use super::help;
use oversleep_recording::{Flags, Sample};
use oversleep_sys::units::Nanos;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::{MetricType, TypedMetric};
use prometheus_client::registry::{Registry, Unit};
use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

/// Upper bounds of the buckets, in seconds: below zero for early wake-ups, then 1, 2 and 5 of each decade.
pub(super) const BUCKETS: [f64; 24] = [
    -1e-3, -1e-4, -1e-5, -1e-6, 0.0, 1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2,
    2e-2, 5e-2, 1e-1, 2e-1, 5e-1, 1.0,
];

/// Counts of sleeps per set of labels, ordered by the labels.
#[derive(Debug)]
pub(super) struct SleepMetrics<L>(Arc<Mutex<BTreeMap<L, Counted>>>);

/// Labels of a time series.
pub(super) trait Labels: EncodeLabelSet + Ord + Clone + Debug + Send + Sync + 'static {}

impl<L: EncodeLabelSet + Ord + Clone + Debug + Send + Sync + 'static> Labels for L {}

#[derive(Debug)]
struct Counted {
    lateness: Histogram,
    early: Counter,
    interrupted: Counter,
    failed: Counter,
}

impl<L: Labels> SleepMetrics<L> {
    /// Creates the metrics and adds them to a registry.
    pub(super) fn register(registry: &mut Registry) -> Self {
        let counted = Arc::default();
        registry.register_collector(Box::new(Self(Arc::clone(&counted))));
        Self(counted)
    }

    /// Counts a sleep.
    pub(super) fn count(&self, labels: &L, sample: &Sample) {
        let mut series = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match series.get(labels) {
            Some(counted) => counted.count(sample),
            None => series.entry(labels.clone()).or_default().count(sample),
        }
    }
}

impl Default for Counted {
    fn default() -> Self {
        let (early, interrupted, failed) = Default::default();
        Self { lateness: Histogram::new(BUCKETS), early, interrupted, failed }
    }
}

impl Counted {
    fn count(&self, sample: &Sample) {
        if sample.flags.has(Flags::FAILED) {
            self.failed.inc();
            return;
        }
        let oversleep = sample.oversleep();
        // Divided by 1e9, a value on a bucket's bound equals that bound; multiplied by 1e-9, 5 µs come out slightly
        // above it.
        self.lateness.observe(oversleep.as_f64() / 1e9);
        if oversleep < Nanos::ZERO {
            self.early.inc();
        }
        if sample.flags.has(Flags::INTERRUPTED) {
            self.interrupted.inc();
        }
    }
}

impl<L: Labels> Collector for SleepMetrics<L> {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let series = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lateness = (LATENESS, help::LATENESS, Some(Unit::Seconds));
        family(&mut encoder, lateness, &series, |counted| &counted.lateness)?;
        let early = ("oversleep_early", help::EARLY, None);
        family(&mut encoder, early, &series, |counted| &counted.early)?;
        let interrupted = ("oversleep_interrupted", help::INTERRUPTED, None);
        family(&mut encoder, interrupted, &series, |counted| &counted.interrupted)?;
        let failed = ("oversleep_failed", help::FAILED, None);
        family(&mut encoder, failed, &series, |counted| &counted.failed)
    }
}

const LATENESS: &str = "oversleep_lateness";

fn family<L: Labels, M: EncodeMetric + TypedMetric>(
    encoder: &mut DescriptorEncoder,
    (name, help, unit): (&str, &str, Option<Unit>),
    series: &BTreeMap<L, Counted>,
    metric: impl Fn(&Counted) -> &M,
) -> fmt::Result {
    let kind: MetricType = M::TYPE;
    let mut family = encoder.encode_descriptor(name, help, unit.as_ref(), kind)?;
    series.iter().try_for_each(|(labels, counted)| metric(counted).encode(family.encode_family(labels)?))
}

/// Returns the metrics of a registry as OpenMetrics text.
///
/// OpenMetrics forbids a sum for a histogram with buckets below zero, because early wake-ups make the sum fall; and
/// without a sum there must be no count, which is the last bucket's. The library writes both, so both lines are
/// removed.
pub(super) fn open_metrics(registry: &Registry) -> Result<String, fmt::Error> {
    let mut all = String::new();
    text::encode(&mut all, registry)?;
    let unsound = |line: &str| {
        let rest = line.strip_prefix(LATENESS);
        rest.is_some_and(|rest| rest.starts_with("_seconds_sum") || rest.starts_with("_seconds_count"))
    };
    Ok(all.split_inclusive('\n').filter(|line| !unsound(line)).collect())
}

/// Converts OpenMetrics text to Prometheus' older text format (0.0.4), for programs that read only that: counters are
/// named with their suffix, information is a gauge, and there are no units.
pub(super) fn classic(text: &str) -> String {
    let described = |line: &str| {
        let mut words = line.strip_prefix("# ")?.splitn(3, ' ').map(str::to_owned);
        Some([words.next()?, words.next()?, words.next()?])
    };
    let kinds: BTreeMap<String, String> = text
        .lines()
        .filter_map(described)
        .filter(|[key, ..]| key == "TYPE")
        .map(|[_, name, kind]| (name, kind))
        .collect();
    let line = |line: &str| {
        let Some([key, name, rest]) = described(line) else {
            return if line.starts_with('#') { String::new() } else { format!("{line}\n") };
        };
        let (ending, as_kind) = match kinds.get(&name).map(String::as_str) {
            Some("counter") => ("_total", "counter"),
            Some("info") => ("_info", "gauge"),
            Some(kind) => ("", kind),
            None => ("", ""),
        };
        match key.as_str() {
            "HELP" => format!("# HELP {name}{ending} {rest}\n"),
            "TYPE" => format!("# TYPE {name}{ending} {as_kind}\n"),
            _ => String::new(),
        }
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::classic;

    #[test]
    fn the_older_format_names_counters_whole_and_knows_no_information() {
        let text = "# HELP a How often.\n# TYPE a counter\na_total{b=\"# c\"} 1\n# HELP d Which.\n# TYPE d info\nd_info 1\n\
                    # HELP e_seconds How long.\n# TYPE e_seconds histogram\n# UNIT e_seconds seconds\n# EOF\n";
        let expected = "# HELP a_total How often.\n# TYPE a_total counter\na_total{b=\"# c\"} 1\n# HELP d_info Which.\n\
                        # TYPE d_info gauge\nd_info 1\n# HELP e_seconds How long.\n# TYPE e_seconds histogram\n";
        assert_eq!(classic(text), expected);
    }
}
