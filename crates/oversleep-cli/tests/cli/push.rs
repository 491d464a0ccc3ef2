//! `serve --otlp`: what a collector gets, and what happens while it is absent, refuses or does not answer.

use crate::serve::{Served, answer, count, ring};
use crate::support::{oversleep, run, send_times};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::{HistogramDataPoint, Metric};
use oversleep_recording::Flags;
use prost::Message;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, sleep};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a server that pushes every second; returns it with its own address and a receiver of its lines.
fn pushing(collector: &str, folder: &Path) -> (Served, String, Receiver<String>) {
    let child = oversleep()
        .args(["serve", "--listen", "127.0.0.1:0", "-r", "200us", "--otlp", collector, "--otlp-interval", "1s"])
        .arg("--folder")
        .arg(folder)
        .env_remove("OTEL_RESOURCE_ATTRIBUTES")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut server = Served(child);
    let (said, lines) = channel();
    let stderr = BufReader::new(server.0.stderr.take().unwrap());
    thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| said.send(line)));
    let line = lines.recv_timeout(PATIENCE).unwrap();
    let address = line.split_once("http://").and_then(|(_, rest)| rest.split_once('/')).unwrap().0.to_owned();
    (server, address, lines)
}

/// What a collector does with a push.
#[derive(Clone, Copy)]
enum Answer {
    Takes,
    Refuses,
    Nothing,
}

/// Answers pushes until the receiver is gone, and sends them on.
fn collect(listener: TcpListener, answer: Answer) -> Receiver<ExportMetricsServiceRequest> {
    let (send, pushes) = channel();
    thread::spawn(move || {
        let mut unanswered = vec![];
        for stream in listener.incoming().map_while(Result::ok) {
            if take(stream, answer, &send, &mut unanswered).is_none() {
                return;
            }
        }
    });
    pushes
}

fn take(
    stream: TcpStream,
    answer: Answer,
    send: &Sender<ExportMetricsServiceRequest>,
    unanswered: &mut Vec<TcpStream>,
) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).ok().filter(|&read| read > 0)?;
    }
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("post /v1/metrics http/1.1\r\n"), "{head}");
    assert!(head.contains("content-type: application/x-protobuf\r\n"), "{head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.trim().parse().unwrap()];
    reader.read_exact(&mut body).ok()?;
    let push = ExportMetricsServiceRequest::decode(&body[..]).unwrap();
    let status = match answer {
        Answer::Takes => "200 OK",
        Answer::Refuses => "503 Service Unavailable",
        Answer::Nothing => {
            unanswered.push(reader.into_inner());
            return send.send(push).ok();
        }
    };
    let mut stream = reader.into_inner();
    let _ = write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    send.send(push).ok()
}

/// Returns a listener on a port of this machine with its URL.
fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

