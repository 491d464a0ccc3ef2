//! The HTTP answers of `serve`. No path or query of a request reaches the file system.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONNECTION, CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

/// Most connections at once; further ones wait to be accepted.
const CONNECTIONS: usize = 256;
/// Longest time that a request's head may take to arrive.
const HEAD_WITHIN: Duration = Duration::from_secs(5);
const LARGEST_HEAD: usize = 16 << 10;
/// Longest time of a connection: a client that reads more slowly is disconnected.
const CONNECTION_WITHIN: Duration = Duration::from_secs(60);

/// Most answers to one connection, which is then closed: a client that sends many requests and reads no answer takes the
/// time of as many.
const ANSWERS: usize = 8;

/// A format of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FigureFormat {
    /// OpenMetrics text.
    OpenMetrics,
    /// Prometheus' older text, for clients that do not ask for OpenMetrics.
    Classic,
}

impl FigureFormat {
    /// Returns the format that a list of accepted media types asks for.
    fn accepted(types: &str) -> Self {
        if types.contains("application/openmetrics-text") { Self::OpenMetrics } else { Self::Classic }
    }

    const fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Classic => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

const PLAIN: &str = "text/plain; charset=utf-8";

/// Answers requests until `stop` is notified. `figures` returns the answer to a scrape.
pub(super) fn answer(
    listener: TcpListener,
    figures: impl Fn(FigureFormat) -> Vec<u8> + Send + Sync + 'static,
    stop: &Notify,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let (figures, room) = (Arc::new(figures), Arc::new(Semaphore::new(CONNECTIONS)));
        loop {
            let Ok(place) = room.clone().acquire_owned().await else { return Ok(()) };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.notified() => return Ok(()),
            };
            // Either the client went away before it was accepted, or file descriptors ran out: wait until others end.
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let figures = figures.clone();
            tokio::spawn(async move {
                let answered = AtomicUsize::new(0);
                let service = service_fn(move |request| {
                    let mut response = respond(&request, &*figures);
                    if answered.fetch_add(1, Ordering::Relaxed) + 1 >= ANSWERS {
                        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                    }
                    async move { Ok::<_, Infallible>(response) }
                });
                let mut server = hyper::server::conn::http1::Builder::new();
                server.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN).max_buf_size(LARGEST_HEAD);
                let _ = timeout(CONNECTION_WITHIN, server.serve_connection(TokioIo::new(stream), service)).await;
                drop(place);
            });
        }
    })
}

/// Returns the format that a request asks for.
fn form(request: &Request<Incoming>) -> FigureFormat {
    let accepted: Vec<&str> =
        request.headers().get_all(ACCEPT).iter().filter_map(|accepted| accepted.to_str().ok()).collect();
    FigureFormat::accepted(&accepted.join(","))
}

fn respond(
    request: &Request<Incoming>,
    figures: &(impl Fn(FigureFormat) -> Vec<u8> + ?Sized),
) -> Response<Full<Bytes>> {
    let plain = |status, text: &'static str| (status, PLAIN, Bytes::from_static(text.as_bytes()));
    let (status, kind, body) = match (request.method(), request.uri().path()) {
        (&Method::GET | &Method::HEAD, "/metrics") => {
            let form = form(request);
            (StatusCode::OK, form.content_type(), Bytes::from(figures(form)))
        }
        (&Method::GET | &Method::HEAD, "/") => {
            plain(StatusCode::OK, "oversleep serve: figures for Prometheus are at /metrics\n")
        }
        (&Method::GET | &Method::HEAD, _) => plain(StatusCode::NOT_FOUND, "not found; figures are at /metrics\n"),
        _ => plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered\n"),
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
