//! The figures of a running measurement as instruments of OpenTelemetry.
//!
//! Names and units are such that OpenTelemetry's rules for Prometheus make the names of `/metrics` of them. Counters and
//! gauges are read from the figures when a push is due. Sleeps are recorded a second time: the SDK (0.33) has no
//! histogram that can be observed, and its data cannot be made outside of it.

use super::{Metrics, SleepLabels};
use crate::export::help;
use crate::export::sleep_metrics::{BUCKETS, SeriesCounts};
use opentelemetry::metrics::{Gauge, Meter, MeterProvider};
use opentelemetry::{Key, KeyValue};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{Aggregation, Instrument, PeriodicReader, SdkMeterProvider, Stream};
use oversleep_recording::{Flags, Sample};
use oversleep_sys::units::Nanos;
use prometheus_client::metrics::counter::Counter;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

const LATENESS: &str = "oversleep.lateness";
/// Counts of sleeps, which have the same labels as lateness.
const COUNTS: [&str; 3] = ["oversleep.early", "oversleep.interrupted", "oversleep.failed"];

/// Counts of pushes.
#[derive(Debug, Clone, Default)]
pub struct Pushes {
    over: Counter,
    failed: Counter,
}

impl Pushes {
    /// Counts a push that is over.
    pub fn count(&self, failed: bool) {
        self.over.inc();
        if failed {
            self.failed.inc();
        }
    }
}

impl Metrics {
    /// Adds counts of pushes to the figures.
    pub fn count_pushes(&mut self) -> Pushes {
        let pushes = Pushes::default();
        self.registry.register("oversleep_pushes", help::PUSHES, pushes.over.clone());
        self.registry.register("oversleep_failed_pushes", help::FAILED_PUSHES, pushes.failed.clone());
        pushes
    }
}

/// Records sleeps into the SDK's histogram.
pub(super) struct Recorded {
    /// A gauge that is aggregated to a histogram: a sleep may end early, and the specification lets instruments of the
    /// kind histogram refuse values below zero.
    lateness: Gauge<f64>,
    /// Attributes of each series.
    attributes: BTreeMap<SleepLabels, Vec<KeyValue>>,
}

impl Recorded {
    pub(super) fn record(&mut self, labels: &SleepLabels, sample: &Sample) {
        if sample.flags.has(Flags::FAILED) {
            return;
        }
        let lateness = sample.oversleep().as_f64() / 1e9;
        if !self.attributes.contains_key(labels) {
            self.attributes.insert(labels.clone(), attributes(labels));
        }
        self.lateness.record(lateness, &self.attributes[labels]);
    }
}

fn attributes(labels: &SleepLabels) -> Vec<KeyValue> {
    let SleepLabels { method, requested, policy, processor } = labels.clone();
    let named = [("method", method), ("policy", policy), ("requested", requested)];
    let mut all: Vec<KeyValue> = named.map(|(name, value)| KeyValue::new(name, value)).into();
    all.extend(processor.map(|processor| KeyValue::new("processor", i64::from(processor))));
    all
}

/// Returns what is said about the program with each push: its name, unless the environment names it
/// (`OTEL_SERVICE_NAME`), its version, and what `OTEL_RESOURCE_ATTRIBUTES` adds. Nothing identifies the machine.
pub fn resource(tool: &str) -> Resource {
    let version = tool.strip_prefix("oversleep ").unwrap_or(tool);
    let name = Resource::builder().build().get(&Key::from_static_str("service.name"));
    let named = name.is_some_and(|name| !name.as_str().starts_with("unknown_service"));
    let resource = Resource::builder().with_attribute(KeyValue::new("service.version", version.to_owned()));
    if named { resource.build() } else { resource.with_service_name("oversleep").build() }
}

