//! The timer APIs, each as a function that makes a block of sleeps.

use crate::clock::Clock;
use crate::load::{Threads, turn};
use futures_lite::future;
use std::future::Future;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A function that makes a number of sleeps; returns when each began and ended.
type Sleeper = Box<dyn FnMut(Duration, u64) -> Vec<(u64, u64)>>;

/// A timer API.
pub(crate) struct Api {
    /// Name in the catalogue of `oversleep runtimes`.
    pub(crate) name: &'static str,
    /// Name and version of its crate, after a comma; empty for the standard library.
    pub(crate) runtime: &'static str,
    /// Prepares the API with this many busy tasks or threads beside the sleeps.
    pub(crate) open: fn(Clock, u16) -> Sleeper,
}

/// All APIs.
pub(crate) const APIS: &[Api] = &[
    Api { name: "rust-tokio-sleep", runtime: concat!(", tokio ", env!("VERSION_tokio")), open: tokio_sleep },
    Api {
        name: "rust-async-io-timer",
        runtime: concat!(", async-io ", env!("VERSION_async_io")),
        open: async_io_timer,
    },
    Api { name: "rust-smol-timer", runtime: concat!(", smol ", env!("VERSION_smol")), open: smol_timer },
    Api {
        name: "rust-crossbeam-recv-timeout",
        runtime: concat!(", crossbeam-channel ", env!("VERSION_crossbeam_channel")),
        open: crossbeam_recv_timeout,
    },
    Api { name: "rust-thread-sleep", runtime: "", open: |clock, load| one_by_one(clock, load, thread::sleep) },
    Api { name: "rust-park-timeout", runtime: "", open: |clock, load| one_by_one(clock, load, thread::park_timeout) },
    Api { name: "rust-condvar-wait-timeout", runtime: "", open: condvar_wait_timeout },
];

fn tokio_sleep(clock: Clock, load: u16) -> Sleeper {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime needs a few descriptors");
    for _ in 0..load {
        // Tasks of this runtime run only during a block of sleeps.
        runtime.spawn(async {
            loop {
                turn();
                tokio::task::yield_now().await;
            }
        });
    }
    Box::new(move |request, count| runtime.block_on(sleeps(clock, count, || tokio::time::sleep(request))))
}

fn async_io_timer(clock: Clock, load: u16) -> Sleeper {
    Box::new(move |request, count| {
        let slept = sleeps(clock, count, || async_io::Timer::after(request));
        async_io::block_on(future::or(slept, busy_tasks(load)))
    })
}

fn smol_timer(clock: Clock, load: u16) -> Sleeper {
    Box::new(move |request, count| {
        let slept = sleeps(clock, count, || smol::Timer::after(request));
        smol::block_on(future::or(slept, busy_tasks(load)))
    })
}

/// Runs busy turns for ever; with a load of 0, only waits.
async fn busy_tasks<T>(load: u16) -> T {
    if load == 0 {
        future::pending::<()>().await;
    }
    loop {
        (0..load).for_each(|_| turn());
        future::yield_now().await;
    }
}

async fn sleeps<F: Future>(clock: Clock, count: u64, sleep: impl Fn() -> F) -> Vec<(u64, u64)> {
    let mut rows = Vec::new();
    for _ in 0..count {
        let start = clock.now();
        sleep().await;
        rows.push((start, clock.now()));
    }
    rows
}

fn crossbeam_recv_timeout(clock: Clock, load: u16) -> Sleeper {
    let (sender, receiver) = crossbeam_channel::bounded::<()>(1);
    one_by_one(clock, load, move |request| {
        let _ = receiver.recv_timeout(request);
        // Keeps the channel open, so that the wait lasts its whole time.
        let _ = &sender;
    })
}

fn condvar_wait_timeout(clock: Clock, load: u16) -> Sleeper {
    let (mutex, condvar) = (Mutex::new(()), Condvar::new());
    one_by_one(clock, load, move |request| {
        let until = Instant::now() + request;
        let mut guard = mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // Wake-ups may be spurious.
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            guard = condvar.wait_timeout(guard, left).map_or_else(|broken| broken.into_inner().0, |(guard, _)| guard);
        }
    })
}

fn one_by_one(clock: Clock, load: u16, sleep: impl Fn(Duration) + 'static) -> Sleeper {
    let busy = Threads::new(load);
    Box::new(move |request, count| {
        busy.set(true);
        let sleep = |_| {
            let start = clock.now();
            sleep(request);
            (start, clock.now())
        };
        let rows = (0..count).map(sleep).collect();
        busy.set(false);
        rows
    })
}
