//! Each method's own guarantee: it ends after its time, and where its row says so, never before.

use crate::watchdog::Watchdog;
use crate::{opened, turn};
use oversleep_os::method::{Request, Waiter, Woken, entries};
use oversleep_recording::catalog::{Early, MethodRow, Mode};
use oversleep_sys::clock::Reader;
use oversleep_sys::units::Nanos;

const REQUESTS: [Nanos; 3] = [Nanos::from_micros(200), Nanos::new(777_777), Nanos::from_micros(2_000)];

#[test]
fn a_wait_ends_by_its_time_and_not_before() {
    let _turn = turn();
    for entry in entries() {
        let row = entry.id.row();
        let _watchdog = Watchdog::over(row.name);
        let Some(mut waiter) = opened(entry.id) else { continue };
        for request in REQUESTS {
            match row.mode {
                Mode::Relative => relative(row, waiter.as_mut(), request),
                Mode::Absolute => absolute(row, waiter.as_mut(), request),
                Mode::Periodic => periodic(row, waiter.as_mut(), request),
                Mode::Yield => yields(row, waiter.as_mut(), request),
            }
        }
    }
}

fn clock_of(row: &MethodRow) -> Reader {
    Reader::for_timer(row.clock).unwrap_or_else(|| panic!("{}: its clock is not here", row.name))
}

fn relative(row: &MethodRow, waiter: &mut dyn Waiter, request: Nanos) {
    let clock = clock_of(row);
    waiter.prepare(Request::For(request));
    let start = clock.now();
    let woken = waiter.wait();
    let slept = clock.now() - start;
    assert_ended(row, woken);
    if row.early == Early::Never && woken == Woken::TimedOut {
        assert!(slept >= row.rounded(request), "{}: asked {request}, slept {slept}", row.name);
    }
}

fn absolute(row: &MethodRow, waiter: &mut dyn Waiter, request: Nanos) {
    let clock = clock_of(row);
    let deadline = clock.now() + request;
    waiter.prepare(Request::Until(deadline));
    let woken = waiter.wait();
    let end = clock.now();
    assert_ended(row, woken);
    if row.early == Early::Never && woken == Woken::TimedOut {
        assert!(end >= deadline, "{}: {} before its deadline", row.name, deadline - end);
    }
}

/// However late it is read, the n-th expiry cannot be seen before n periods.
fn periodic(row: &MethodRow, waiter: &mut dyn Waiter, period: Nanos) {
    let clock = clock_of(row);
    waiter.prepare(Request::For(period));
    let start = clock.now();
    let mut expiries = 0;
    for _ in 0..3 {
        assert_ended(row, waiter.wait());
        expiries += 1 + i64::try_from(waiter.missed()).expect("few");
        let slept = clock.now() - start;
        assert!(slept >= period * expiries, "{}: expiry {expiries} after {slept}", row.name);
    }
}

fn yields(row: &MethodRow, waiter: &mut dyn Waiter, request: Nanos) {
    waiter.prepare(Request::For(request));
    assert_ended(row, waiter.wait());
}

/// Checks the end of a wait. Nobody signals these threads, but a spurious wake-up is allowed.
fn assert_ended(row: &MethodRow, woken: Woken) {
    assert!(matches!(woken, Woken::TimedOut | Woken::Interrupted), "{}: {woken:?}", row.name);
}

#[test]
fn a_time_that_is_over_returns() {
    let _turn = turn();
    let over = [
        Request::For(Nanos::ZERO),
        Request::For(Nanos::new(-1)),
        Request::For(Nanos::MIN),
        Request::Until(Nanos::ZERO),
        Request::Until(Nanos::new(1)),
        Request::Until(Nanos::new(-1)),
        Request::Until(Nanos::MIN),
    ];
    for entry in entries() {
        let row = entry.id.row();
        let Some(mut waiter) = opened(entry.id) else { continue };
        for request in over {
            let _watchdog = Watchdog::over(&format!("{} {request:?}", row.name));
            waiter.prepare(request);
            assert_ended(row, waiter.wait());
            // The next one is an ordinary sleep again.
            waiter.prepare(Request::For(Nanos::from_micros(50)));
            assert_ended(row, waiter.wait());
        }
    }
}
