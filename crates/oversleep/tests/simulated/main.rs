//! Schedules on a simulated machine: exact, and without delay.
#![cfg(not(loom))]

mod bad_input;
mod balanced;
mod hooked;
mod kernel;
mod locked;
mod pacer;
mod promise;
mod sleeper;
mod ticker;
mod wall;

use oversleep::{Moment, Nanos};

fn us(n: i64) -> Nanos {
    Nanos::from_micros(n)
}

fn ms(n: i64) -> Nanos {
    Nanos::from_millis(n)
}

/// Returns the point at this time after the machine's clock began.
fn at(since: Nanos) -> Moment {
    Moment::from_nanos(since)
}
