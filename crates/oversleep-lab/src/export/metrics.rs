//! Running figures for Prometheus and its kin, as OpenMetrics text.
//!
//! Labels are bounded: methods and requests by the plan, policies and processors by the machine.

use oversleep_recording::plan::{Cell, Plan, Policy};
use oversleep_recording::{Flags, Note, Sample, Sink};
use oversleep_sys::units::Nanos;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::sync::atomic::AtomicU64;

/// Upper bounds of the buckets, seconds: 1, 2 and 5 of each decade, and what woke early below zero.
const BUCKETS: [f64; 24] = [
    -1e-3, -1e-4, -1e-5, -1e-6, 0.0, 1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2,
    2e-2, 5e-2, 1e-1, 2e-1, 5e-1, 1.0,
];

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Slept {
    method: String,
    requested: String,
    policy: String,
    processor: String,
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Named {
    cause: String,
}

/// A finding, as it is shown: the cause's name, how sure it is, and its share of the lateness.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownFinding {
    /// The cause.
    pub cause: String,
    /// 0 to 1.
    pub confidence: f64,
    /// 0 to 1; `None` where the finding is not lateness.
    pub share: Option<f64>,
}

/// What a measurement that goes on has seen so far.
pub struct Metrics {
    registry: Registry,
    lateness: Family<Slept, Histogram>,
    early: Family<Slept, Counter>,
    interrupted: Counter,
    failed: Counter,
    lost: Counter,
    confidence: Family<Named, Gauge<f64, AtomicU64>>,
    share: Family<Named, Gauge<f64, AtomicU64>>,
    coverage: Gauge<f64, AtomicU64>,
    processor_time: Gauge<f64, AtomicU64>,
    /// Of each cell, what its labels say but for the processor.
    cells: Vec<Slept>,
    began: Nanos,
    slept: Nanos,
}

impl Metrics {
    /// Begins at a time of the monotonic clock, for a plan's cells.
    pub fn new(plan: &Plan, version: &str, began: Nanos) -> Self {
        let mut registry = Registry::default();
        let lateness = Family::new_with_constructor((|| Histogram::new(BUCKETS)) as fn() -> Histogram);
        let (early, interrupted, failed, lost) = <(Family<Slept, Counter>, Counter, Counter, Counter)>::default();
        let (confidence, share) =
            <(Family<Named, Gauge<f64, AtomicU64>>, Family<Named, Gauge<f64, AtomicU64>>)>::default();
        let (coverage, processor_time) = <(Gauge<f64, AtomicU64>, Gauge<f64, AtomicU64>)>::default();
        let help = "How much later than requested sleeps ended; negative is early";
        registry.register_with_unit("oversleep_lateness", help, Unit::Seconds, lateness.clone());
        registry.register("oversleep_early", "Sleeps that ended before the requested time", early.clone());
        registry.register("oversleep_interrupted", "Sleeps that a signal ended", interrupted.clone());
        registry.register("oversleep_failed", "Sleeps that the system refused", failed.clone());
        registry.register("oversleep_lost", "Sleeps that were made and not recorded", lost.clone());
        let help = "Findings in the last round of samples, by cause: the share of such findings that are right";
        registry.register("oversleep_finding_confidence", help, confidence.clone());
        let help = "Findings in the last round of samples, by cause: their share of the lateness";
        registry.register("oversleep_finding_lateness_ratio", help, share.clone());
        let help = "Share of the time in which a sleep was being measured: what happens in the rest is not seen";
        registry.register("oversleep_coverage_ratio", help, coverage.clone());
        let help = "Processor time that this exporter has used";
        registry.register_with_unit("oversleep_processor", help, Unit::Seconds, processor_time.clone());
        registry.register("oversleep_build", "The program", Info::new([("version", version.to_owned())]));
        let cells = plan.cells.iter().map(labels).collect();
        let slept = Nanos::ZERO;
        Self {
            registry,
            lateness,
            early,
            interrupted,
            failed,
            lost,
            confidence,
            share,
            coverage,
            processor_time,
            cells,
            began,
            slept,
        }
    }

    /// Replaces the findings.
    pub fn set_findings(&self, findings: &[ShownFinding]) {
        self.confidence.clear();
        self.share.clear();
        for finding in findings {
            let named = Named { cause: finding.cause.clone() };
            let confidence = self.confidence.get_or_create(&named);
            // A cause is found once per cell: the surest counts, and lateness of the worst cell.
            confidence.set(confidence.get().max(finding.confidence));
            if let Some(found) = finding.share {
                let share = self.share.get_or_create(&named);
                share.set(share.get().max(found));
            }
        }
    }

