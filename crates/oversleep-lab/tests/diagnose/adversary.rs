//! Programs and clocks that look like a kernel's rules: nothing false may be said of them with confidence.

use crate::random::Dice;
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, diagnose};
use oversleep_lab::import::csv;
use std::fmt::Write;

/// One sleep: request, start and end in ns, and its thread.
type Row = (f64, f64, f64, usize);

fn explain_rows(method: &str, rows: &[Row]) -> Diagnosis {
    let mut table = String::from("method,requested_ns,start_ns,end_ns,thread\n");
    for (asked, start, end, thread) in rows {
        writeln!(table, "{method},{asked:.0},{start:.0},{end:.0},{thread}").unwrap();
    }
    diagnose(&csv::read(table.as_bytes(), "x.csv").unwrap())
}

fn says_none_of(causes: &[Cause], rows: &[Row], what: &str) {
    let found = explain_rows("nanosleep", rows);
    let said: Vec<_> = causes.iter().filter(|cause| found.has(**cause)).collect();
    assert!(said.is_empty(), "{what}: {said:?} {:?}", found.machine);
}

/// Returns sleeps back to back that take what `length` says of the request, with `cost` and its scatter, and `work` between.
fn back_to_back(dice: &mut Dice, sleeps: usize, work: f64, length: impl Fn(f64, &mut Dice) -> f64) -> Vec<Row> {
    let mut now = dice.between(1e12, 5e12);
    (0..sleeps)
        .map(|_| {
            let start = now + work * dice.between(0.7, 1.3);
            let asked = dice.between(0.2e6_f64.ln(), 60e6_f64.ln()).exp().round();
            now = start + length(asked, dice);
            (asked, start, now, 0)
        })
        .collect()
}

#[test]
fn stamps_in_a_unit_of_no_whole_nanoseconds_show_no_tick() {
    for (seed, hz) in [(1, 18.2065), (2, 18.2065), (3, 32_768.0), (4, 977.5), (5, 32_768.0), (6, 977.5)] {
        let dice = &mut Dice(seed);
        let unit = 1e9 / hz;
        let cost = dice.between(5e3, 60e3);
        let mut rows = Vec::new();
        let mut now = dice.between(1e12, 5e12);
        for _ in 0..300 {
            let start = now + dice.between(0.0, 0.3 * unit);
            let asked = (unit * dice.between(1.0, 20.0)).round();
            now = start + asked + cost + dice.exponential(2e3);
            rows.push((asked, (start / unit).floor() * unit, (now / unit).floor() * unit, 0));
        }
        let causes = [Cause::TickQuantised, Cause::ClockDrift, Cause::TimerSlack, Cause::ProportionalSlack];
        says_none_of(&causes, &rows, &format!("{hz} Hz, seed {seed}"));
    }
}

#[test]
fn requests_that_a_program_rounds_up_show_no_tick() {
    for (seed, unit, sleeps) in [(1, 10e6, 200), (2, 10e6, 300), (3, 10e6, 120), (4, 10e6, 400)] {
        let dice = &mut Dice(seed);
        let cost = dice.between(5e3, 40e3);
        let rows = back_to_back(dice, sleeps, 300.0, |asked, dice| {
            (asked / unit).ceil() * unit + cost + dice.exponential(3e3)
        });
        says_none_of(&[Cause::TickQuantised, Cause::ClockDrift], &rows, &format!("rounded, seed {seed}"));
    }
}

#[test]
fn loops_that_poll_for_a_deadline_show_no_tick() {
    for (seed, step, sleeps) in [(1, 20e6, 200), (2, 5e6, 300), (3, 2e6, 120), (4, 20e6, 120), (5, 5e6, 200)] {
        let dice = &mut Dice(seed);
        let cost = dice.between(5e3, 40e3);
        let rows = back_to_back(dice, sleeps, 2e3, |asked, dice| {
            let steps = (asked / step).ceil();
            let mut length = 0.0;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 1 to 400
            for _ in 0..steps.clamp(1.0, 400.0) as u32 {
                length += step + cost + dice.exponential(2e3);
            }
            length
        });
        says_none_of(&[Cause::TickQuantised, Cause::ClockDrift], &rows, &format!("polled, seed {seed}"));
    }
}

