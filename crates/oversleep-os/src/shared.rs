//! A child process that one thread waits for and another may end.

use shared_child::SharedChild;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A sequence of children: one thread starts them and waits for them, another may stop them.
#[derive(Debug, Clone, Default)]
pub struct Children(Arc<Mutex<State>>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Idle,
    Running(Arc<SharedChild>),
    Stopped,
}

impl Children {
    /// Starts a child, to be waited for with [`Children::wait`]; returns `false` after [`Children::stop`].
    pub fn start(&self, command: &mut Command) -> io::Result<bool> {
        let mut state = self.state();
        if matches!(*state, State::Stopped) {
            return Ok(false);
        }
        *state = State::Running(Arc::new(SharedChild::spawn(command)?));
        Ok(true)
    }

    /// Waits for the running child. Returns `None` if there is none.
    pub fn wait(&self) -> Option<io::Result<ExitStatus>> {
        let child = match &*self.state() {
            State::Running(child) => Arc::clone(child),
            State::Idle | State::Stopped => return None,
        };
        let status = child.wait();
        let mut state = self.state();
        if matches!(*state, State::Running(_)) {
            *state = State::Idle;
        }
        Some(status)
    }

    /// Starts no further child, and ends the running one: gives it `patience` to end by itself, as it does if it
    /// received the same signal as this process, then requests its end (SIGTERM; where there are no signals, it is
    /// killed), and waits for it. Returns its exit status, `None` if there was none.
    pub fn stop(&self, patience: Duration) -> Option<io::Result<ExitStatus>> {
        let State::Running(child) = std::mem::replace(&mut *self.state(), State::Stopped) else { return None };
        let until = Instant::now() + patience;
        while Instant::now() < until {
            if let Ok(Some(status)) = child.try_wait() {
                return Some(Ok(status));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(ask_to_end(&child).and_then(|()| child.wait()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn ask_to_end(child: &SharedChild) -> io::Result<()> {
    shared_child::unix::SharedChildExt::send_signal(child, libc::SIGTERM)
}

#[cfg(not(unix))]
fn ask_to_end(child: &SharedChild) -> io::Result<()> {
    child.kill()
}
