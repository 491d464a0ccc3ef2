use super::*;
use oversleep_analysis::attribution::{BreakdownBuilder, Owner, PartEvidence, PartKind, cause, late_sleeps, name_late};
use oversleep_recording::document::breakdown::Breakdown;
use oversleep_recording::plan::{Pattern, Plan, build};
use oversleep_recording::trace::{Event, KernelEvents};
use oversleep_recording::{LateSleep, Note, RefusedTier};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

fn us(us: i64) -> Nanos {
    Nanos::from_micros(us)
}

fn plan() -> Plan {
    let rows = [oversleep_recording::catalog::MethodId::Nanosleep.row()];
    let (requests, conditions) =
        ([Pattern::fixed(Nanos::MILLISECOND)], [oversleep_recording::plan::Conditions::default()]);
    build::measure(&build::Grid { rows: &rows, requests: &requests, conditions: &conditions }, 10, 1)
}

/// Returns a sleep that was 60 µs late, on a simulated kernel.
fn late() -> LateSleep {
    let start = Nanos::SECOND;
    let why = Refusal::Unavailable("a simulated kernel keeps no trace".to_owned());
    LateSleep {
        sequence: 1,
        requested: Nanos::MILLISECOND,
        start,
        at: start + Nanos::MILLISECOND + us(60),
        length: us(60),
        cpu: Some(3),
        refused: vec![RefusedTier { tier: Tier::Events, why }],
        trace: Some("run-late-1.txt".to_owned()),
        ..LateSleep::default()
    }
}

#[test]
fn a_command_finds_everything_in_its_environment() {
    let variables = environment(&name_late(&plan(), &Note::default(), &late()));
    let value = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str()).unwrap();
    assert_eq!((value("OVERSLEEP_METHOD"), value("OVERSLEEP_LATE_NS")), ("nanosleep", "60000"));
    assert_eq!((value("OVERSLEEP_REQUESTED_NS"), value("OVERSLEEP_DEADLINE_NS")), ("1000000", "1001000000"));
    assert_eq!((value("OVERSLEEP_END_NS"), value("OVERSLEEP_SEQUENCE")), ("1001060000", "1"));
    assert_eq!((value("OVERSLEEP_CPU"), value("OVERSLEEP_TRACE_FILE")), ("3", "run-late-1.txt"));
    assert_eq!((value("OVERSLEEP_WITNESS"), value("OVERSLEEP_CAUSE")), ("none", "not separated"));
    assert!(value("OVERSLEEP_WITNESS_REFUSED").contains("a simulated kernel keeps no trace"));
}

fn named(breakdown: Breakdown) -> NamedLateSleep {
    let named = name_late(&plan(), &Note::default(), &late());
    NamedLateSleep { cause: cause(&breakdown), breakdown: Some(breakdown), ..named }
}

#[test]
fn a_real_time_sleeper_behind_another_thread_is_not_left_unexplained() {
    let due = Nanos::SECOND;
    let behind = |owner: Owner, time, priority| {
        let mut chain = BreakdownBuilder::new(7, due, due + time);
        chain.part(PartKind::RunQueue, time, Some(1), PartEvidence::Tracepoint).push((owner, time));
        NamedLateSleep { priority, ..named(chain.finish()) }
    };
    let task = |prio| Owner::Task { tid: 12, comm: "tar".into(), prio };
    let sleep = behind(task(120), us(50), 1);
    assert_eq!(sleep.parts(), "50.0 µs run queue (tar (12, nice 0))");
    let note = sleep.note().unwrap();
    assert!(note.contains("kernel code that cannot be preempted; with preempt=full"), "{note}");
    assert_eq!(sleep.explanation(), format!("50.0 µs late: 50.0 µs run queue (tar (12, nice 0)); {note}"));
    let note = behind(task(120), us(2_000), 1).note().unwrap();
    assert!(note.contains("kernel code") && note.contains("their share of the processor"), "{note}");
    let limit = behind(task(120), us(50_000), 1).note().unwrap();
    assert!(!limit.contains("kernel code") && limit.contains("fair_server"), "{limit}");
    assert_eq!(behind(Owner::Idle(None), us(43_100), 1).note(), Some(limit));
    assert_eq!(behind(Owner::Idle(Some(2)), us(50), 1).note(), None);
    assert_eq!(behind(Owner::Idle(None), us(43_100), 0).note(), None);
    let other = behind(task(120), us(50), 0);
    assert_eq!(other.parts(), "50.0 µs run queue (tar (12, nice 0))");
    assert_eq!(other.explanation(), "50.0 µs late: 50.0 µs run queue (tar (12, nice 0))");
    let advice = |sleeps: Vec<NamedLateSleep>| LateSleeps { account: LateAccount::default(), sleeps }.advice();
    let behind_real_time = || behind(task(49), us(50), 0);
    assert!(
        advice(vec![other.clone()]).unwrap().contains("A thread with a real-time policy does not wait for these: ")
    );
    for sleeps in [vec![behind_real_time()], vec![other, behind_real_time()], vec![behind(task(49), us(50), 50)]] {
        let advice = advice(sleeps).unwrap();
        assert!(advice.contains("priority of 51 does not wait") && advice.contains("-p 51 shows"), "{advice}");
    }
    let useless = [behind(task(120), us(50), 1), behind(task(49), us(50), 60), behind(task(0), us(50), 0)];
    assert_eq!(advice(useless.to_vec()), None, "it has that priority, or nothing runs before such a thread");
    assert_eq!(behind(task(9), us(50), 1).explanation(), "50.0 µs late: 50.0 µs run queue (tar (12, real time 90))");
}

