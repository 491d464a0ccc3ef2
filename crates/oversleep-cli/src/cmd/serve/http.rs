//! The answers to scrapes. No path or query reaches the file system.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use oversleep_lab::export::metrics::classic;
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

/// Connections at once; more wait to be accepted.
const CONNECTIONS: usize = 256;
/// A request's head must be here by then, and so large at the most.
const HEAD_WITHIN: Duration = Duration::from_secs(5);
const LARGEST_HEAD: usize = 16 << 10;
/// A connection lasts so long at the most: whoever reads slowly is let go.
const CONNECTION_WITHIN: Duration = Duration::from_secs(60);

/// What OpenMetrics is called.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// What Prometheus' older format is called, which whoever asks for nothing gets.
const CLASSIC: &str = "text/plain; version=0.0.4; charset=utf-8";
const PLAIN: &str = "text/plain; charset=utf-8";

/// Answers until told to stop. `figures` makes the text of a scrape.
pub(super) fn answer(
    listener: TcpListener,
    figures: impl Fn() -> String + Send + Sync + 'static,
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
            // A client that went away while it was accepted concerns nobody; where descriptors run out, others will end.
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let figures = figures.clone();
            tokio::spawn(async move {
                let service = service_fn(move |request| {
                    let response = respond(&request, &*figures);
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

fn accepts_open_metrics(request: &Request<Incoming>) -> bool {
    let accepted = request.headers().get_all(ACCEPT).iter().filter_map(|accepted| accepted.to_str().ok());
    accepted.into_iter().any(|accepted| accepted.contains("application/openmetrics-text"))
}

fn respond(request: &Request<Incoming>, figures: &(impl Fn() -> String + ?Sized)) -> Response<Full<Bytes>> {
    let (status, kind, text) = match (request.method(), request.uri().path()) {
        (&Method::GET | &Method::HEAD, "/metrics") if accepts_open_metrics(request) => {
            (StatusCode::OK, OPEN_METRICS, figures())
        }
        (&Method::GET | &Method::HEAD, "/metrics") => (StatusCode::OK, CLASSIC, classic(&figures())),
        (&Method::GET | &Method::HEAD, "/") => {
            (StatusCode::OK, PLAIN, "oversleep serve: figures for Prometheus are at /metrics\n".to_owned())
        }
        (&Method::GET | &Method::HEAD, _) => {
            (StatusCode::NOT_FOUND, PLAIN, "not found; figures are at /metrics\n".to_owned())
        }
        _ => (StatusCode::METHOD_NOT_ALLOWED, PLAIN, "only GET and HEAD are answered\n".to_owned()),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
