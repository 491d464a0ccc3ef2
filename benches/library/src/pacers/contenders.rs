//! Pacers that run in this process.

use super::{Asked, Run};
use crate::condition;
use async_io::Timer;
use futures_lite::StreamExt;
use governor::clock::{Clock, MonotonicClock};
use governor::{Quota, RateLimiter};
use oversleep::{Hertz, Nanos, Pacer, Sleeper};
use oversleep_sys::clock::monotonic as now;
use std::num::NonZeroU32;
use std::time::Duration;

/// Runs all pacers, one after the other: two on one thread would wait for each other.
pub(super) fn all(asked: Asked, time: Duration) -> Vec<Run> {
    let Asked { rate, packet, .. } = asked;
    let hertz = Hertz::new(rate, 1).expect("not zero");
    let pacer = || Pacer::new(hertz);
    let run = |name: &str, take: &mut dyn FnMut() -> u64| run(name, packet, time, take);
    let hundredth = (rate / 100).max(packet);
    let mut runs = Vec::new();
    let ours = pacer();
    runs.push(run("oversleep, kernel sleeps", &mut || ours.take(packet).map_or(0, |_| packet)));
    let (ours, mut sleeper) = (pacer(), Sleeper::new());
    runs.push(run("oversleep, precise", &mut || ours.take_with(&mut sleeper, packet).map_or(0, |_| packet)));
    let ours = pacer();
    runs.push(run("oversleep, batches of 200 µs", &mut || ours.take_batch(u64::MAX, Duration::from_micros(200))));
    runs.push(run("governor, burst = rate/100", &mut governor(rate, hundredth, packet)));
    runs.push(run("governor, burst 1", &mut governor(rate, packet, packet)));
    runs.push(run("ratelimit, burst = rate/100", &mut ratelimit(rate, hundredth, packet)));
    runs.push(run("leaky-bucket, 100 ms", &mut leaky_bucket(rate, packet)));
    runs.push(run("tokio interval", &mut tokio_interval(rate, packet)));
    runs.push(run("async-io interval", &mut async_io_interval(rate, packet)));
    runs
}

/// Calls `take`, which waits and returns how many units it got, until `time` is over.
fn run(name: &str, packet: u64, time: Duration, take: &mut dyn FnMut() -> u64) -> Run {
    let cpu = condition::process_cpu();
    let (start, cpu_start) = (now(), cpu.now());
    let end = start + Nanos::from(time);
    let mut batches = Vec::with_capacity(1 << 20);
    loop {
        let n = take();
        let at = now();
        batches.push(((at - start).get(), n));
        if at >= end {
            let cpu = (cpu.now() - cpu_start).as_f64() / (at - start).as_f64();
            return Run { name: name.to_owned(), batches, packet, cpu: Some(cpu) };
        }
    }
}

fn governor(rate: u64, burst: u64, packet: u64) -> impl FnMut() -> u64 {
    let number = |n: u64| NonZeroU32::new(u32::try_from(n).unwrap_or(u32::MAX)).expect("not zero");
    let quota = Quota::per_second(number(rate)).allow_burst(number(burst));
    let clock = MonotonicClock;
    let limiter = RateLimiter::direct_with_clock(quota, MonotonicClock);
    move || {
        loop {
            match limiter.check_n(number(packet)) {
                Ok(Ok(())) => return packet,
                Ok(Err(until)) => std::thread::sleep(until.wait_time_from(clock.now())),
                Err(_) => return 0,
            }
        }
    }
}

fn ratelimit(rate: u64, burst: u64, packet: u64) -> impl FnMut() -> u64 {
    let limiter = ratelimit::Ratelimiter::builder(rate).max_tokens(burst).build().expect("a rate above zero");
    move || {
        loop {
            match limiter.try_wait_n(packet) {
                Ok(()) => return packet,
                Err(ratelimit::TryWaitError::Insufficient(wait)) => std::thread::sleep(wait),
                Err(_) => return 0,
            }
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime for timers")
}

fn period(rate: u64, packet: u64) -> Duration {
    Duration::from_nanos(1_000_000_000 * packet / rate)
}

fn tokio_interval(rate: u64, packet: u64) -> impl FnMut() -> u64 {
    let runtime = runtime();
    let mut interval = runtime.block_on(async { tokio::time::interval(period(rate, packet)) });
    move || {
        runtime.block_on(interval.tick());
        packet
    }
}

fn async_io_interval(rate: u64, packet: u64) -> impl FnMut() -> u64 {
    let mut interval = Timer::interval(period(rate, packet));
    move || {
        async_io::block_on(interval.next());
        packet
    }
}

fn leaky_bucket(rate: u64, packet: u64) -> impl FnMut() -> u64 {
    let runtime = runtime();
    let per_refill = usize::try_from(rate / 10).unwrap_or(usize::MAX);
    let limiter = runtime.block_on(async {
        leaky_bucket::RateLimiter::builder()
            .initial(0)
            .refill(per_refill)
            .max(per_refill.saturating_mul(2))
            .interval(Duration::from_millis(100))
            .build()
    });
    let permits = usize::try_from(packet).unwrap_or(usize::MAX);
    move || {
        runtime.block_on(limiter.acquire(permits));
        packet
    }
}
