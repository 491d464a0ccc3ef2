//! Figures of a running measurement, as OpenMetrics text for Prometheus and compatible programs.
//!
//! The number of label values is bounded: methods and requests by the plan, policies and processors by the machine.

use super::sleep_metrics::{self, SleepMetrics};
use super::{help, label};
use oversleep_recording::plan::{Cell, Plan};
use oversleep_recording::{Flags, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, EncodeLabelSet)]
struct SleepLabels {
    method: String,
    requested: String,
    policy: String,
    processor: Option<u16>,
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CauseLabels {
    cause: String,
}

/// A finding as published: the name of its cause, its confidence, and its share of the lateness.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownFinding {
    /// Name of the cause.
    pub cause: String,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Share of the lateness, 0 to 1; `None` where the finding is not lateness.
    pub share: Option<f64>,
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfClock {
    clock: &'static str,
}

/// A clock's drift as published: shares of one, not ppm.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownDrift {
    /// Name of the clock.
    pub clock: &'static str,
    /// How much faster it runs than the monotonic clock.
    pub rate: f64,
    /// Half of the rate's 95 % interval.
    pub error: f64,
}

/// The highest confidence and the largest share of the findings of one cause.
#[derive(Debug, Default)]
struct Shown {
    confidence: f64,
    share: Option<f64>,
}

/// Figures of a running measurement so far.
pub struct Metrics {
    registry: Registry,
    sleeps: SleepMetrics<SleepLabels>,
    lost: Counter,
    confidence: Family<CauseLabels, Gauge<f64, AtomicU64>>,
    share: Family<CauseLabels, Gauge<f64, AtomicU64>>,
    stalls: Family<CauseLabels, Counter>,
    stalled: Family<CauseLabels, Counter<f64, AtomicU64>>,
    drift: Family<OfClock, Gauge<f64, AtomicU64>>,
    drift_error: Family<OfClock, Gauge<f64, AtomicU64>>,
    coverage: Gauge<f64, AtomicU64>,
    kept: Gauge<f64, AtomicU64>,
    measured: Counter<f64, AtomicU64>,
    processor_time: Counter<f64, AtomicU64>,
    /// Labels of each cell, without the processor.
    cells: Vec<SleepLabels>,
    began: Nanos,
    slept: Nanos,
}

impl Metrics {
    /// Begins to count the cells of a plan at `began`, a time of the monotonic clock. A sleep that is later than
    /// `stall_threshold` is a stall.
    pub fn new(plan: &Plan, version: &str, began: Nanos, stall_threshold: Nanos) -> Self {
        let mut registry = Registry::default();
        let sleeps = SleepMetrics::register(&mut registry);
        let lost = Counter::default();
        let (confidence, share) =
            <(Family<CauseLabels, Gauge<f64, AtomicU64>>, Family<CauseLabels, Gauge<f64, AtomicU64>>)>::default();
        let coverage = Gauge::<f64, AtomicU64>::default();
        let processor_time = Counter::<f64, AtomicU64>::default();
        registry.register("oversleep_lost", help::LOST, lost.clone());
        registry.register("oversleep_finding_confidence", help::CONFIDENCE, confidence.clone());
        registry.register("oversleep_finding_lateness_ratio", help::SHARE, share.clone());
        let (stalls, stalled) =
            <(Family<CauseLabels, Counter>, Family<CauseLabels, Counter<f64, AtomicU64>>)>::default();
        registry.register("oversleep_stalls", help::STALLS, stalls.clone());
        registry.register_with_unit("oversleep_stalled", help::STALLED, Unit::Seconds, stalled.clone());
        let threshold = Gauge::<f64, AtomicU64>::default();
        threshold.set(stall_threshold.as_secs_f64());
        registry.register_with_unit("oversleep_stall_threshold", help::THRESHOLD, Unit::Seconds, threshold);
        let (drift, drift_error) =
            <(Family<OfClock, Gauge<f64, AtomicU64>>, Family<OfClock, Gauge<f64, AtomicU64>>)>::default();
        registry.register("oversleep_clock_drift_ratio", help::DRIFT, drift.clone());
        registry.register("oversleep_clock_drift_error_ratio", help::DRIFT_ERROR, drift_error.clone());
        registry.register("oversleep_coverage_ratio", help::COVERAGE, coverage.clone());
        let recording_kept = Gauge::<f64, AtomicU64>::default();
        registry.register("oversleep_recording_kept", help::KEPT, recording_kept.clone());
        let measured = Counter::<f64, AtomicU64>::default();
        registry.register_with_unit("oversleep_measured", help::MEASURED, Unit::Seconds, measured.clone());
        registry.register_with_unit("oversleep_processor", help::PROCESSOR, Unit::Seconds, processor_time.clone());
        registry.register("oversleep_build", "The program", Info::new([("version", version.to_owned())]));
        let cells = plan.cells.iter().map(labels).collect();
        Self {
            registry,
            sleeps,
            lost,
            confidence,
            share,
            stalls,
            stalled,
            drift,
            drift_error,
            coverage,
            kept: recording_kept,
            measured,
            processor_time,
            cells,
            began,
            slept: Nanos::ZERO,
        }
    }

