//! A recording written as a table is read back as the same recording.

use oversleep_lab::export::csv::{Csv, CsvForm};
use oversleep_lab::export::json_lines::{JsonForm, JsonLines};
use oversleep_lab::figures::Summariser;
use oversleep_lab::import::{self, Ending};
use oversleep_lab::report::Screen;
use oversleep_lab::session::Explainer;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::document::{Diagnosis, Figures};
use oversleep_recording::machine::Machine;
use oversleep_recording::plan::{CONDITIONS, Conditions, Load, LoadKind, Pattern, Phase, Plan, Policy, Qos, build};
use oversleep_recording::{Periods, Recording, Sink};
use oversleep_sim::{Kernel, Simulation, meta};
use oversleep_sys::units::Nanos;

/// Returns a recording of four conditions on a simulated Linux; two of them differ only in niceness.
pub(crate) fn four() -> Recording {
    let slack = |ns| Conditions { timer_slack: Some(Nanos::new(ns)), ..Conditions::default() };
    let conditions = [
        Conditions::default(),
        slack(1),
        Conditions { policy: Some(Policy::Fifo { priority: 80 }), affinity: Some(vec![0, 2]), ..slack(1_000_000) },
        Conditions {
            nice: Some(5),
            load: Some(Load { threads: 2, kind: LoadKind::Memory }),
            phase: Some(Phase::BackToBack),
            ..Conditions::default()
        },
    ];
    let (rows, requests) = ([MethodId::Nanosleep.row()], [Pattern::fixed(Nanos::MILLISECOND)]);
    simulated(
        "linux-2.6-hrtimer",
        &build::measure(&build::Grid { rows: &rows, requests: &requests, conditions: &conditions }, 300, 7),
    )
}

fn simulated(preset: &str, plan: &Plan) -> Recording {
    let kernel = Kernel::preset(preset).unwrap();
    let mut recording = Recording::new(meta(&kernel, plan));
    Simulation::new(&kernel, plan, 7).run(&mut recording);
    recording
}

pub(crate) fn write_to(recording: &Recording, sink: &mut dyn Sink) {
    sink.note(&recording.note);
    recording.samples.chunks(100).for_each(|batch| sink.samples(batch));
}

fn csv(recording: &Recording) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rows = Csv::new(CsvForm, &recording.meta.plan, &mut out);
    write_to(recording, &mut rows);
    rows.finish().unwrap();
    out
}

fn json_lines(recording: &Recording) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rows = JsonLines::new(JsonForm, &recording.meta.plan, &mut out);
    write_to(recording, &mut rows);
    rows.finish().unwrap();
    out
}

fn read(bytes: &[u8]) -> Recording {
    let mut source = import::open("x", bytes).unwrap();
    let mut recording = Recording::new(source.meta().clone());
    let ending = source.read_into(&mut recording);
    assert!(matches!(ending, Ending::Complete), "{ending:?}");
    recording
}

fn diagnosis(recording: &Recording) -> (Diagnosis, String) {
    let mut explainer = Explainer::new(&recording.meta);
    write_to(recording, &mut explainer);
    let explanation = explainer.finish().unwrap();
    let text = explanation.text(Screen::PLAIN);
    // The last lines say where the recording comes from, so they are left out.
    (explanation.diagnosis().unwrap().clone(), text.rsplit_once("\n\n").unwrap().0.to_owned())
}

/// Returns the conditions that were read back, if there are any, without the phase, which has only one column.
fn obtained(recording: &Recording) -> Vec<(u32, u16, Conditions)> {
    let all = recording.note.obtained.iter();
    let bare = all.map(|of| (of.cell, of.thread, Conditions { phase: None, ..of.conditions.clone() }));
    bare.filter(|(_, _, conditions)| *conditions != Conditions::default()).collect()
}

#[test]
fn four_conditions_stay_four_groups_with_the_same_causes() {
    let recording = four();
    assert_eq!(recording.meta.plan.cells.len(), 4);
    // Tables do not hold the name of the system, or readings of several clocks together.
    let mut known = recording.clone();
    known.meta.machine = Machine::default();
    known.note.brackets.clear();
    for (form, bytes) in [("csv", csv(&recording)), ("json", json_lines(&recording))] {
        let back = read(&bytes);
        assert_eq!(back.meta.plan.cells, recording.meta.plan.cells, "{form}");
        assert_eq!(back.samples, recording.samples, "{form}");
        assert_eq!(obtained(&back), obtained(&recording), "{form}");
        // A table may come from any machine, so what decides an open question is proposed in words.
        known.meta.origin = back.meta.origin.clone();
        let (expected, text) = diagnosis(&known);
        let (found, told) = diagnosis(&back);
        assert_eq!(found, expected, "{form}");
        assert_eq!(told, text, "{form}");
        assert!(found.has(oversleep_recording::document::Cause::ConstantCost), "{told}");
    }
}

