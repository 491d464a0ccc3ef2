use super::*;
use oversleep_os::settings::{affinity, latency_hold, nice, policy, timer_slack};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::build;
use oversleep_recording::plan::{Conditions, Load, LoadKind, Pattern, Phase, Policy};
use oversleep_recording::{End, Meta, Origin, Recording};
use oversleep_sys::units::Nanos;

fn carry_out(plan: &oversleep_recording::plan::Plan, settings: &SleepRunSettings) -> (Recording, End) {
    let mut recording = Recording::new(Meta::new("test", Origin::Live, plan.clone()));
    let end = run(plan, settings, &mut recording, &mut ()).expect("threads can be started");
    (recording, end)
}

fn methods() -> Vec<&'static oversleep_recording::catalog::MethodRow> {
    [MethodId::Nanosleep, MethodId::ClockNanosleepAbs, MethodId::Spin].map(MethodId::row).to_vec()
}

#[test]
fn every_planned_sleep_is_slept_and_none_is_early() {
    let grid = build::Grid {
        rows: &methods(),
        requests: &[50, 300].map(|us| Pattern::fixed(Nanos::from_micros(us))),
        conditions: &[Conditions { threads: Some(2), ..Conditions::default() }],
    };
    let plan = build::measure(&grid, 25, 1);
    let (recording, end) = carry_out(&plan, &SleepRunSettings::default());
    assert_eq!(end, End::Complete);
    assert_eq!(recording.note.end, Some(End::Complete));
    assert_eq!(recording.note.lost, 0);
    for cell in &plan.cells {
        for thread in 0..2 {
            let sequence: Vec<u64> =
                recording.of_cell(cell.id).filter(|s| s.thread == thread).map(|s| s.sequence).collect();
            assert_eq!(sequence, (0..25).collect::<Vec<_>>(), "{} thread {thread}", cell.method);
        }
        assert!(recording.of_cell(cell.id).all(|sample| sample.oversleep() >= Nanos::ZERO), "{}", cell.method);
        assert!(recording.of_cell(cell.id).all(|sample| sample.start <= sample.end));
        let spins = cell.method == MethodId::Spin.name();
        for cost in recording.note.costs.iter().filter(|cost| cost.cell == cell.id) {
            assert_eq!(cost.sleeps, 25, "each sleep is counted once");
            assert!(spins || cost.wake_ups != Some(0), "{}: {cost:?}", cell.method);
        }
        let threads = recording.note.costs.iter().filter(|cost| cost.cell == cell.id).count();
        let counted = oversleep_sys::clock::thread_processor_time().is_some();
        assert_eq!(threads, if counted { 2 } else { 0 }, "{}", cell.method);
    }
    assert_eq!(recording.samples.len(), plan.cells.len() * 50);
}

#[test]
fn a_schedule_accounts_for_every_period() {
    let conditions = Conditions { threads: Some(2), ..Conditions::default() };
    let plan = build::periodic(MethodId::ClockNanosleepAbs.row(), Nanos::from_micros(500), 200, &conditions, 1);
    let (recording, _) = carry_out(&plan, &SleepRunSettings::default());
    assert_eq!(recording.note.periods.len(), 2);
    for account in &recording.note.periods {
        assert_eq!(account.asked, 200);
        assert_eq!(account.asked, account.fresh + account.late + account.skipped);
        let samples = recording.samples.iter().filter(|s| s.thread == account.thread).count() as u64;
        assert_eq!(samples, account.fresh + account.late);
        let mut deadlines = recording.samples.iter().filter(|s| s.thread == account.thread);
        let origin = deadlines.next().map(|s| s.deadline.unwrap() - s.requested * (s.sequence.cast_signed() + 1));
        assert!(deadlines.all(|s| Some(s.deadline.unwrap() - s.requested * (s.sequence.cast_signed() + 1)) == origin));
    }
}

#[test]
fn what_cannot_be_had_is_said_and_the_rest_runs() {
    let windows_only = oversleep_recording::catalog::ROWS
        .iter()
        .find(|row| row.systems == [oversleep_recording::catalog::System::Windows]);
    let mut plan = build::checkup(methods().into_iter().take(1), 1);
    let mut absent = plan.cells[0].clone();
    absent.id = 1;
    absent.method = windows_only.map_or("nap", |row| row.name).to_owned();
    plan.cells.push(absent.clone());
    plan.turns = vec![
        oversleep_recording::plan::Turn { cell: 1, sleeps: 5 },
        oversleep_recording::plan::Turn { cell: 0, sleeps: 5 },
    ];
    let (recording, end) = carry_out(&plan, &SleepRunSettings::default());
    assert_eq!(end, End::Complete);
    assert_eq!(recording.samples.len(), 5);
    assert_eq!(recording.note.unavailable.len(), 1);
    assert_eq!(recording.note.unavailable[0].what, absent.method);
    assert_eq!(recording.note.unavailable[0].kind, "unavailable");
}

