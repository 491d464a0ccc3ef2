//! A simulated machine with hooks at certain moments.

use oversleep::clock::WallTime;
use oversleep::machine::{Machine, Simulated};
use oversleep::{Moment, Nanos};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// An action of another thread.
type Other = Box<dyn Fn() + Send>;

/// Passes all calls to a simulated machine, and can have a budget, panic, or run the actions of other threads.
pub(crate) struct Hooked {
    machine: Simulated,
    budget: Option<Nanos>,
    panics: AtomicBool,
    others: Mutex<Option<Other>>,
}

impl Hooked {
    /// Leaks the machine, so that the actions of other threads can refer to it.
    pub(crate) fn leaked(machine: Simulated, budget: Option<Nanos>) -> &'static Self {
        Box::leak(Box::new(Self { machine, budget, panics: AtomicBool::new(false), others: Mutex::new(None) }))
    }

    pub(crate) fn panic_at_the_next_look(&self) {
        self.panics.store(true, Ordering::Relaxed);
    }

    pub(crate) fn at_every_sleep_s_end(&self, others: impl Fn() + Send + 'static) {
        *self.others.lock().unwrap() = Some(Box::new(others));
    }
}

impl Machine for Hooked {
    fn now(&self) -> Moment {
        assert!(!self.panics.swap(false, Ordering::Relaxed), "on purpose");
        self.machine.now()
    }

    fn wall(&self) -> WallTime {
        self.machine.wall()
    }

    fn sleep_until(&self, deadline: Moment) {
        self.machine.sleep_until(deadline);
        if let Some(others) = &*self.others.lock().unwrap() {
            others();
        }
    }

    fn pause(&self) {
        self.machine.pause();
    }

    fn is_real_time(&self) -> bool {
        self.budget.is_some()
    }

    fn budget(&self) -> Option<Nanos> {
        self.budget
    }
}