fn metric<'a>(push: &'a ExportMetricsServiceRequest, name: &str) -> &'a Metric {
    let scopes = push.resource_metrics.iter().flat_map(|resource| &resource.scope_metrics);
    let mut all = scopes.flat_map(|scope| &scope.metrics);
    all.find(|metric| metric.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Returns the histograms of lateness; none if no sleep had ended.
fn lateness(push: &ExportMetricsServiceRequest) -> Vec<HistogramDataPoint> {
    let scopes = push.resource_metrics.iter().flat_map(|resource| &resource.scope_metrics);
    let named = scopes.flat_map(|scope| &scope.metrics).find(|metric| metric.name == "oversleep.lateness");
    match named.and_then(|metric| metric.data.as_ref()) {
        Some(Data::Histogram(histogram)) => histogram.data_points.clone(),
        other => {
            assert_eq!(other, None);
            vec![]
        }
    }
}

fn sleeps(push: &ExportMetricsServiceRequest) -> u64 {
    lateness(push).iter().map(|point| point.count).sum()
}

/// Returns the value of a line of the server's own figures.
fn own(address: &str, name: &str) -> f64 {
    let text = answer(address, "GET /metrics");
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
}

fn wait_for(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..PATIENCE.as_millis() / 50 {
        if holds() {
            return;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("{what}: not within {PATIENCE:?}");
}

#[test]
fn a_collector_gets_what_the_figures_show_and_at_the_end_what_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let (listener, url) = listener();
    let pushes = collect(listener, Answer::Takes);
    let (mut server, address, lines) = pushing(&url, folder.path());
    // A push that was on its way before the first look has fewer sleeps.
    let before = count(&answer(&address, "GET /metrics"));
    let push = pushes.iter().find(|push| sleeps(push) > before).unwrap();
    let after = count(&answer(&address, "GET /metrics"));
    assert!((before..=after).contains(&sleeps(&push)), "{before} ≤ {} ≤ {after}", sleeps(&push));
    wait_for("a push that is counted", || own(&address, "oversleep_pushes_total") > 0.0);
    let resource = push.resource_metrics[0].resource.as_ref().unwrap();
    let mut about: Vec<&str> = resource.attributes.iter().map(|attribute| attribute.key.as_str()).collect();
    about.sort_unstable();
    let sdk = ["telemetry.sdk.language", "telemetry.sdk.name", "telemetry.sdk.version"];
    assert_eq!(about, [&["service.name", "service.version"], &sdk[..]].concat(), "nothing names the machine");
    let point = &lateness(&push)[0];
    let label =
        |name| point.attributes.iter().find(|label| label.key == name).and_then(|label| label.value.clone()?.value);
    assert_eq!(label("requested"), Some(Value::StringValue("0.0002".to_owned())));
    assert!(matches!(label("method"), Some(Value::StringValue(_))));
    metric(&push, "oversleep.coverage");
    metric(&push, "oversleep.processor");
    if !send_times("INT", &server.0, 1) {
        return;
    }
    assert_eq!(server.0.wait().unwrap().code(), Some(0));
    let last = pushes.try_iter().last().unwrap();
    let (_, recorded, _) = ring(folder.path()).pop().unwrap();
    let slept: Vec<f64> = recorded
        .samples
        .iter()
        .filter(|sample| !sample.flags.has(Flags::FAILED))
        .map(|sample| sample.oversleep().as_f64() / 1e9)
        .collect();
    assert_eq!(sleeps(&last), slept.len() as u64, "the last push has the whole recording");
    for (bucket, bound) in lateness(&last)[0].explicit_bounds.iter().enumerate() {
        let below: u64 = lateness(&last).iter().flat_map(|point| &point.bucket_counts[..=bucket]).sum();
        assert_eq!(below, slept.iter().filter(|&late| late <= bound).count() as u64, "up to {bound} s");
    }
    let said: Vec<String> = lines.iter().collect();
    assert!(!said.iter().any(|line| line.starts_with("oversleep:")), "{said:?}");
}

#[test]
fn an_absent_collector_costs_one_line_and_gets_everything_once_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let (absent, url) = listener();
    let port = absent.local_addr().unwrap();
    drop(absent);
    let (mut server, address, lines) = pushing(&url, folder.path());
    wait_for("two failed pushes", || own(&address, "oversleep_failed_pushes_total") >= 2.0);
    assert!(count(&answer(&address, "GET /metrics")) > 0, "it measures all the same");
    let Ok(listener) = TcpListener::bind(port) else {
        println!("skipped: another program has taken the port");
        return;
    };
    let push = collect(listener, Answer::Takes).recv_timeout(PATIENCE).unwrap();
    assert!(sleeps(&push) > 0);
    wait_for("a push that did not fail", || {
        own(&address, "oversleep_pushes_total") > own(&address, "oversleep_failed_pushes_total")
    });
    server.0.kill().unwrap();
    let said: Vec<String> = lines.iter().collect();
    let told: Vec<&String> = said.iter().filter(|line| line.contains("pushed to")).collect();
    let [begun, absent, again] = &told[..] else { panic!("{said:?}") };
    assert_eq!(**begun, format!("figures are pushed to {url}/v1/metrics every 1 s"));
    let cannot = format!("oversleep: figures cannot be pushed to {url}/v1/metrics: ");
    assert!(absent.starts_with(&cannot) && absent.ends_with("; tried again every 1 s"), "{absent}");
    assert!(again.starts_with(&format!("figures are pushed to {url}/v1/metrics again; failed before: ")), "{again}");
}

/// Runs a server against a collector of this kind until pushes have failed; returns why, as it was told.
fn failure(kind: Answer) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (listener, url) = listener();
    let pushes = collect(listener, kind);
    let (mut server, address, lines) = pushing(&url, folder.path());
    wait_for("two failed pushes", || own(&address, "oversleep_failed_pushes_total") >= 2.0);
    let before = count(&answer(&address, "GET /metrics"));
    wait_for("more sleeps", || count(&answer(&address, "GET /metrics")) > before);
    if send_times("INT", &server.0, 1) {
        assert_eq!(server.0.wait().unwrap().code(), Some(0));
    } else {
        server.0.kill().unwrap();
    }
    drop(pushes);
    let said: Vec<String> = lines.iter().filter(|line| line.starts_with("oversleep:")).collect();
    let [line] = &said[..] else { panic!("{said:?}") };
    line.clone()
}

#[test]
fn a_collector_that_refuses_is_told_once() {
    let line = failure(Answer::Refuses);
    assert!(line.contains(": the collector answered 503 Service Unavailable; "), "{line}");
}

#[test]
fn a_collector_that_hangs_holds_nothing_up() {
    let line = failure(Answer::Nothing);
    assert!(line.contains(": no answer within 1s; "), "{line}");
}

#[test]
fn where_nothing_can_be_pushed_to_is_a_usage_error() {
    for (options, why) in [
        (&["--otlp", "https://example.invalid"][..], "--otlp: https is not built in"),
        (&["--otlp", "localhost:4318"], "--otlp: a URL is needed"),
        (&["--otlp", "http://user:secret@localhost"], "OTEL_EXPORTER_OTLP_HEADERS"),
        (&["--otlp", "--otlp-interval", "10ms"], "it is less than 1s"),
        (&["--otlp-interval", "10s"], "--otlp"),
    ] {
        let ran = run(&[&["serve", "--no-save", "--listen", "127.0.0.1:0"], options].concat());
        assert_eq!(ran.code, Some(2), "{options:?}: {}", ran.err);
        let last = ran.err.lines().last().unwrap();
        assert!(ran.err.contains(why) && !ran.err.contains("secret"), "{options:?}: {last}");
    }
}