#[test]
fn stopping_keeps_what_was_measured() {
    let plan = build::wall_second(MethodId::Nanosleep.row(), 1_000_000, &Conditions::default(), 1);
    let settings = SleepRunSettings::default();
    let stop = settings.stop.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        stop.stop();
    });
    let (recording, end) = carry_out(&plan, &settings);
    stopper.join().unwrap();
    assert_eq!(end, End::Interrupted);
    assert_eq!(recording.note.end, Some(End::Interrupted));
}

#[test]
fn a_time_limit_ends_the_run() {
    let plan =
        build::periodic(MethodId::ClockNanosleepAbs.row(), Nanos::MILLISECOND, 1 << 40, &Conditions::default(), 1);
    let settings = SleepRunSettings { time_limit: Some(Nanos::from_millis(50)), ..SleepRunSettings::default() };
    let (recording, end) = carry_out(&plan, &settings);
    assert_eq!(end, End::TimeOver);
    let account = recording.note.periods[0];
    assert!(account.asked >= 1 && account.asked < 1 << 40);
}

#[test]
fn load_is_noted_as_obtained() {
    let load = Load { threads: 1, kind: LoadKind::Timers };
    let conditions = [Conditions::default(), Conditions { load: Some(load), ..Conditions::default() }];
    let rows = [MethodId::Nanosleep.row()];
    let grid =
        build::Grid { rows: &rows, requests: &[Pattern::fixed(Nanos::from_micros(100))], conditions: &conditions };
    let (recording, _) = carry_out(&build::measure(&grid, 10, 1), &SleepRunSettings::default());
    let load_of = |cell| recording.note.obtained.iter().find(|note| note.cell == cell).map(|note| note.conditions.load);
    assert_eq!(load_of(0), Some(None));
    assert_eq!(load_of(1), Some(Some(load)));
}

fn cell_of(method: MethodId, conditions: Conditions) -> oversleep_recording::plan::Plan {
    let grid = build::Grid {
        rows: &[method.row()],
        requests: &[Pattern::fixed(Nanos::MILLISECOND)],
        conditions: &[conditions],
    };
    build::measure(&grid, 10, 1)
}

#[test]
fn warm_sleeps_count_from_the_deadline_of_the_whole_and_are_never_early() {
    let conditions = Conditions { phase: Some(Phase::Warm { lead: Nanos::from_micros(400) }), ..Conditions::default() };
    for method in [MethodId::Nanosleep, MethodId::ClockNanosleepAbs] {
        let (recording, _) = carry_out(&cell_of(method, conditions.clone()), &SleepRunSettings::default());
        assert_eq!(recording.samples.len(), 10);
        for sample in &recording.samples {
            assert_eq!(sample.deadline, Some(sample.start + Nanos::MILLISECOND));
            assert!(sample.oversleep() >= Nanos::ZERO, "{sample:?}");
        }
    }
}

#[test]
fn a_neighbour_runs_beside_the_sleepers_and_ends_with_them() {
    let Some(cpu) = affinity::read().ok().and_then(|cpus| cpus.first().copied()) else {
        println!("skipped: this system has no affinity");
        return;
    };
    let load = Load { threads: 1, kind: LoadKind::Neighbour };
    let conditions = Conditions { affinity: Some(vec![cpu]), load: Some(load), ..Conditions::default() };
    let (recording, _) = carry_out(&cell_of(MethodId::Nanosleep, conditions), &SleepRunSettings::default());
    let obtained = &recording.note.obtained[0].conditions;
    assert_eq!((obtained.load, obtained.affinity.as_deref()), (Some(load), Some(&[cpu][..])));
    assert!(recording.samples.iter().all(|sample| sample.cpu_end == u16::try_from(cpu).unwrap()));
}

#[test]
fn what_is_tried_out_leaves_the_calling_thread_as_it_was() {
    let before = (affinity::read(), timer_slack::read(), policy::read(), nice::read(), latency_hold::read());
    for conditions in [
        Conditions { timer_slack: Some(Nanos::new(1)), ..Conditions::default() },
        Conditions { policy: Some(Policy::Idle), ..Conditions::default() },
        Conditions { policy: Some(Policy::Fifo { priority: 1 }), ..Conditions::default() },
        Conditions { latency_hold: Some(Nanos::ZERO), ..Conditions::default() },
        Conditions { affinity: Some(vec![0]), ..Conditions::default() },
    ] {
        if let Err(refusal) = probe(&cell_of(MethodId::Nanosleep, conditions.clone()).cells[0]) {
            println!("cannot be had here: {conditions:?}: {refusal}");
        }
    }
    assert_eq!((affinity::read(), timer_slack::read(), policy::read(), nice::read(), latency_hold::read()), before);
    let nowhere = Conditions { affinity: Some(vec![60_000]), ..Conditions::default() };
    assert!(probe(&cell_of(MethodId::Nanosleep, nowhere).cells[0]).is_err());
}