/// Whoever had the processor when the interrupt should have come did not hold it back for milliseconds.
#[test]
fn a_very_late_interrupt_is_not_blamed_on_the_thread_beside_it() {
    let late = |time| {
        let mut chain = BreakdownBuilder::new(7, Nanos::SECOND, Nanos::SECOND + time);
        let owner = Owner::Task { tid: 12, comm: "oversleep".into(), prio: 120 };
        chain.part(PartKind::IrqLate, time, Some(1), PartEvidence::Tracepoint).push((owner, time));
        let breakdown = chain.finish();
        NamedLateSleep { culprits: oversleep_analysis::attribution::culprits(&[&breakdown]), ..named(breakdown) }
    };
    assert_eq!(late(us(60)).note(), None);
    assert_eq!(late(us(300)).note(), late(us(5_000)).note());
    assert!(late(us(5_000)).note().unwrap().contains("held back by the host"));
    let account = LateAccount { threshold: us(500), slept: 10, late: 1, found: 1, ..LateAccount::default() };
    let sleeps = vec![NamedLateSleep { witness: Some(Tier::Events), ..late(us(5_000)) }];
    let text = text(Some(&LateSleeps { account, sleeps }), MOST, Screen::PLAIN);
    assert!(!text.contains("this program"), "{text}");
    // Another program of that name is not taken for it.
    let known = |own: &'static str| {
        let start = Nanos::SECOND;
        let task = |tid| Task { tid, comm: format!("oversleep{own}"), prio: 120 };
        let at = |us_after: i64, thread, kind| Event { at: start + us(us_after), cpu: 0, thread, kind };
        let (soft, due) = (start + us(1_000), us(1_000).get() / 1_000);
        let events = vec![
            at(1, 7, EventKind::TimerStart { timer: 1, soft, hard: soft }),
            at(2, 7, EventKind::Switch { prev: task(7), state: 1, next: task(12) }),
            at(due, 12, EventKind::TimerInterrupt),
            at(due, 12, EventKind::TimerExpire { timer: 1, now: soft }),
            at(due, 12, EventKind::Wakeup { tid: 7, queue: Some(0) }),
            at(due, 12, EventKind::InterruptExit { what: Interrupt::Timer }),
            at(due + 900, 12, EventKind::Switch { prev: task(12), state: 0, next: task(7) }),
        ];
        let found = LateSleep {
            at: soft + us(901),
            length: us(901),
            cpu: Some(0),
            tid: Some(7),
            watched: true,
            events: Some(KernelEvents { events, gaps: Vec::new() }),
            ..self::late()
        };
        name_late(&plan(), &Note::default(), &found)
    };
    assert_eq!(
        (&*known(THIS_PROGRAM).cause, &*known("").cause),
        ("run queue: oversleep, this program", "run queue: oversleep")
    );
    let said = |own| super::text(Some(&LateSleeps { account, sleeps: vec![known(own)] }), MOST, Screen::PLAIN);
    assert!(said(THIS_PROGRAM).contains("what is marked as this program reads the events"), "{}", said(THIS_PROGRAM));
    assert!(!said("").contains("this program"), "{}", said(""));
}

