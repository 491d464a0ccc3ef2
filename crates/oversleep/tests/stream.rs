//! Ticks as an asynchronous task receives them, on a simulated machine.
#![cfg(not(loom))]

use futures_core::Stream;
use oversleep::clock::WallTime;
use oversleep::machine::{Machine, Simulated};
use oversleep::ticker::LockedTicker;
use oversleep::{Hertz, Missed, Moment, Nanos, Period, Sleeper, Ticker, WallTicker};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::mpsc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.unpark();
    }
}

/// A minimal runtime: one task, on this thread.
fn block_on<T>(task: impl Future<Output = T>) -> T {
    let mut task = pin!(task);
    let waker = std::sync::Arc::new(Unpark(thread::current())).into();
    let mut context = Context::from_waker(&waker);
    loop {
        match task.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

fn millisecond() -> Period {
    Period::try_from(Hertz::new(1_000, 1).unwrap()).unwrap()
}

fn ms(n: i64) -> Moment {
    Moment::from_nanos(Nanos::from_millis(n))
}

#[test]
fn a_task_gets_the_ticks_of_the_ticker() {
    let machine = Simulated::punctual();
    let mut stream = Ticker::builder(millisecond()).build_with(Sleeper::on(machine.clone())).into_stream().unwrap();
    let ticks = block_on(async {
        let mut ticks = Vec::new();
        for _ in 0..100 {
            ticks.push(stream.next().await.unwrap());
        }
        ticks
    });
    for (n, tick) in (0..).zip(ticks) {
        assert_eq!((tick.index.cast_signed(), tick.deadline, tick.missed), (n, ms(n), 0));
    }
}

/// The policy is the ticker's: the thread waits only on request, so lateness means the same as for a thread.
#[test]
fn a_task_that_comes_late_meets_the_ticker_s_policy() {
    for (missed, third) in [(Missed::Skip, (5, 3)), (Missed::Burst, (2, 0)), (Missed::Delay, (2, 0))] {
        let machine = Simulated::punctual();
        let ticker = Ticker::builder(millisecond()).missed(missed).build_with(Sleeper::on(machine.clone()));
        let mut stream = ticker.into_stream().unwrap();
        let tick = block_on(async {
            stream.next().await;
            stream.next().await;
            machine.advance(Nanos::from_micros(4_500));
            stream.next().await.unwrap()
        });
        assert_eq!((tick.index, tick.missed), third, "{missed:?}");
    }
}

#[test]
fn a_tick_whose_wait_was_given_up_is_the_next_one() {
    let mut stream =
        Ticker::builder(millisecond()).build_with(Sleeper::on(Simulated::punctual())).into_stream().unwrap();
    block_on(async {
        let mut given_up = pin!(stream.next());
        let polled = poll_fn(|context| Poll::Ready(given_up.as_mut().poll(context))).await;
        assert!(polled.is_pending(), "the thread is told by the first poll");
    });
    assert_eq!(block_on(stream.next()).unwrap().index, 0);
}

#[test]
fn it_is_a_stream_and_ends_with_the_clock() {
    let period = Period::every(Nanos::new(i64::MAX - 1));
    let stream = Ticker::builder(period).build_with(Sleeper::on(Simulated::punctual())).into_stream().unwrap();
    let mut stream = pin!(stream);
    let mut next = || block_on(poll_fn(|context| stream.as_mut().poll_next(context)));
    assert_eq!(next().map(|tick| tick.index), Some(0));
    assert_eq!(next().map(|tick| tick.index), Some(1));
    assert_eq!((next(), next()), (None, None));
}

#[test]
fn the_other_tickers_have_one_too() {
    let machine = Simulated::punctual();
    machine.set_wall(WallTime::from_nanos(Nanos::from_secs(1_000)));
    let sleeper = || Sleeper::on(machine.clone());
    let mut wall = WallTicker::builder(millisecond()).build_with(sleeper()).into_stream().unwrap();
    assert_eq!(block_on(wall.next()).unwrap().deadline, WallTime::from_nanos(Nanos::from_millis(1_000_001)));
    let mut locked = LockedTicker::builder(millisecond()).build_with(sleeper()).into_stream().unwrap();
    assert!(block_on(locked.next()).unwrap().deadline > ms(0));
}

/// A machine that notifies when it is dropped, as a ticker is with its thread.
#[derive(Clone)]
struct DropNotifier {
    machine: Simulated,
    _alive: mpsc::Sender<()>,
}

impl Machine for DropNotifier {
    fn now(&self) -> Moment {
        self.machine.now()
    }
    fn wall(&self) -> WallTime {
        self.machine.wall()
    }
    fn sleep_until(&self, deadline: Moment) {
        self.machine.sleep_until(deadline);
    }
    fn pause(&self) {
        self.machine.pause();
    }
}

#[test]
fn the_thread_ends_with_the_stream() {
    let (sender, ended) = mpsc::channel();
    let machine = DropNotifier { machine: Simulated::punctual(), _alive: sender };
    let stream = Ticker::builder(millisecond()).build_with(Sleeper::on(machine)).into_stream().unwrap();
    drop(stream);
    // Nothing is sent: the channel closes when the thread has dropped its machine.
    assert!(ended.recv().is_err());
}

/// A machine that fails must not leave a task waiting for ever.
#[test]
fn a_thread_that_unwinds_ends_the_stream() {
    let machine = Simulated::new(|_now, _deadline| std::panic::resume_unwind(Box::new("the kernel is gone")));
    let mut stream = Ticker::builder(millisecond()).build_with(Sleeper::on(machine)).into_stream().unwrap();
    assert_eq!(block_on(stream.next()).map(|tick| tick.index), Some(0));
    assert_eq!(block_on(stream.next()), None);
}
