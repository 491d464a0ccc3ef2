//! Work on a thread of its own, so that Ctrl-C can be heard while it waits.

use crate::failure::Failure;
use crate::interrupt;
use std::sync::mpsc::{self, Sender};

enum Event<T> {
    Progress(T),
    Done,
    Stop,
}

/// How the work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// By itself.
    Done,
    /// By Ctrl-C or another signal.
    Stopped,
}

/// Sends what the work has done to the thread that keeps the account. Fails when the receiver is gone.
pub(super) struct Reporter<T>(Sender<Event<T>>);

impl<T> Reporter<T> {
    /// Returns whether anybody still listens.
    pub(super) fn send(&self, progress: T) -> bool {
        self.0.send(Event::Progress(progress)).is_ok()
    }
}

/// Runs the work until it is done or Ctrl-C, SIGTERM or SIGHUP comes, and calls `keep` for all it tells. A wait or a
/// read that is still under way then ends with the process.
pub(super) fn until_stopped<T: Send + 'static>(
    work: impl FnOnce(Reporter<T>) + Send + 'static,
    mut keep: impl FnMut(T),
) -> Result<Ended, Failure> {
    let (send, receive) = mpsc::channel();
    let stop = send.clone();
    // Nobody listening means that we are done already.
    interrupt::on_first(move || drop(stop.send(Event::Stop)))?;
    let done = send.clone();
    std::thread::spawn(move || {
        work(Reporter(send));
        let _ = done.send(Event::Done);
    });
    loop {
        match receive.recv() {
            Ok(Event::Progress(progress)) => keep(progress),
            Ok(Event::Done) | Err(_) => return Ok(Ended::Done),
            Ok(Event::Stop) => return Ok(Ended::Stopped),
        }
    }
}
