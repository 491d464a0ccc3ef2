//! A handle that ends a run early.

use super::worker::Answer;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// A handle with which another thread (such as one that waits for Ctrl-C) ends a run. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    waker: Arc<Mutex<Option<Sender<Answer>>>>,
}

impl Stop {
    /// Ends the run: sleepers stop after their current sleep, and the coordinator wakes at once.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        if let Some(waker) = &*self.waker.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = waker.send(Answer::Wake);
        }
    }

    /// Returns whether the run is to end.
    pub fn stopped(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    pub(super) fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    pub(super) fn wakes(&self, answers: &Sender<Answer>) {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(answers.clone());
    }
}
