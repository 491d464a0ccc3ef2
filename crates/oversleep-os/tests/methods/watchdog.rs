//! A sleep that never returns must end the tests, not hang them.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Ends the program 30 s after it was made, unless dropped before.
pub(crate) struct Watchdog {
    _alive: Sender<()>,
}

impl Watchdog {
    pub(crate) fn over(what: &str) -> Self {
        let (alive, watched) = channel();
        let what = what.to_owned();
        thread::spawn(move || {
            if watched.recv_timeout(Duration::from_secs(30)) == Err(RecvTimeoutError::Timeout) {
                eprintln!("{what}: still not back after 30 s; a sleep never returns");
                std::process::abort();
            }
        });
        Self { _alive: alive }
    }
}