    /// Returns the text at a time of the monotonic clock, with the processor time used by then.
    ///
    /// # Errors
    /// If it cannot be written down, which has not been seen.
    pub fn text(&self, now: Nanos, processor_time: Option<Nanos>) -> Result<String, std::fmt::Error> {
        let passed = (now - self.began).as_f64();
        self.coverage.set(if passed > 0.0 { (self.slept.as_f64() / passed).min(1.0) } else { 0.0 });
        if let Some(used) = processor_time {
            self.processor_time.set(used.as_f64() * 1e-9);
        }
        let mut out = String::new();
        text::encode(&mut out, &self.registry)?;
        Ok(out)
    }
}

fn labels(cell: &Cell) -> Slept {
    let requested = cell.pattern.requested().map_or_else(|| "varied".to_owned(), seconds);
    let policy = cell.conditions.policy.map_or_else(|| "default".to_owned(), policy);
    Slept { method: cell.method.clone(), requested, policy, processor: String::new() }
}

/// A duration as a number of seconds, as Prometheus has it.
fn seconds(span: Nanos) -> String {
    format!("{}", span.as_f64() * 1e-9)
}

fn policy(policy: Policy) -> String {
    policy.to_string()
}

impl Sink for Metrics {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            let Some(labels) = self.cells.get(sample.cell as usize) else { continue };
            if sample.flags.has(Flags::FAILED) {
                self.failed.inc();
                continue;
            }
            let processor = if sample.cpu_end == Sample::NO_CPU { String::new() } else { sample.cpu_end.to_string() };
            let labels = Slept { processor, ..labels.clone() };
            let oversleep = sample.oversleep();
            self.lateness.get_or_create(&labels).observe(oversleep.as_f64() * 1e-9);
            if oversleep < Nanos::ZERO {
                self.early.get_or_create(&labels).inc();
            }
            if sample.flags.has(Flags::INTERRUPTED) {
                self.interrupted.inc();
            }
            self.slept = self.slept.saturating_add(sample.end - sample.start);
        }
    }

    fn note(&mut self, note: &Note) {
        self.lost.inc_by(note.lost);
        for obtained in &note.obtained {
            if let (Some(cell), Some(obtained)) =
                (self.cells.get_mut(obtained.cell as usize), obtained.conditions.policy)
            {
                cell.policy = policy(obtained);
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

    #[test]
    fn what_was_slept_is_in_the_text() {
        let none = [Conditions::default()];
        let pattern = [Pattern::Fixed { requested: Nanos::from_millis(10) }];
        let grid = build::Grid { rows: &[MethodId::Nanosleep.row()], requests: &pattern, conditions: &none };
        let plan = build::measure(&grid, 10, 1);
        let mut metrics = Metrics::new(&plan, "9.9.9", Nanos::ZERO);
        metrics.samples(&[
            sample(60_000, Flags::default()),
            sample(-2_000, Flags::INTERRUPTED),
            sample(0, Flags::FAILED),
        ]);
        let finding = |confidence| ShownFinding { cause: "timer-slack".to_owned(), confidence, share: Some(0.5) };
        metrics.set_findings(&[finding(0.5), finding(0.9)]);
        let text = metrics.text(Nanos::from_millis(40), Some(Nanos::from_millis(3))).unwrap();
        for line in [
            "oversleep_lateness_seconds_bucket{le=\"0.00005\",method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 1",
            "oversleep_lateness_seconds_count{method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 2",
            "oversleep_early_total{method=\"nanosleep\",requested=\"0.01\",policy=\"default\",processor=\"1\"} 1",
            "oversleep_interrupted_total 1",
            "oversleep_failed_total 1",
            "oversleep_finding_confidence{cause=\"timer-slack\"} 0.9",
            "oversleep_processor_seconds 0.003",
            "oversleep_build_info{version=\"9.9.9\"} 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing from\n{text}");
        }
        let coverage = text.lines().find_map(|line| line.strip_prefix("oversleep_coverage_ratio ")).unwrap();
        assert!((coverage.parse::<f64>().unwrap() - 0.50145).abs() < 1e-9, "{coverage}");
        assert!(text.ends_with("# EOF\n"));
    }
}