    /// Replaces the findings.
    pub fn set_findings(&mut self, findings: &[ShownFinding]) {
        let mut all: BTreeMap<&str, Shown> = BTreeMap::new();
        for finding in findings {
            // One cause may be found in several cells: the highest confidence and the largest share are shown.
            let shown = all.entry(&finding.cause).or_default();
            shown.confidence = shown.confidence.max(finding.confidence);
            shown.share = [shown.share, finding.share].into_iter().flatten().reduce(f64::max);
        }
        self.confidence.clear();
        self.share.clear();
        for (cause, shown) in all {
            let named = CauseLabels { cause: cause.to_owned() };
            self.confidence.get_or_create(&named).set(shown.confidence);
            if let Some(share) = shown.share {
                self.share.get_or_create(&named).set(share);
            }
        }
    }

    /// Counts a stall with this cause; `parts` are the causes of its lateness, each with the time that it took.
    pub fn count_stall(&mut self, cause: &str, parts: &[(String, Nanos)]) {
        self.stalls.get_or_create(&CauseLabels { cause: cause.to_owned() }).inc();
        for (cause, time) in parts {
            let seconds = time.as_secs_f64().max(0.0);
            self.stalled.get_or_create(&CauseLabels { cause: cause.clone() }).inc_by(seconds);
        }
    }

    /// Sets whether samples are kept in recordings.
    pub fn set_kept(&mut self, kept: bool) {
        self.kept.set(f64::from(u8::from(kept)));
    }

    /// Replaces the drifts of the clocks.
    pub fn set_drifts(&mut self, drifts: &[ShownDrift]) {
        self.drift.clear();
        self.drift_error.clear();
        for shown in drifts {
            let label = OfClock { clock: shown.clock };
            self.drift.get_or_create(&label).set(shown.rate);
            self.drift_error.get_or_create(&label).set(shown.error);
        }
    }

    /// Returns the OpenMetrics text at `now`, a time of the monotonic clock, with the processor time used until then.
    ///
    /// # Errors
    /// If the text cannot be written, which has not been seen.
    pub fn text(&self, now: Nanos, processor_time: Option<Nanos>) -> Result<String, std::fmt::Error> {
        self.update_time(now, processor_time);
        sleep_metrics::open_metrics(&self.registry)
    }

    /// Updates the metrics that depend on the time.
    fn update_time(&self, now: Nanos, processor_time: Option<Nanos>) {
        let passed = (now - self.began).as_f64();
        self.coverage.set(if passed > 0.0 { (self.slept.as_f64() / passed).min(1.0) } else { 0.0 });
        if let Some(used) = processor_time {
            self.processor_time.inc_by((used.as_f64() / 1e9 - self.processor_time.get()).max(0.0));
        }
    }
}

/// Converts the text of [`Metrics::text`] to Prometheus' older text format, for programs that read only that.
pub fn classic(text: &str) -> String {
    sleep_metrics::classic(text)
}

fn labels(cell: &Cell) -> SleepLabels {
    let policy = cell.conditions.policy.map_or_else(|| "default".to_owned(), |policy| policy.to_string());
    SleepLabels { method: cell.method.clone(), requested: label::request_seconds(cell), policy, processor: None }
}

