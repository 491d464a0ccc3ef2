use super::*;
use crate::export::metrics::tests::{plan, sample};
use crate::export::metrics::{ShownDrift, ShownFinding};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::Temporality;
use opentelemetry_sdk::metrics::data::{
    AggregatedMetrics, HistogramDataPoint, Metric, MetricData, ResourceMetrics, ScopeMetrics,
};
use oversleep_recording::Sink;
use std::time::Duration;

/// Values by series, written as Prometheus does, with the labels in alphabetical order.
type Values = BTreeMap<String, f64>;

fn series<'a>(name: &str, labels: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut labels: Vec<String> = labels.map(|(name, value)| format!("{name}={value}")).collect();
    labels.sort();
    format!("{name}{{{}}}", labels.join(","))
}

/// Reads OpenMetrics text.
fn exposed(text: &str) -> Values {
    let value = |line: &str| {
        let (named, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = named.split_once('{').unwrap_or((named, "}"));
        let labels = labels.trim_end_matches('}').split(',').filter_map(|label| label.split_once('='));
        let labels = labels.map(|(label, value)| match (label, value.trim_matches('"')) {
            ("le", edge) => (label, edge.parse::<f64>().unwrap().to_string()),
            (_, value) => (label, value.to_owned()),
        });
        (series(name, labels), value.parse().unwrap())
    };
    text.lines().filter(|line| !line.starts_with('#')).map(value).collect()
}

/// The last push, with the names that OpenTelemetry's rules for Prometheus make.
#[derive(Clone, Default)]
struct LastPush(Arc<Mutex<Values>>);

impl LastPush {
    fn put(&self, name: &str, attributes: &[&KeyValue], more: Option<(&str, String)>, value: f64) {
        let labels = attributes.iter().map(|label| (label.key.as_str(), label.value.to_string()));
        let before = self.0.lock().unwrap().insert(series(name, labels.chain(more)), value);
        assert_eq!(before, None, "{name} twice");
    }

    fn buckets(&self, name: &str, point: &HistogramDataPoint<f64>) {
        let mut below = 0;
        for (edge, count) in point.bounds().chain([f64::INFINITY]).zip(point.bucket_counts()) {
            below += count;
            let edge = Some(("le", edge.to_string()));
            self.put(&format!("{name}_bucket"), &point.attributes().collect::<Vec<_>>(), edge, below as f64);
        }
        assert_eq!(point.count(), below);
    }

    fn metric(&self, metric: &Metric) {
        let name = metric.name().replace('.', "_");
        let unit = match metric.unit() {
            "s" => "_seconds",
            "1" => "_ratio",
            _ => "",
        };
        let total = format!("{name}{unit}_total");
        match metric.data() {
            AggregatedMetrics::F64(MetricData::Histogram(all)) => {
                all.data_points().for_each(|point| self.buckets(&format!("{name}{unit}"), point));
            }
            AggregatedMetrics::F64(MetricData::Gauge(all)) => all.data_points().for_each(|point| {
                let attributes: Vec<_> = point.attributes().collect();
                self.put(&format!("{name}{unit}"), &attributes, None, point.value());
            }),
            AggregatedMetrics::F64(MetricData::Sum(all)) => all.data_points().for_each(|point| {
                self.put(&total, &point.attributes().collect::<Vec<_>>(), None, point.value());
            }),
            AggregatedMetrics::U64(MetricData::Sum(all)) => all.data_points().for_each(|point| {
                self.put(&total, &point.attributes().collect::<Vec<_>>(), None, point.value() as f64);
            }),
            other => panic!("{name}: {other:?}"),
        }
    }
}

impl PushMetricExporter for LastPush {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        self.0.lock().unwrap().clear();
        metrics.scope_metrics().flat_map(ScopeMetrics::metrics).for_each(|metric| self.metric(metric));
        Ok(())
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }

    fn temporality(&self) -> Temporality {
        Temporality::Cumulative
    }
}

#[test]
fn a_push_has_every_figure_of_the_text() {
    let now = || (Nanos::from_millis(40), Some(Nanos::from_millis(3)));
    let figures = Arc::new(Mutex::new(Metrics::new(&plan(), "9.9.9", Nanos::ZERO, Nanos::MILLISECOND)));
    let pushes = figures.lock().unwrap().count_pushes();
    let kept = LastPush::default();
    let reader = PeriodicReader::builder(kept.clone()).with_interval(Duration::from_secs(3600)).build();
    let provider = provider(&figures, &pushes, resource("9.9.9"), reader, now);
    let at = |cpu_end, sample: Sample| Sample { cpu_end, ..sample };
    for _ in 0..2 {
        // 2 µs is a bucket's own bound, and 2000 times 1e-9 is slightly above it.
        figures.lock().unwrap().samples(&[
            sample(60_000, Flags::default()),
            at(3, sample(2_000, Flags::default())),
            at(Sample::NO_CPU, sample(2_000_000_000, Flags::default())),
            sample(-2_000, Flags::INTERRUPTED),
            sample(0, Flags::FAILED),
        ]);
        let finding = |cause: &str, share| ShownFinding { cause: cause.to_owned(), confidence: 0.9, share };
        figures.lock().unwrap().set_findings(&[finding("timer-slack", Some(0.5)), finding("clock-drift", None)]);
        let part = |cause: &str| (cause.to_owned(), Nanos::MILLISECOND);
        figures.lock().unwrap().count_stall("run-queue", &[part("run-queue"), part("timer-slack")]);
        figures.lock().unwrap().set_drifts(vec![ShownDrift { clock: "monotonic-raw", rate: 4e-5, error: 1e-9 }]);
        pushes.count(true);
        provider.force_flush().unwrap();
        let mut text = exposed(&figures.lock().unwrap().text(now().0, now().1).unwrap());
        text.retain(|series, _| !series.starts_with("oversleep_build_info"));
        // A processor that is not known is no attribute; in the text it is an empty label, which is the same.
        let text: Values =
            text.into_iter().map(|(series, value)| (series.replace(",processor=,", ","), value)).collect();
        assert_eq!(*kept.0.lock().unwrap(), text);
    }
    provider.shutdown().unwrap();
}