/// Has a reader push the figures from now on. `now` returns the time of the monotonic clock, and the processor time used
/// so far. Series beyond those of 1024 processors a cell are pushed as one, as the SDK does it.
pub fn provider<E: PushMetricExporter>(
    figures: &Arc<Mutex<Metrics>>,
    pushes: &Pushes,
    resource: Resource,
    reader: PeriodicReader<E>,
    now: impl Fn() -> (Nanos, Option<Nanos>) + Send + Sync + 'static,
) -> SdkMeterProvider {
    let cells = figures.lock().unwrap_or_else(PoisonError::into_inner).cells.len();
    let series = cells.saturating_mul(1024).clamp(2_000, 65_536);
    let view = move |instrument: &Instrument| {
        let stream = Stream::builder().with_cardinality_limit(series);
        match instrument.name() {
            LATENESS => {
                let boundaries = BUCKETS.to_vec();
                let buckets = Aggregation::ExplicitBucketHistogram { boundaries, record_min_max: true };
                stream.with_aggregation(buckets).build().ok()
            }
            name if COUNTS.contains(&name) => stream.build().ok(),
            _ => None,
        }
    };
    let provider = SdkMeterProvider::builder().with_resource(resource).with_view(view).with_reader(reader).build();
    let meter = provider.meter("oversleep");
    let lateness = meter.f64_gauge(LATENESS).with_description(help::LATENESS).with_unit("s").build();
    let mut locked = figures.lock().unwrap_or_else(PoisonError::into_inner);
    locked.recorded = Some(Recorded { lateness, attributes: BTreeMap::new() });
    drop(locked);
    Reading { figures: figures.clone(), now: Arc::new(now) }.observed_by(&meter, pushes);
    provider
}

/// A value with its attributes.
type Value = (f64, Vec<KeyValue>);

/// Reads the figures when a push is due.
#[derive(Clone)]
struct Reading {
    figures: Arc<Mutex<Metrics>>,
    now: Arc<dyn Fn() -> (Nanos, Option<Nanos>) + Send + Sync>,
}

impl Reading {
    fn read<T>(&self, read: impl FnOnce(&Metrics) -> T) -> T {
        let (now, processor_time) = (self.now)();
        let figures = self.figures.lock().unwrap_or_else(PoisonError::into_inner);
        figures.until(now, processor_time);
        read(&figures)
    }

    /// Makes the instruments. A unit of "1" makes a gauge's name end in `_ratio`.
    fn observed_by(&self, meter: &Meter, pushes: &Pushes) {
        let [early, interrupted, failed] = COUNTS;
        self.count_of_series(meter, early, help::EARLY, |counts| counts.early);
        self.count_of_series(meter, interrupted, help::INTERRUPTED, |counts| counts.interrupted);
        self.count_of_series(meter, failed, help::FAILED, |counts| counts.failed);
        self.count(meter, "oversleep.lost", help::LOST, |figures| figures.lost.get());
        let Pushes { over, failed } = pushes.clone();
        self.count(meter, "oversleep.pushes", help::PUSHES, move |_| over.get());
        self.count(meter, "oversleep.failed_pushes", help::FAILED_PUSHES, move |_| failed.get());
        self.seconds(meter, "oversleep.measured", help::MEASURED, |figures| figures.measured.get());
        self.seconds(meter, "oversleep.processor", help::PROCESSOR, |figures| figures.processor_time.get());
        let confidence = |figures: &Metrics| by_cause(figures, |shown| Some(shown.confidence));
        self.gauge(meter, "oversleep.finding.confidence", "", help::CONFIDENCE, confidence);
        let share = |figures: &Metrics| by_cause(figures, |shown| shown.share);
        self.gauge(meter, "oversleep.finding.lateness", "1", help::SHARE, share);
        let threshold = |figures: &Metrics| vec![(figures.threshold.get(), vec![])];
        self.gauge(meter, "oversleep.stall.threshold", "s", help::THRESHOLD, threshold);
        let drift = |figures: &Metrics| by_clock(figures, |drift| drift.rate);
        self.gauge(meter, "oversleep.clock.drift", "1", help::DRIFT, drift);
        let error = |figures: &Metrics| by_clock(figures, |drift| drift.error);
        self.gauge(meter, "oversleep.clock.drift.error", "1", help::DRIFT_ERROR, error);
        self.stalls(meter);
        let coverage = |figures: &Metrics| vec![(figures.coverage.get(), vec![])];
        self.gauge(meter, "oversleep.coverage", "1", help::COVERAGE, coverage);
        let kept = |figures: &Metrics| vec![(figures.kept.get(), vec![])];
        self.gauge(meter, "oversleep.recording.kept", "", help::KEPT, kept);
    }