/// Returns the sleeps of threads that each have a request and a cost of their own.
fn threads(dice: &mut Dice, own: &[(f64, f64)], sleeps: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (thread, (asked, cost)) in own.iter().enumerate() {
        let mut now = dice.between(1e12, 1e12 + 1e6);
        for _ in 0..sleeps {
            let start = now + dice.between(500.0, 5e3);
            now = start + asked + cost + dice.exponential(1e3);
            rows.push((*asked, start, now, thread));
        }
    }
    rows.sort_by(|a, b| a.2.total_cmp(&b.2));
    rows
}

#[test]
fn threads_of_different_cost_show_no_slack() {
    for (seed, costs) in [(1, [9e3, 40e3, 57e3, 61e3]), (2, [8e3, 35e3, 58e3, 60e3]), (3, [12e3, 42e3, 56e3, 57e3])] {
        let own = costs.map(|cost| (2e6 + cost * 3.0, cost));
        says_none_of(&[Cause::TimerSlack, Cause::IdleExit], &threads(&mut Dice(seed), &own, 500), "costs differ");
    }
}

#[test]
fn threads_of_different_requests_show_no_idle_states() {
    let own = [(1.6e6, 8e3), (2.2e6, 44e3), (3.4e6, 47e3), (4.4e6, 49e3)];
    says_none_of(&[Cause::IdleExit], &threads(&mut Dice(1), &own, 500), "threads");
    // One thread with all these requests shows them.
    let dice = &mut Dice(2);
    let mut now = 1e12;
    let each = (0..2_000).map(|at| {
        let (asked, cost) = own[at % 4];
        let start = now + dice.between(500.0, 5e3);
        now = start + asked + cost + dice.exponential(1e3);
        (asked, start, now, 0)
    });
    assert!(explain_rows("nanosleep", &each.collect::<Vec<Row>>()).has(Cause::IdleExit));
}

#[test]
fn only_a_yield_of_the_catalogue_shows_other_threads() {
    let dice = &mut Dice(1);
    let mut now = 1e12;
    let each = (0..300).map(|_| {
        let start = now + dice.between(500.0, 5e3);
        now = start + 2e6 + dice.exponential(2e5);
        (0.0, start, now, 0)
    });
    let rows: Vec<Row> = each.collect();
    assert!(!explain_rows("asyncio_yield", &rows).has(Cause::RunQueue));
    assert!(explain_rows("sched-yield", &rows).has(Cause::RunQueue));
}

/// Returns sleeps to whole seconds with this lateness at each second.
fn to_seconds(dice: &mut Dice, seconds: u32, late: impl Fn(f64) -> f64) -> Vec<Row> {
    let mut now = 1e12;
    let each = (0..seconds).map(|second| {
        let start = now + dice.between(5e3, 50e3);
        let due = 1e12 + f64::from(second + 1) * 1e9;
        now = due + 10e3 + dice.exponential(1e3) + late(f64::from(second));
        (due - start, start, now, 0)
    });
    each.collect()
}

#[test]
fn a_cost_that_grows_and_falls_again_is_no_tick() {
    for (seed, period, height) in [(1, 120.0, 220e3), (2, 200.0, 260e3), (3, 90.0, 300e3)] {
        let wave = |at: f64| height * (1.0 + (at * std::f64::consts::TAU / period).sin());
        let rows = to_seconds(&mut Dice(seed), 300, wave);
        let causes = [Cause::TickQuantised, Cause::ClockDrift, Cause::Sawtooth];
        says_none_of(&causes, &rows, &format!("wave, seed {seed}"));
    }
}

#[test]
fn a_slide_names_a_cost_that_grows_and_is_reset() {
    let rows = to_seconds(&mut Dice(1), 400, |at| 4e6 * (at / 130.0).fract());
    let found = explain_rows("nanosleep", &rows);
    let sawtooth = found.cells.iter().flat_map(|cell| &cell.findings).find(|one| one.cause() == Cause::Sawtooth);
    let drift = found.machine.iter().find(|one| one.cause() == Cause::ClockDrift);
    for one in [sawtooth, drift] {
        let named = &one.expect("the slide").confounders;
        assert!(named.iter().any(|name| name.contains("a cost that grows")), "{named:?}");
    }
}
