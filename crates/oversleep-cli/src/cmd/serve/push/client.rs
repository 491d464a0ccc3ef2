//! Sends one push by HTTP, over a connection of its own: pushes are a minute apart.

use async_trait::async_trait;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST, HeaderValue};
use hyper::http::uri::PathAndQuery;
use hyper_util::rt::TokioIo;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceResponse;
use oversleep_recording::text::is_invisible;
use prost::Message;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, io};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

/// Longest answer that is read.
const LARGEST_ANSWER: usize = 64 << 10;
/// Most characters that are shown of what a collector says.
const SHOWN: usize = 200;

/// What was wrong with the last request, if anything was: the SDK's errors leave out why.
#[derive(Debug, Clone, Default)]
pub(super) struct LastError(Arc<Mutex<Option<String>>>);

impl LastError {
    pub(super) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, last_error: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = last_error;
    }
}

/// The HTTP client of the SDK's exporter, whose thread runs no asynchronous code otherwise.
#[derive(Debug)]
pub(super) struct Client {
    runtime: Runtime,
    within: Duration,
    last_error: LastError,
}

impl Client {
    /// Creates a client that waits so long for an answer.
    pub(super) fn new(within: Duration, last_error: LastError) -> io::Result<Self> {
        // The blocking thread looks names up; a second one would only wait for the same server.
        let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build()?;
        Ok(Self { runtime, within, last_error })
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answered = self.runtime.block_on(async { timeout(self.within, send(request)).await });
        let answered = answered.unwrap_or_else(|_| Err(format!("no answer within {:?}", self.within).into()));
        self.last_error.set(match &answered {
            Ok(response) if response.status().is_success() => rejected(response.body()),
            Ok(response) => Some(format!("the collector answered {}", response.status())),
            Err(error) => Some(plain(&causes(error.as_ref()))),
        });
        answered
    }
}

async fn send(request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let (mut parts, body) = request.into_parts();
    let authority = parts.uri.authority().ok_or("the URL has no host")?.clone();
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, authority.port_u16().unwrap_or(80))).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    parts.headers.insert(HOST, HeaderValue::from_str(authority.as_str())?);
    parts.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    parts.uri = parts.uri.path_and_query().map_or("/", PathAndQuery::as_str).parse()?;
    let answer = async move {
        let (parts, body) = sender.send_request(Request::from_parts(parts, Full::new(body))).await?.into_parts();
        let body = Limited::new(body, LARGEST_ANSWER).collect().await?.to_bytes();
        Ok(Response::from_parts(parts, body))
    };
    tokio::join!(answer, connection).0
}

/// Returns what a collector says that accepted not all values.
fn rejected(body: &Bytes) -> Option<String> {
    let partial = ExportMetricsServiceResponse::decode(body.clone()).ok()?.partial_success?;
    let count = partial.rejected_data_points;
    (count > 0).then(|| plain(&format!("the collector rejected {count} values: {}", partial.error_message)))
}

/// Returns an error with what caused it.
fn causes(error: &dyn std::error::Error) -> impl fmt::Display {
    let mut all = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        all.push_str(&format!(": {cause}"));
        next = cause.source();
    }
    all
}

/// Returns text that others wrote so that it fits a line.
fn plain(text: &impl ToString) -> String {
    text.to_string().chars().filter(|letter| !is_invisible(*letter)).take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsPartialSuccess;

    #[test]
    fn rejected_values_are_told_in_one_line() {
        let answer = |rejected_data_points, error_message: &str| {
            let partial = ExportMetricsPartialSuccess { rejected_data_points, error_message: error_message.to_owned() };
            ExportMetricsServiceResponse { partial_success: Some(partial) }.encode_to_vec().into()
        };
        let told = rejected(&answer(3, "too\n\u{1b}[31m old"));
        assert_eq!(told.as_deref(), Some("the collector rejected 3 values: too[31m old"));
        assert_eq!(rejected(&answer(3, &"x".repeat(9_000))).map(|told| told.len()), Some(SHOWN));
        assert_eq!(rejected(&answer(0, "a warning")), None);
        assert_eq!(rejected(&Bytes::from_static(b"")), None);
        assert_eq!(rejected(&Bytes::from_static(b"no protocol buffer")), None);
    }
}