    fn count_of_series(&self, meter: &Meter, name: &'static str, what: &'static str, count: fn(&SeriesCounts) -> u64) {
        let reading = self.clone();
        let counter = meter.u64_observable_counter(name).with_description(what).with_callback(move |seen| {
            reading.read(|figures| {
                figures.sleeps.each(|labels, counts| seen.observe(count(counts), &attributes(labels)));
            });
        });
        counter.build();
    }

    fn stalls(&self, meter: &Meter) {
        let reading = self.clone();
        let counter = meter.u64_observable_counter("oversleep.stalls").with_description(help::STALLS);
        let observed = counter.with_callback(move |seen| {
            reading.read(|figures| {
                // A cause of parts alone has no stall of its own.
                for (cause, stalled) in figures.causes.iter().filter(|(_, stalled)| stalled.stalls > 0) {
                    seen.observe(stalled.stalls, &[KeyValue::new("cause", cause.clone())]);
                }
            });
        });
        observed.build();
        let reading = self.clone();
        let counter = meter.f64_observable_counter("oversleep.stalled").with_description(help::STALLED).with_unit("s");
        let observed = counter.with_callback(move |seen| {
            reading.read(|figures| {
                for (cause, stalled) in &figures.causes {
                    seen.observe(stalled.seconds, &[KeyValue::new("cause", cause.clone())]);
                }
            });
        });
        observed.build();
    }

    fn count(
        &self,
        meter: &Meter,
        name: &'static str,
        what: &'static str,
        count: impl Fn(&Metrics) -> u64 + Send + Sync + 'static,
    ) {
        let reading = self.clone();
        let counter = meter.u64_observable_counter(name).with_description(what);
        counter.with_callback(move |seen| seen.observe(reading.read(&count), &[])).build();
    }

    fn seconds(&self, meter: &Meter, name: &'static str, what: &'static str, seconds: fn(&Metrics) -> f64) {
        let reading = self.clone();
        let counter = meter.f64_observable_counter(name).with_description(what).with_unit("s");
        counter.with_callback(move |seen| seen.observe(reading.read(seconds), &[])).build();
    }

    fn gauge(
        &self,
        meter: &Meter,
        name: &'static str,
        unit: &'static str,
        what: &'static str,
        values: fn(&Metrics) -> Vec<Value>,
    ) {
        let reading = self.clone();
        let gauge = meter.f64_observable_gauge(name).with_description(what).with_unit(unit);
        let observed = gauge.with_callback(move |seen| {
            for (value, attributes) in reading.read(values) {
                seen.observe(value, &attributes);
            }
        });
        observed.build();
    }
}

/// Returns a value of each cause that has one.
fn by_cause(figures: &Metrics, value: fn(&super::Shown) -> Option<f64>) -> Vec<Value> {
    let named = |cause: &String| vec![KeyValue::new("cause", cause.clone())];
    figures.findings.iter().filter_map(|(cause, shown)| Some((value(shown)?, named(cause)))).collect()
}

/// Returns a value of each clock's drift.
fn by_clock(figures: &Metrics, value: fn(&super::ShownDrift) -> f64) -> Vec<Value> {
    figures.drifts.iter().map(|drift| (value(drift), vec![KeyValue::new("clock", drift.clock)])).collect()
}

#[cfg(test)]
mod tests;
