//! What programs do themselves is not called a cause in the kernel, and what a policy explains is not called anything else.

use crate::random::{self, Dice};
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, diagnose};
use oversleep_lab::import::csv::read;
use oversleep_recording::Recording;
use oversleep_recording::plan::{Conditions, Pattern, Policy};
use oversleep_recording::{Obtained, Origin};
use oversleep_sim::Kernel;
use oversleep_sys::units::Nanos;
use std::fmt::Write;

/// A sleep in ns: request, start, and how late it ended; its thread.
type Row = (i64, i64, i64, u16);

/// Returns these sleeps as another program's table, read.
fn imported(rows: &[Row]) -> Recording {
    let mut table = String::from("method,thread,cpu,requested_ns,start_ns,end_ns\n");
    for (requested, start, late, thread) in rows {
        writeln!(table, "wait,{thread},{thread},{requested},{start},{}", start + requested + late).unwrap();
    }
    read(table.as_bytes(), "x.csv").unwrap()
}

/// Returns sleeps one after another, with a pause of up to 300 µs between them. `late`: lateness of a sleep by its number,
/// request and due time.
fn in_turn(requests: &[i64], sleeps: usize, late: impl Fn(&mut Dice, usize, i64, i64) -> i64) -> Vec<Row> {
    let (mut dice, mut now) = (Dice(3), 1_000_000_000);
    let row = |number: usize| {
        let (requested, start) = (requests[number % requests.len()], now + whole(dice.between(0.0, 300e3)));
        let late = late(&mut dice, number, requested, start + requested);
        now = start + requested + late;
        (requested, start, late, 0)
    };
    (0..sleeps).map(row).collect()
}

fn whole(ns: f64) -> i64 {
    Nanos::from_f64(ns).get()
}

/// Returns whether a cause is among the candidates of an open question.
fn offers(diagnosis: &Diagnosis, cause: Cause) -> bool {
    diagnosis.undecided.iter().any(|open| open.candidates.iter().any(|name| name.starts_with(cause.name())))
}

#[test]
fn whole_quanta_without_a_busy_thread_may_be_ticks() {
    // A program's timer wheel of 100 ms: sleeps end at its next step.
    let mut rows = Vec::new();
    let mut now = 1_000_020_000;
    for requested in [5_000_000, 25_000_000, 70_000_000].into_iter().cycle().take(120) {
        let due: i64 = now + requested;
        let late = 100_000_000 - due % 100_000_000 + 20_000;
        rows.push((requested, now, late, 0));
        now = due + late;
    }
    let diagnosis = diagnose(&imported(&rows));
    assert!(!diagnosis.has(Cause::RunQueue), "{diagnosis:?}");
    for hz in ["20", "25", "30", "50"] {
        let kernel = Kernel::preset("dragonfly-1.0").unwrap().set("hz", hz).unwrap();
        let fixed = |millis| (Pattern::Fixed { requested: Nanos::from_millis(millis) }, 40);
        let plan = random::plan("nanosleep", &[5, 25, 70].map(fixed), None);
        let diagnosis = diagnose(&random::record(&kernel, &plan, 5));
        assert!(!diagnosis.has(Cause::RunQueue), "{hz} Hz: {diagnosis:?}");
    }
}

#[test]
fn a_millisecond_that_a_program_adds_is_no_slack() {
    for added in [1_000_000, 2_000_000] {
        let late = |dice: &mut Dice, _, _, _| added + 12_000 + whole(dice.exponential(1_500.0));
        let diagnosis = diagnose(&imported(&in_turn(&[1_234_567, 3_456_789], 200, late)));
        assert!(!diagnosis.has(Cause::TimerSlack), "{added}: {diagnosis:?}");
        assert!(offers(&diagnosis, Cause::TimerSlack), "{added}: {:?}", diagnosis.undecided);
    }
}

#[test]
fn delays_that_a_program_draws_at_random_are_no_leeway() {
    let late = |dice: &mut Dice, _, requested, _| 20_000 + whole(dice.between(0.0, 0.8) * requested as f64);
    let diagnosis = diagnose(&imported(&in_turn(&[500_000, 2_000_000, 8_000_000, 32_000_000, 64_000_000], 400, late)));
    assert!(!diagnosis.has(Cause::Coalescing), "{diagnosis:?}");
}