impl Sink for Metrics {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            let Some(labels) = self.cells.get(sample.cell as usize) else { continue };
            let processor = sample.cpu();
            let labels = SleepLabels { processor, ..labels.clone() };
            self.sleeps.count(&labels, sample);
            if !sample.flags.has(Flags::FAILED) {
                let slept = sample.end - sample.start;
                self.slept = self.slept.saturating_add(slept);
                self.measured.inc_by(slept.as_f64().max(0.0) / 1e9);
            }
        }
    }

    fn note(&mut self, note: &Note) {
        self.lost.inc_by(note.lost);
        for obtained in &note.obtained {
            if let (Some(cell), Some(obtained)) =
                (self.cells.get_mut(obtained.cell as usize), obtained.conditions.policy)
            {
                cell.policy = obtained.to_string();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::{Conditions, Pattern, build};

    fn sample(oversleep: i64, flags: Flags) -> Sample {
        let (start, end) = (Nanos::ZERO, Nanos::new(10_000_000 + oversleep));
        Sample { requested: Nanos::from_millis(10), start, end, cpu_end: 1, flags, ..Sample::BLANK }
    }

    /// Returns a plan of ten sleeps of 10 ms.
    fn plan() -> Plan {
        let none = [Conditions::default()];
        let pattern = [Pattern::Fixed { requested: Nanos::from_millis(10) }];
        let grid = build::Grid { rows: &[MethodId::Nanosleep.row()], requests: &pattern, conditions: &none };
        build::measure(&grid, 10, 1)
    }

    #[test]
    fn what_was_slept_is_in_the_text() {
        let mut metrics = Metrics::new(&plan(), "9.9.9", Nanos::ZERO, Nanos::MILLISECOND);
        metrics.samples(&[
            sample(60_000, Flags::default()),
            sample(-2_000, Flags::INTERRUPTED),
            sample(0, Flags::FAILED),
        ]);
        let finding = |confidence| ShownFinding { cause: "timer-slack".to_owned(), confidence, share: Some(0.5) };
        metrics.set_findings(&[finding(0.5), finding(0.9)]);
        let part = |cause: &str, millis| (cause.to_owned(), Nanos::from_millis(millis));
        metrics.count_stall("run-queue", &[part("run-queue", 3), part("timer-slack", 1)]);
        metrics.count_stall("run-queue", &[part("run-queue", 4)]);
        let drift = |clock, rate| ShownDrift { clock, rate, error: 2e-5 };
        metrics.set_drifts(&[drift("realtime", 0.5)]);
        metrics.set_drifts(&[drift("monotonic-raw", 4e-5)]);
        let text = metrics.text(Nanos::from_millis(40), Some(Nanos::from_millis(3))).unwrap();
        for line in [
            "oversleep_lateness_seconds_bucket{le=\"0.00005\",method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 1",
            "oversleep_lateness_seconds_bucket{le=\"+Inf\",method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 2",
            "oversleep_lateness_seconds_bucket{le=\"-0.000001\",method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 1",
            "oversleep_early_total{method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 1",
            "oversleep_interrupted_total{method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 1",
            "oversleep_failed_total{method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 1",
            "oversleep_finding_confidence{cause=\"timer-slack\"} 0.9",
            "oversleep_stalls_total{cause=\"run-queue\"} 2",
            "oversleep_stalled_seconds_total{cause=\"run-queue\"} 0.007",
            "oversleep_stalled_seconds_total{cause=\"timer-slack\"} 0.001",
            "oversleep_stall_threshold_seconds 0.001",
            "oversleep_clock_drift_ratio{clock=\"monotonic-raw\"} 0.00004",
            "oversleep_clock_drift_error_ratio{clock=\"monotonic-raw\"} 0.00002",
            "oversleep_processor_seconds_total 0.003",
            "oversleep_measured_seconds_total 0.020058",
            "oversleep_build_info{version=\"9.9.9\"} 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing from\n{text}");
        }
        assert!(!text.contains("clock=\"realtime\""), "only the latest drifts are shown");
        let coverage = text.lines().find_map(|line| line.strip_prefix("oversleep_coverage_ratio ")).unwrap();
        assert!((coverage.parse::<f64>().unwrap() - 0.50145).abs() < 1e-9, "{coverage}");
        let unsound = text.lines().find(|line| line.contains("_sum{") || line.contains("_count{"));
        assert_eq!(unsound, None, "with buckets below zero there is neither");
        assert!(text.ends_with("# EOF\n"));
    }
}
