//! The least timer slack of the calling thread, for the duration of one wait.
//!
//! [`crate::settings::timer_slack`] reads back the value obtained and stores its undo on the heap, as a measurement
//! needs; a sleep of 50 µs cannot afford the fourth system call.

#[cfg(target_os = "linux")]
use crate::settings::timer_slack;
#[cfg(target_os = "linux")]
use crate::units::Nanos;

/// Restores the slack when dropped.
#[derive(Debug)]
pub(super) struct LeastSlack {
    #[cfg(target_os = "linux")]
    before: Option<Nanos>,
}

#[cfg(target_os = "linux")]
impl LeastSlack {
    const LEAST: Nanos = Nanos::new(1);

    pub(super) fn take() -> Self {
        // 0 is the value of a real-time thread (Linux 6.13): its timers have no slack, and 0 could not be restored.
        let before = timer_slack::read().ok().filter(|slack| *slack > Self::LEAST);
        Self { before: before.filter(|_| timer_slack::set(Self::LEAST).is_ok()) }
    }
}

#[cfg(target_os = "linux")]
impl Drop for LeastSlack {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // The system does not refuse a value that was in force a moment ago.
            let _ = timer_slack::set(before);
        }
    }
}

/// Does nothing: on other systems timers have no slack that belongs to a thread.
#[cfg(not(target_os = "linux"))]
impl LeastSlack {
    pub(super) fn take() -> Self {
        Self {}
    }
}
