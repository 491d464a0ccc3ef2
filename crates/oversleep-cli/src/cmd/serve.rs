//! `serve`: measures without end and serves the figures to Prometheus.

use crate::args::{ConditionArgs, ConditionOption, ConditionSet, chosen, names, values};
use crate::failure::Failure;
use crate::say::say;
use crate::{interrupt, running};
use clap::{Args as ClapArgs, ValueHint};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONNECTION, CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::export::metrics::classic;
use oversleep_lab::session::{Archive, MeasureRequest, ServeRequest, Server};
use oversleep_os::clock::{self, ClockId};
use oversleep_recording::plan::Pattern;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_recording::trace::Tier;
use oversleep_sys::units::Nanos;
use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{io, thread};
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    names::say_stand_ins(&args.request().methods);
    let folder = match (&args.folder, args.no_save) {
        (_, true) => None,
        (Some(folder), _) => Some(folder.clone()),
        (None, _) => Archive::of_user().map(|archive| archive.folder().join("serve")),
    };
    let request = ServeRequest {
        measure: args.request(),
        folder,
        save_on_late: args.save_on_late,
        stall_threshold: args.stall_threshold,
        tier: args.tier,
    };
    let server = Server::new(request, running::TOOL)?;
    let listener = TcpListener::bind(args.listen)
        .map_err(|error| Failure::trouble(format!("cannot listen on {}: {error}", args.listen)))?;
    let address = listener.local_addr().unwrap_or(args.listen);
    say!("figures at http://{address}/metrics; Ctrl-C ends it");
    let processor_time = clock::open(ClockId::ProcessCputime).ok();
    let used = move || processor_time.as_ref().map(clock::OpenClock::now);
    let (stop, woken) = (Stop::default(), Arc::new(Notify::new()));
    let (on_signal, wakes) = (stop.clone(), woken.clone());
    interrupt::on_first(move || {
        on_signal.stop();
        wakes.notify_one();
    })?;
    let server = Arc::new(server);
    let (measuring, when, ended) = (server.clone(), stop.clone(), woken.clone());
    let measures = thread::spawn(move || {
        // Problems are shown, such as a recording that cannot be kept, where recordings are, and what was saved; not
        // where each round's recording is.
        let result = measuring.run(&when, &|line| {
            if [": a sleep was ", Server::MORE].iter().any(|shown| line.contains(shown))
                || ["oversleep:", Server::KEEPS].iter().any(|shown| line.starts_with(shown))
            {
                say!("{line}");
            }
        });
        ended.notify_one();
        result
    });
    let figures = move |form| match form {
        FigureFormat::OpenMetrics => server.text(used()).into_bytes(),
        FigureFormat::Classic => classic(&server.text(used())).into_bytes(),
    };
    let answered = answer(listener, figures, &woken);
    stop.stop();
    let joined = measures.join();
    let outcome = joined.map_err(|_| Failure::trouble("the measuring thread has ended"))?;
    answered.map_err(|error| Failure::trouble(format!("cannot answer on {address}: {error}")))?;
    Ok(outcome?)
}

/// Conditions of the endless measurement.
#[derive(Clone)]
pub(crate) struct OfServing;

impl ConditionSet for OfServing {
    fn options() -> Vec<ConditionOption> {
        let policies = "Scheduling policies: a number (FIFO with that priority), other, batch, idle, fifo:80, rr:10";
        let others = [
            ("timer_slack", "Timer slack, such as 1ns"),
            ("affinity", "Processors the thread may use, such as 0 or 0-3"),
        ];
        let policies = chosen(&[("policy", policies)]).into_iter().map(ConditionOption::several);
        policies.chain(chosen(&others)).collect()
    }
}

/// What is measured without end, and where the figures are.
#[derive(ClapArgs)]
pub(crate) struct ServeArgs {
    /// Address and port to answer on; anything but loopback lets other machines read the figures
    #[arg(long, default_value = "127.0.0.1:9477", value_parser = address, value_name = "ADDRESS")]
    pub(crate) listen: SocketAddr,
    /// Methods, as `oversleep list` names them
    #[arg(long, short, value_delimiter = ',', default_value = DEFAULT_METHODS.measure.name(), value_name = "NAME", value_parser = names::METHOD, hide_possible_values = true)]
    method: Vec<String>,
    /// Durations; longer ones cost less processor time
    #[arg(long, short, value_delimiter = ',', default_value = "10ms", value_parser = values::positive, value_name = "TIME")]
    request: Vec<Nanos>,
    #[command(flatten)]
    conditions: ConditionArgs<OfServing>,
    /// Keep recordings of the last 40 minutes in this folder, as segments that are read as one [default: `serve` in the state folder]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
    /// When a sleep is later than this, save the recordings of these two to four minutes in the folder's `saved`
    #[arg(long, value_name = "TIME", value_parser = values::positive, conflicts_with = "no_save")]
    pub(crate) save_on_late: Option<Nanos>,
    /// Lateness above which a sleep counts as a stall and its cause is looked for
    #[arg(long, default_value = "1ms", value_parser = values::positive, value_name = "TIME")]
    pub(crate) stall_threshold: Nanos,
    /// The best evidence to look for causes with: events (root; names who ran instead, and costs more), switches or slack
    #[arg(long, default_value = "switches", value_parser = values::tier(), value_name = "TIER", hide_possible_values = true)]
    pub(crate) tier: Tier,
    /// Keep no recordings
    #[arg(long, conflicts_with = "folder")]
    pub(crate) no_save: bool,
}

impl ServeArgs {
    /// Returns what each round measures.
    pub(crate) fn request(&self) -> MeasureRequest {
        MeasureRequest {
            methods: self.method.clone(),
            requests: self.request.iter().map(|&requested| Pattern::Fixed { requested }).collect(),
            conditions: self.conditions.requested.clone(),
            ..MeasureRequest::default()
        }
    }
}

/// Parses an address and a port.
fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "an address and a port are needed, such as 127.0.0.1:9477 or [::1]:9477".to_owned())
}

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
enum FigureFormat {
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
fn answer(
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
