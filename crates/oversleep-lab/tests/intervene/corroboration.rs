//! The witnesses side by side, on a simulated kernel with a made-up trace.

use crate::kernels::{recorded, timers};
use oversleep_lab::analysis::corroboration::{
    CauseEstimates, Corroboration, WitnessAgreement, corroborate, corroborate_with,
};
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Witness, diagnose};
use oversleep_lab::report::{Screen, witnesses};
use oversleep_recording::document::evidence::Evidence;
use oversleep_recording::file::{Reader, Writer};
use oversleep_recording::plan::{Conditions, Kind};
use oversleep_recording::{Recording, Sink, Traced, TracedPart};
use oversleep_sys::units::Nanos;

fn traced(slack: Nanos) -> Traced {
    let part = |cause: &str, p50: Nanos| TracedPart {
        cause: cause.to_owned(),
        p50,
        low: p50 - Nanos::new(20),
        high: p50 + Nanos::new(20),
        at_p99: None,
        share: 0.5,
    };
    Traced {
        tier: "events".to_owned(),
        sleeps: 400,
        complete: 398,
        parts: vec![part("timer-slack", slack), part("constant-cost", Nanos::from_micros(7))],
        ..Traced::default()
    }
}

fn recording() -> Recording {
    recorded(&timers(50.0), "nanosleep", Nanos::MILLISECOND, &Conditions::default())
}

/// Compares the witnesses of a recording, with a trace of its first cell that found this slack.
fn compared(recording: &Recording, slack: Nanos) -> (Corroboration, Diagnosis) {
    let mut diagnosis = diagnose(recording);
    let corroboration = corroborate_with(recording, &mut diagnosis, |cell| (cell.id == 0).then(|| traced(slack)));
    (corroboration, diagnosis)
}

fn slack(corroboration: &Corroboration) -> &CauseEstimates {
    corroboration.cells[0].p50.iter().find(|row| row.cause == "timer-slack").expect("a row")
}

#[test]
fn three_witnesses_that_agree_make_it_surer() {
    let recording = recording();
    let pattern =
        diagnose(&recording).cells[0].findings.iter().find(|found| found.cause() == Cause::TimerSlack).cloned();
    let (corroboration, diagnosis) = compared(&recording, Nanos::from_micros(50));
    let row = slack(&corroboration);
    assert_eq!(row.verdict, WitnessAgreement::Agree);
    for said in [row.pattern, row.intervention, row.trace] {
        assert!((said.expect("all three speak").size - 50_000.0).abs() < 500.0, "{said:?}");
    }
    let finding = diagnosis.cells[0].findings.iter().find(|found| found.cause() == Cause::TimerSlack).unwrap();
    assert_eq!(finding.witnesses, [Witness::Pattern, Witness::Intervention, Witness::Trace]);
    assert!(finding.confidence > pattern.unwrap().confidence, "{}", finding.confidence);
    let text = witnesses::text(&recording.meta.plan, "Linux", &corroboration, &diagnosis, Screen::PLAIN);
    assert!(text.contains("agree") && text.contains("timer-slack") && !text.contains("differ"), "{text}");
}

#[test]
fn a_witness_that_differs_is_said_and_makes_it_less_sure() {
    let recording = recording();
    let (corroboration, diagnosis) = compared(&recording, Nanos::from_micros(3));
    assert_eq!(slack(&corroboration).verdict, WitnessAgreement::Differ);
    let finding = diagnosis.cells[0].findings.iter().find(|found| found.cause() == Cause::TimerSlack).unwrap();
    assert!(finding.confidence < 0.5, "{}", finding.confidence);
    let Evidence::TimerSlack(evidence) = &finding.evidence else { panic!("{finding:?}") };
    assert!((evidence.says.trace.unwrap() - 3_000.0).abs() < 1.0);
    let text = witnesses::text(&recording.meta.plan, "Linux", &corroboration, &diagnosis, Screen::PLAIN);
    assert!(text.contains("differ"), "{text}");
}

#[test]
fn a_recording_read_from_its_file_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diagnose.arrows");
    let recording = recording();
    let mut writer = Writer::create(&path, &recording.meta, false).unwrap();
    writer.samples(&recording.samples);
    writer.note(&recording.note);
    writer.finish().unwrap();
    let mut read = Recording::new(recording.meta.clone());
    Reader::open(&path).unwrap().read_into(&mut read).unwrap();
    let slack = Nanos::from_micros(50);
    assert_eq!(compared(&read, slack).0, compared(&recording, slack).0);
}

#[test]
fn an_ordinary_recording_has_one_witness() {
    let mut recording = recording();
    recording.meta.plan.kind = Kind::Measure;
    let before = diagnose(&recording);
    let mut diagnosis = before.clone();
    let corroboration = corroborate(&recording, &mut diagnosis);
    assert_eq!((corroboration, diagnosis), (Corroboration::default(), before));
}
