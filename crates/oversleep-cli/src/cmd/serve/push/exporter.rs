//! Pushes by the SDK of OpenTelemetry, in a thread of the SDK's. A collector that is absent, slow or out of order costs
//! a line and a count: figures are totals since the start, so the next push makes up for those that failed, and nothing
//! waits in memory for it.

use super::client::{Client, LastError};
use super::collector;
use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::say::say;
use opentelemetry_otlp::{MetricExporter, Protocol, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{SdkMeterProvider, Temporality};
use oversleep_lab::export::metrics::otlp::Pushes;
use oversleep_lab::session::Server;
use oversleep_sys::units::Nanos;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Longest time of a push, unless the interval is shorter; OpenTelemetry's default.
const WITHIN: Duration = Duration::from_secs(10);

/// Pushes that go on until they are ended.
pub(in crate::cmd::serve) struct Pushing(Option<SdkMeterProvider>);

impl Pushing {
    /// Pushes a last time, for at most five seconds.
    pub(in crate::cmd::serve) fn end(self) {
        // What fails has been said by then.
        self.0.map(|provider| provider.shutdown());
    }
}

/// Refuses an address that figures cannot be pushed to.
pub(in crate::cmd::serve) fn check(args: &ServeArgs) -> Result<(), Failure> {
    args.otlp.as_ref().map_or(Ok(()), |given| collector::address(given).map(drop))
}

/// Begins to push the figures, if `--otlp` is given.
pub(in crate::cmd::serve) fn begin(
    args: &ServeArgs,
    server: &Server,
    processor_time: impl Fn() -> Option<Nanos> + Send + Sync + 'static,
) -> Result<Pushing, Failure> {
    let Some(given) = &args.otlp else { return Ok(Pushing(None)) };
    let (address, interval) = (collector::address(given)?, collector::interval(args));
    let (within, last_error) = (WITHIN.min(interval), LastError::default());
    let client = Client::new(within, last_error.clone())
        .map_err(|error| Failure::trouble(format!("cannot start to push figures: {error}")))?;
    let http = MetricExporter::builder().with_http().with_http_client(client);
    let exporter = http.with_protocol(Protocol::HttpBinary).with_endpoint(&address).with_timeout(within).build();
    let exporter = exporter.map_err(|error| Failure::usage(format!("--otlp: {error}")))?;
    say!("figures are pushed to {address} every {} s", interval.as_secs_f64());
    let watched =
        |pushes| ReportingExporter { exporter, last_error, pushes, address, interval, failed: AtomicU64::new(0) };
    Ok(Pushing(Some(server.push(interval, watched, processor_time))))
}

/// An exporter that counts its failures, and says when they begin and end.
struct ReportingExporter {
    exporter: MetricExporter,
    last_error: LastError,
    pushes: Pushes,
    address: String,
    interval: Duration,
    /// Pushes that have failed since the last one that did not.
    failed: AtomicU64,
}

impl PushMetricExporter for ReportingExporter {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        let pushed = self.exporter.export(metrics).await;
        let error = pushed.as_ref().err().map(ToString::to_string);
        // Values that a collector rejects are no error of the SDK's.
        self.tell(self.last_error.take().or(error).as_deref());
        pushed
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn temporality(&self) -> Temporality {
        self.exporter.temporality()
    }
}

impl ReportingExporter {
    fn tell(&self, why: Option<&str>) {
        self.pushes.count(why.is_some());
        let address = &self.address;
        let failed = match why {
            Some(_) => self.failed.fetch_add(1, Ordering::Relaxed),
            None => self.failed.swap(0, Ordering::Relaxed),
        };
        match (why, failed) {
            (Some(why), 0) => say!(
                "oversleep: figures cannot be pushed to {address}: {why}; tried again every {} s",
                self.interval.as_secs_f64()
            ),
            (None, 1..) => say!("figures are pushed to {address} again; failed before: {failed}"),
            _ => {}
        }
    }
}
