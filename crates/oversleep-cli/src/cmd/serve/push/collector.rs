//! Where figures are pushed to, and how often.

use crate::args::{LEAST_PUSH_INTERVAL, ServeArgs};
use crate::failure::Failure;
use hyper::Uri;
use std::env;
use std::time::Duration;

/// Where OpenTelemetry's collectors listen.
const USUAL: &str = "http://localhost:4318";
/// Path of metrics at a collector.
const PATH: &str = "/v1/metrics";
const USUAL_INTERVAL: Duration = Duration::from_secs(60);

/// Returns the address of metrics at the collector that was named; else at the one of the environment, whose variables
/// OpenTelemetry defines; else at the usual one.
pub(super) fn address(given: &str) -> Result<String, Failure> {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty()).map(|value| (name, value));
    let whole = || set("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
    let base = || set("OTEL_EXPORTER_OTLP_ENDPOINT").map(|(name, base)| (name, with_path(&base)));
    let (from, address) = match given {
        "" => whole().or_else(base).unwrap_or_else(|| ("--otlp", with_path(USUAL))),
        given => ("--otlp", with_path(given)),
    };
    check(&address).map_err(|why| Failure::usage(format!("{from}: {why}")))?;
    Ok(address)
}

/// Returns the address of metrics at a collector.
fn with_path(base: &str) -> String {
    let base = base.trim_end_matches('/');
    if base.ends_with(PATH) { base.to_owned() } else { format!("{base}{PATH}") }
}

fn check(address: &str) -> Result<(), &'static str> {
    const WANTED: &str = "a URL is needed, such as http://localhost:4318";
    let uri: Uri = address.parse().map_err(|_| WANTED)?;
    match (uri.scheme_str(), uri.authority()) {
        (Some("https"), _) => {
            Err("https is not built in; push by http to a collector on this machine, which can forward by https")
        }
        (Some("http"), Some(authority)) if authority.as_str().contains('@') => {
            Err("a password in the URL is not sent; put it into OTEL_EXPORTER_OTLP_HEADERS")
        }
        (Some("http"), Some(authority)) if !authority.host().is_empty() => Ok(()),
        _ => Err(WANTED),
    }
}

/// Returns the time between pushes.
pub(super) fn interval(args: &ServeArgs) -> Duration {
    let given = args.otlp_interval.map(|given| Duration::from_nanos(given.get().unsigned_abs()));
    let set = || Some(Duration::from_millis(env::var("OTEL_METRIC_EXPORT_INTERVAL").ok()?.trim().parse().ok()?));
    let least = Duration::from_nanos(LEAST_PUSH_INTERVAL.get().unsigned_abs());
    given.or_else(set).unwrap_or(USUAL_INTERVAL).max(least)
}

#[cfg(test)]
mod tests {
    use super::{check, with_path};

    #[test]
    fn the_path_of_metrics_is_added_once() {
        for base in ["http://a:4318", "http://a:4318/", "http://a:4318/v1/metrics", "http://a:4318/v1/metrics/"] {
            assert_eq!(with_path(base), "http://a:4318/v1/metrics");
        }
        assert_eq!(with_path("http://a/otlp"), "http://a/otlp/v1/metrics");
    }

    #[test]
    fn what_cannot_be_pushed_to_is_refused() {
        for address in ["http://localhost:4318/v1/metrics", "http://[::1]:4318/v1/metrics", "http://a/x"] {
            assert_eq!(check(address), Ok(()), "{address}");
        }
        for address in ["https://a/v1/metrics", "http://u:p@a/v1/metrics", "a:4318/v1/metrics", "/v1/metrics", "x y"] {
            assert!(check(address).is_err(), "{address}");
        }
    }
}
