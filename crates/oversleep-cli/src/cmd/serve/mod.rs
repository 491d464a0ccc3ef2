//! `serve`: measures without end and serves the figures to Prometheus.

mod http;

use crate::args::{ServeArgs, names};
use crate::failure::Failure;
use crate::say::say;
use crate::{interrupt, running};
use http::FigureFormat;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::export::metrics::classic;
use oversleep_lab::session::{Archive, ServeRequest, Server};
use oversleep_os::clock::{self, ClockId};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use tokio::sync::Notify;

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
            if ["oversleep:", "a sleep was ", Server::KEEPS].iter().any(|shown| line.starts_with(shown)) {
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
    let answered = http::answer(listener, figures, &woken);
    stop.stop();
    let joined = measures.join();
    let outcome = joined.map_err(|_| Failure::trouble("the measuring thread has ended"))?;
    answered.map_err(|error| Failure::trouble(format!("cannot answer on {address}: {error}")))?;
    Ok(outcome?)
}
