//! What keeping a processor awake removes is called idle exit only where the processor may have idled.

use crate::synthetic::{Lateness, record};
use oversleep_lab::analysis::corroboration::{Corroboration, corroborate};
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, diagnose};
use oversleep_recording::machine::{IdleState, Load as MachineLoad};
use oversleep_recording::plan::{Cell, Conditions, Load, LoadKind, Pattern, Policy};
use oversleep_recording::{Note, Obtained, Sink};
use oversleep_sys::units::Nanos;

const HOLD: u32 = 1;
const NEIGHBOUR: u32 = 2;

/// The machine that a recording was made on.
#[derive(Clone, Copy)]
struct On {
    load: f64,
    has_idle_states: bool,
}

/// Returns a real-time baseline pinned to a processor, with the latency held, and beside a busy neighbour.
fn cells() -> Vec<Cell> {
    let base =
        Conditions { affinity: Some(vec![0]), policy: Some(Policy::Fifo { priority: 80 }), ..Conditions::default() };
    let hold = Conditions { latency_hold: Some(Nanos::ZERO), ..base.clone() };
    let neighbour = Conditions { load: Some(Load { threads: 1, kind: LoadKind::Neighbour }), ..base.clone() };
    let cell = |(id, conditions)| Cell {
        conditions,
        ..Cell::new(id, "clock-nanosleep-abs", Pattern::fixed(Nanos::MILLISECOND))
    };
    (0..).zip([base, hold, neighbour]).map(cell).collect()
}

/// Returns the findings of a recording in which the neighbour removes 10 µs of 25, and the hold this much.
fn told(on: On, held: f64) -> (Corroboration, Diagnosis) {
    let late = Lateness { base: 25.0, each: 3.0, outlier: 0, common: 0.0 };
    let shift = |cell| match cell {
        HOLD => -held,
        NEIGHBOUR => -10.0,
        _ => 0.0,
    };
    let mut recording = record(cells(), 4, late, shift, 7);
    let machine = &mut recording.meta.machine;
    "Linux".clone_into(&mut machine.system);
    machine.processor.online = vec![0, 1];
    machine.virtualisation.hypervisor = Some("kvm".to_owned());
    machine.load = Some(MachineLoad { one_minute: on.load, ..MachineLoad::default() });
    if on.has_idle_states {
        let state = |name: &str, ns| IdleState {
            name: name.to_owned(),
            latency: Some(Nanos::new(ns)),
            residency: Some(Nanos::new(ns)),
            ..IdleState::default()
        };
        machine.idle.states = vec![state("POLL", 0), state("haltpoll idle", 1_000)];
    }
    let obtained = cells().into_iter().map(|cell| Obtained { cell: cell.id, thread: 0, conditions: cell.conditions });
    recording.note(&Note { obtained: obtained.collect(), ..Note::default() });
    let mut diagnosis = diagnose(&recording);
    let corroboration = corroborate(&recording, &mut diagnosis);
    (corroboration, diagnosis)
}

/// Returns the size of the idle exit that was found, in µs.
fn found(diagnosis: &Diagnosis) -> Option<f64> {
    let mut all = diagnosis.all();
    all.find(|finding| finding.cause() == Cause::IdleExit).map(|finding| (finding.size / 1e3).round())
}

/// Returns the candidates of the question of what the neighbour removed, and why it is open.
fn open(corroboration: &Corroboration) -> Option<(Vec<String>, String)> {
    let [open] = &corroboration.interventions.as_ref()?.open[..] else { return None };
    assert!(open.question.starts_with("why clock-nanosleep-abs wakes "), "{}", open.question);
    Some((open.candidates.clone(), open.why.clone()))
}

#[test]
fn an_idle_processor_that_no_latency_keeps_awake_has_its_idle_exit_named() {
    // Without a driver of idle states, the hold does nothing.
    let (corroboration, diagnosis) = told(On { load: 0.1, has_idle_states: false }, 0.0);
    assert_eq!((found(&diagnosis), open(&corroboration)), (Some(10.0), None));
    let (corroboration, diagnosis) = told(On { load: 0.1, has_idle_states: true }, 9.5);
    assert_eq!((found(&diagnosis), open(&corroboration)), (Some(10.0), None));
}

#[test]
fn beside_other_programs_the_effect_of_a_neighbour_stays_open() {
    let (corroboration, diagnosis) = told(On { load: 6.7, has_idle_states: false }, 0.0);
    assert_eq!(found(&diagnosis), None);
    let (candidates, why) = open(&corroboration).unwrap();
    assert_eq!(candidates, ["idle-exit", "constant-cost"]);
    assert!(why.starts_with("the machine was busy when the run began (load 6.7, 2 processors)"), "{why}");
    assert!(why.contains("the host from stopping it"), "{why}");
    let row = corroboration.cells[0].p50.iter().find(|row| row.cause == "idle-exit").unwrap();
    assert!(row.intervention.unwrap().at_most && row.confidence.is_none(), "{row:?}");
    // What the hold removed is idle exit even there.
    assert_eq!(found(&told(On { load: 6.7, has_idle_states: true }, 6.0).1), Some(6.0));
}

#[test]
fn what_a_hold_did_not_remove_is_no_idle_exit() {
    let (corroboration, diagnosis) = told(On { load: 0.1, has_idle_states: true }, 0.0);
    assert_eq!(found(&diagnosis), None);
    let (candidates, why) = open(&corroboration).unwrap();
    assert_eq!(candidates, ["constant-cost"]);
    assert!(why.starts_with("holding the latency at 0 ns, which keeps processors from idling too, removed at most"));
}

/// Checks that a hold is recommended against the cost of waking only where it was not tried in vain.
#[test]
fn a_hold_that_did_nothing_is_not_recommended() {
    let recommended = |held| {
        let (_, diagnosis) = told(On { load: 0.1, has_idle_states: true }, held);
        let cost = diagnosis.cells[0].findings.iter().find(|finding| finding.cause() == Cause::ConstantCost).unwrap();
        assert!(!cost.remedy.is_empty());
        cost.remedy.iter().any(|remedy| remedy.command.contains("cpu_dma_latency"))
    };
    assert!(recommended(9.5) && !recommended(0.0));
}