/// A remark that holds for several sleeps stands once, under the table, with the number of sleeps that each cause made late.
#[test]
fn causes_are_counted_and_notes_said_once() {
    let waited = |comm: &str, time| {
        let mut chain = BreakdownBuilder::new(7, Nanos::SECOND, Nanos::SECOND + time);
        let owner = Owner::Task { tid: 12, comm: comm.into(), prio: 120 };
        chain.part(PartKind::RunQueue, time, Some(1), PartEvidence::Tracepoint).push((owner, time));
        NamedLateSleep { priority: 1, ..named(chain.finish()) }
    };
    let sleeps = vec![waited("cc", us(51_000)), waited("tar", us(52_000)), waited("tar", us(50_000))];
    let account = LateAccount { threshold: us(500), slept: 10, late: 3, found: 3, ..LateAccount::default() };
    let text = text(Some(&LateSleeps { account, sleeps }), MOST, Screen::PLAIN);
    assert!(text.contains("largest part of the lateness: run queue: tar (2), run queue: cc (1)\n"), "{text}");
    assert_eq!(text.matches("fair_server").count(), 1, "{text}");
}

#[test]
fn the_explanation_names_the_largest_parts_and_who_had_them() {
    let due = Nanos::SECOND;
    let mut chain = BreakdownBuilder::new(7, due, due + us(812));
    chain.part(PartKind::Slack, us(50), None, PartEvidence::Known);
    let hog = Owner::Task { tid: 12, comm: "hog".into(), prio: 19 };
    chain.part(PartKind::RunQueue, us(750), Some(1), PartEvidence::Tracepoint).push((hog, us(700)));
    chain.part(PartKind::Return, us(12), Some(1), PartEvidence::Tracepoint);
    let sleep = named(chain.finish());
    let parts = "750 µs run queue (hog (12, real time 80)), 50.0 µs timer slack, 12.0 µs return to the program";
    assert_eq!(sleep.explanation(), format!("812 µs late: {parts}"));
    // A table of several names the parts of a tenth and more.
    assert_eq!(sleep.parts(), "750 µs run queue (hog (12, real time 80)), 62.0 µs in other parts");
    assert_eq!(sleep.cause, "run queue: hog (real time 80)");
    let mut shared = BreakdownBuilder::new(7, due, due + us(10));
    let task = |comm: &str| Owner::Task { tid: 1, comm: comm.into(), prio: 120 };
    *shared.part(PartKind::RunQueue, us(10), Some(1), PartEvidence::Tracepoint) =
        vec![(task("a"), us(1)), (task("b"), us(4)), (task("c"), us(3)), (task("d"), us(2))];
    assert_eq!(
        named(shared.finish()).explanation(),
        "10.0 µs late: 10.0 µs run queue (b (1, nice 0) 4.00 µs, c (1, nice 0) 3.00 µs, d (1, nice 0) 2.00 µs and 1 more)"
    );
    let mut torn = BreakdownBuilder::new(7, due, due + us(9));
    torn.trouble("its wake-up was not seen".into());
    torn.mark(PartKind::Rest, due + us(9), None, PartEvidence::Inferred).push((Owner::Timer, us(9)));
    assert_eq!(
        named(torn.finish()).explanation(),
        "9.00 µs late: 9.00 µs not separated (timer interrupt) (partial: its wake-up was not seen)"
    );
}

#[test]
fn a_tier_that_was_not_to_be_had_is_named_with_its_reason() {
    let why = Refusal::Forbidden("no".into());
    let refused = vec![RefusedTier { tier: Tier::Events, why: why.clone() }, RefusedTier { tier: Tier::Slack, why }];
    let sleep = name_late(&plan(), &Note::default(), &LateSleep { watched: true, refused, ..late() });
    // The slack tier was used by rule, so only tiers that would have been better get a line.
    assert_eq!((sleep.witness, sleep.refused), (Some(Tier::Slack), vec!["not by events: forbidden: no".to_owned()]));
}

#[test]
fn sleeps_that_were_only_counted_are_said_to_be() {
    let account = LateAccount { threshold: us(50), slept: 90, late: 12, found: 1, ..LateAccount::default() };
    let note = Note { late_sleeps: vec![late()], late: Some(account), ..Note::default() };
    let sleeps = late_sleeps(&plan(), &note).unwrap();
    let text = text(Some(&sleeps), MOST, Screen::PLAIN);
    let expected =
        "1 was examined as the latest until then; 11 were only counted (`measure --late-limit` examines more)\n";
    assert!(text.contains(expected), "{text}");
    let headline = crate::headline::of_late(&sleeps).unwrap();
    assert!(headline.contains("; of the 1 that were examined, the latest was 60.0 µs late"), "{headline}");
}
