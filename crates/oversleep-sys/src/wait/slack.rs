//! The calling thread's timer slack at its least, for the length of one wait.
//!
//! [`crate::settings::timer_slack`] reads back what it obtained and keeps its undoing on the heap, as a measurement wants;
//! a sleep of 50 µs cannot afford the fourth system call.

#[cfg(target_os = "linux")]
use crate::settings::timer_slack;
#[cfg(target_os = "linux")]
use crate::units::Nanos;

/// Puts the slack back when dropped.
#[derive(Debug)]
pub(super) struct LeastSlack {
    #[cfg(target_os = "linux")]
    before: Option<Nanos>,
}

#[cfg(target_os = "linux")]
impl LeastSlack {
    const LEAST: Nanos = Nanos::new(1);

    pub(super) fn take() -> Self {
        // 0 is what a real-time thread reads (Linux 6.13): its timers have no slack, and 0 could not be restored.
        let before = timer_slack::read().ok().filter(|slack| *slack > Self::LEAST);
        Self { before: before.filter(|_| timer_slack::set(Self::LEAST).is_ok()) }
    }
}

#[cfg(target_os = "linux")]
impl Drop for LeastSlack {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // What was in force a moment ago is not refused.
            let _ = timer_slack::set(before);
        }
    }
}

/// Elsewhere timers have no slack of a thread's own.
#[cfg(not(target_os = "linux"))]
impl LeastSlack {
    pub(super) fn take() -> Self {
        Self {}
    }
}
