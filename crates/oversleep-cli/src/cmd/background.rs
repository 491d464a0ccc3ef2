//! Work on a separate thread, so that Ctrl-C is handled while the work waits.

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
    /// The work was done.
    Done,
    /// Ctrl-C or another signal stopped it.
    Stopped,
}

/// The worker's end of a channel to the thread that called [`until_stopped`].
pub(super) struct Reporter<T>(Sender<Event<T>>);

impl<T> Reporter<T> {
    /// Sends progress; returns whether the receiver still exists.
    pub(super) fn send(&self, progress: T) -> bool {
        self.0.send(Event::Progress(progress)).is_ok()
    }
}

/// Runs `work` on a thread of its own until it is done or Ctrl-C, SIGTERM or SIGHUP comes, and calls `keep` with
/// everything that it sends. A wait or a read that is still under way then ends with the process.
pub(super) fn until_stopped<T: Send + 'static>(
    work: impl FnOnce(Reporter<T>) + Send + 'static,
    mut keep: impl FnMut(T),
) -> Result<Ended, Failure> {
    let (send, receive) = mpsc::channel();
    let stop = send.clone();
    // A failed send means that the receiver is gone because the work is done.
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