/// Returns conditions of which each is stated.
fn every_condition() -> Conditions {
    let mut all = Conditions::default();
    for row in CONDITIONS {
        row.set(&mut all, &row.kind.example());
    }
    all
}

#[test]
fn every_condition_comes_back_as_requested_and_as_read_back() {
    let (all, none) = (every_condition(), Conditions::default());
    // Each alone also makes a cell of its own.
    let document = serde_json::to_value(&all).unwrap();
    let alone =
        document.as_object().unwrap().iter().map(|(key, value)| {
            serde_json::from_value::<Conditions>(serde_json::json!({ key.as_str(): value })).unwrap()
        });
    let conditions: Vec<Conditions> = [none, all.clone()].into_iter().chain(alone).collect();
    let (rows, requests) = ([MethodId::Nanosleep.row()], [Pattern::fixed(Nanos::MILLISECOND)]);
    let grid = build::Grid { rows: &rows, requests: &requests, conditions: &conditions };
    let mut recording = simulated("linux-2.6-hrtimer", &build::measure(&grid, 20, 7));
    // What is read back differs from the request.
    let found = Conditions {
        timer_resolution: Some(Nanos::from_millis(15)),
        qos: Some(Qos::Background),
        phase: None,
        traced: None,
        one_cpu_each: None,
        ..all
    };
    for obtained in &mut recording.note.obtained {
        obtained.conditions = found.clone();
    }
    assert!(!recording.note.obtained.is_empty());
    for bytes in [csv(&recording), json_lines(&recording)] {
        let back = read(&bytes);
        assert_eq!(back.meta.plan.cells, recording.meta.plan.cells);
        assert_eq!(back.samples, recording.samples);
        assert_eq!(obtained(&back), obtained(&recording));
    }
}

#[test]
fn a_schedule_keeps_its_deadlines_and_a_range_its_ends() {
    let absolute = MethodId::ClockNanosleepAbs.row();
    let conditions = Conditions { threads: Some(2), ..Conditions::default() };
    let periodic = build::periodic(absolute, Nanos::MILLISECOND, 200, &conditions, 3);
    let range = [Pattern::Random { from: Nanos::from_micros(200), to: Nanos::from_millis(9) }];
    let (rows, any) = ([MethodId::Select.row()], [Conditions::default()]);
    let random = build::measure(&build::Grid { rows: &rows, requests: &range, conditions: &any }, 100, 3);
    for plan in [periodic, random] {
        let recording = simulated("freebsd-4.9", &plan);
        for bytes in [csv(&recording), json_lines(&recording)] {
            let back = read(&bytes);
            assert_eq!(back.meta.plan.cells, recording.meta.plan.cells);
            assert_eq!(back.samples, recording.samples);
        }
    }
}

/// Of a schedule whose wake-ups are late, the periods that were skipped are known from the numbers of those that were not;
/// those after the last wake-up, from the number that was planned.
#[test]
fn a_schedule_keeps_its_periods_and_the_figures_of_every_one() {
    let conditions = Conditions { threads: Some(2), ..Conditions::default() };
    // The kernel has a tick of 10 ms: of four periods, one has a wake-up.
    for (count, last_is_late) in [(203, true), (201, false)] {
        let plan = build::periodic(MethodId::ClockNanosleepAbs.row(), Nanos::from_millis(5), count, &conditions, 3);
        let recording = simulated("openbsd", &plan);
        let (figures, known) = (summaries(&recording), &recording.note.periods);
        assert!(known.iter().all(|of| of.asked == count && of.skipped > count / 2), "{known:?}");
        let last = recording.samples.last().unwrap();
        assert_eq!(last.sequence + 1 < count, last_is_late, "{last:?}");
        for bytes in [csv(&recording), json_lines(&recording)] {
            let back = read(&bytes);
            assert_eq!((&back.note.periods, &back.meta.plan.turns), (known, &recording.meta.plan.turns));
            assert_eq!(summaries(&back), figures);
            assert_eq!(csv(&back), csv(&recording));
        }
    }
}

/// Returns the raw and corrected figures of each cell, and its periods.
fn summaries(recording: &Recording) -> Vec<(Figures, Option<Figures>, Option<Periods>)> {
    let mut summariser = Summariser::new(&recording.meta);
    write_to(recording, &mut summariser);
    summariser.finish().into_iter().map(|cell| (cell.raw, cell.corrected, cell.periods)).collect()
}

#[test]
fn a_second_trip_changes_no_byte() {
    let recording = four();
    let (table, lines) = (csv(&recording), json_lines(&recording));
    assert_eq!(csv(&read(&table)), table);
    assert_eq!(json_lines(&read(&table)), lines);
    assert_eq!(csv(&read(&lines)), table);
}
