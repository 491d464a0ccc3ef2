//! The least timer slack of the calling thread, for the duration of one wait.
//!
//! A measurement reads back the value obtained (`oversleep-os`); a sleep of 50 µs cannot afford the fourth system call.

#[cfg(any(target_os = "linux", target_os = "android"))]
use crate::timer_slack;
#[cfg(any(target_os = "linux", target_os = "android"))]
use crate::units::Nanos;

/// Restores the slack when dropped.
#[derive(Debug)]
pub(super) struct LeastSlack {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    before: Option<Nanos>,
}

#[cfg(any(target_os = "linux", target_os = "android"))]
impl LeastSlack {
    const LEAST: Nanos = Nanos::new(1);

    pub(super) fn take() -> Self {
        // 0 is the value of a real-time thread (Linux 6.13): its timers have no slack, and 0 could not be restored.
        let before = timer_slack::read().ok().filter(|slack| *slack > Self::LEAST);
        Self { before: before.filter(|_| timer_slack::set(Self::LEAST).is_ok()) }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
impl Drop for LeastSlack {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // The system does not refuse a value that was in force a moment ago.
            let _ = timer_slack::set(before);
        }
    }
}

/// Does nothing: on other systems timers have no slack that belongs to a thread.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl LeastSlack {
    pub(super) fn take() -> Self {
        Self {}
    }
}