#[test]
fn a_cost_that_slides_is_no_tick() {
    // Sleeps to whole seconds; what waking costs climbs slowly, or comes and goes.
    let costs: [fn(f64) -> f64; 2] = [|number| 30e3 + 375.0 * number, |number| 80e3 + 50e3 * (number / 60.0).sin()];
    for cost in costs {
        let mut dice = Dice(5);
        let mut rows = Vec::new();
        let mut now: i64 = 1_000_000_000;
        for number in 0..400 {
            let start = now + 10_000;
            let due = (start / 1_000_000_000 + 1) * 1_000_000_000;
            let late = whole(cost(f64::from(number)) + dice.exponential(2_000.0));
            rows.push((due - start, start, late, 0));
            now = due + late;
        }
        let diagnosis = diagnose(&imported(&rows));
        for cause in [Cause::TickQuantised, Cause::ClockDrift, Cause::Sawtooth] {
            assert!(!diagnosis.has(cause), "{diagnosis:?}");
        }
    }
}

#[test]
fn stops_of_all_threads_of_another_program_may_be_its_own() {
    let mut rows = Vec::new();
    for thread in 0..3u16 {
        let mut dice = Dice(u64::from(thread) + 1);
        let mut now = 1_000_000_000 + i64::from(thread) * 1_234;
        for _ in 0..2_000 {
            let due = now + 1_000_000;
            let phase = due.rem_euclid(400_000_000);
            let late =
                if phase < 5_000_000 { 5_000_000 - phase } else { 0 } + 20_000 + whole(dice.exponential(1_000.0));
            rows.push((1_000_000, now, late, thread));
            now = due + late + 3_000;
        }
    }
    let mut recording = imported(&rows);
    let diagnosis = diagnose(&recording);
    assert!(!diagnosis.has(Cause::HostSteal) && offers(&diagnosis, Cause::HostSteal), "{diagnosis:?}");
    recording.meta.origin = Origin::Live;
    assert!(diagnose(&recording).has(Cause::HostSteal));
}

/// Returns a recording of Linux, whose threads had this policy and a slack of 50 µs.
fn of_linux(rows: &[Row], policy: Policy) -> Recording {
    let mut recording = imported(rows);
    recording.meta.origin = Origin::Live;
    (recording.meta.machine.system, recording.meta.machine.release) = ("Linux".to_owned(), "6.18.44".to_owned());
    for cell in &mut recording.meta.plan.cells {
        cell.method = "nanosleep".into();
        let conditions =
            Conditions { policy: Some(policy), timer_slack: Some(Nanos::from_micros(50)), ..Conditions::default() };
        recording.note.obtained.push(Obtained { cell: cell.id, thread: 0, conditions });
    }
    recording
}

#[test]
fn nothing_is_predicted_of_sleeps_that_wait_for_other_threads() {
    let predicted = |usual: f64| {
        let late = |dice: &mut Dice, _, _, _| whole(usual + 65e3 + dice.exponential(3_000.0));
        let diagnosis = diagnose(&of_linux(&in_turn(&[1_000_000], 400, late), Policy::Batch));
        let slack = diagnosis.all().find(|finding| finding.cause() == Cause::TimerSlack).expect("slack");
        slack.remedy.iter().filter(|remedy| remedy.predicted.is_some()).count()
    };
    assert_eq!((predicted(0.0) > 0, predicted(3e6)), (true, 0));
}

#[test]
fn nanosleep_of_linux_is_late_by_no_share_of_its_request() {
    let late = |dice: &mut Dice, _, requested: i64, _| requested / 16 + 60_000 + whole(dice.exponential(2_000.0));
    let rows = in_turn(&[1_000_000, 5_000_000, 20_000_000, 50_000_000], 400, late);
    assert!(!diagnose(&of_linux(&rows, Policy::Other)).has(Cause::ProportionalSlack));
    assert!(diagnose(&imported(&rows)).has(Cause::ProportionalSlack));
}

#[test]
fn a_thread_of_the_policy_idle_may_wait_as_long_as_a_stop() {
    let late = |dice: &mut Dice, number, _, _| {
        if number % 150 == 70 { 950_000_000 } else { 60_000 + whole(dice.exponential(2_000.0)) }
    };
    let rows = in_turn(&[1_000_000], 450, late);
    assert!(diagnose(&of_linux(&rows, Policy::Other)).has(Cause::Stopped));
    assert!(!diagnose(&of_linux(&rows, Policy::Idle)).has(Cause::Stopped));
}
