use super::*;
use crate::document::{Finding, Unit};
use serde_json::{Value, json};

fn slack() -> TimerSlack {
    TimerSlack { usual_late_ns: 57e3, least_late_ns: f64::NAN, basis: SlackBasis::Nominal, system_rule: None }
}

fn changed() -> Changed {
    Changed {
        changed: "slack 1 ns".into(),
        p50_shift_ns: -49e3,
        p_corrected: 0.0,
        blocks: 60,
        sleeps: 600,
        p99_shift_ns: None,
        other: Some(OtherChange { changed: "slack 500 µs".into(), p50_shift_ns: 450e3 }),
        part: None,
        ratio: None,
        measured_beside: None,
    }
}

fn evidence(finding: &Finding) -> Value {
    serde_json::to_value(finding).unwrap()["evidence"].take()
}

#[test]
fn cause_and_evidence_stand_beside_the_size() {
    let finding = Finding::new(slack(), 50e3, Unit::Nanoseconds);
    let written = serde_json::to_value(&finding).unwrap();
    assert_eq!(finding.cause(), Cause::TimerSlack);
    assert_eq!((&written["cause"], &written["size"]), (&json!("timer-slack"), &json!(50e3)));
    // NaN becomes null in files and is not displayed.
    let expected = json!({"usual_late_ns": 57e3, "least_late_ns": null, "basis": "nominal"});
    assert_eq!(written["evidence"], expected);
    let expected = [("basis", Fact::Word("nominal".into())), ("usual_late_ns", Fact::Number(57e3))];
    assert_eq!(finding.evidence.facts(), expected.map(|(name, fact)| (name.to_owned(), fact)));
}

#[test]
fn a_change_stands_beside_the_pattern_or_in_its_place() {
    let alone = json!({
        "changed": "slack 1 ns", "p50_shift_ns": -49e3, "p_corrected": 0.0, "blocks": 60, "sleeps": 600,
        "with_slack 500 µs": 450e3,
    });
    let by_change: Evidence = Witnessed::<TimerSlack>::of_change(changed()).into();
    assert_eq!(evidence(&Finding::new(by_change.clone(), 49e3, Unit::Nanoseconds)), alone);
    assert!(by_change.get::<TimerSlack>().is_none() && by_change.facts().iter().any(|fact| fact.0 == "blocks"));
    let mut both: Evidence = slack().into();
    both.add_intervention(changed());
    both.disagree(Disagreement { pattern: Some(50e3), intervention: Some(0.0), trace: None });
    let facts = both.facts();
    let written = evidence(&Finding::new(both, 50e3, Unit::Nanoseconds));
    assert_eq!((&written["intervention"], &written["basis"]), (&alone, &json!("nominal")));
    assert_eq!((&written["pattern_says_ns"], &written["intervention_says_ns"]), (&json!(50e3), &json!(0.0)));
    assert_eq!(written.get("trace_says_ns"), None);
    assert!(facts.iter().all(|fact| fact.0 != "changed"), "{facts:?}");
}

#[test]
fn a_rate_that_is_open_is_null_and_told() {
    let wheel = TimerWheel { hz: None.into(), tick_ns: None, rounding: Some(Rounding::Up).into(), step_ticks: None };
    let evidence: Evidence = wheel.into();
    let expected = [("hz", Fact::NotKnown), ("rounding", Fact::Word("up".into()))];
    assert_eq!(evidence.facts(), expected.map(|(name, fact)| (name.to_owned(), fact)));
    let expected = json!({"hz": null, "tick_ns": null, "rounding": "up", "step_ticks": null});
    assert_eq!(serde_json::to_value(&evidence).unwrap(), json!({"cause": "timer-wheel", "evidence": expected}));
}

#[test]
fn evidence_has_its_causes_name() {
    let all: [Evidence; 6] = [
        slack().into(),
        ConstantCost { usual_late_ns: None, idle: None }.into(),
        RunQueue { quanta: None, turn_ns: Some(1), load: None }.into(),
        MissedPeriods { asked: 2, skipped: 1 }.into(),
        TickQuantised::default().into(),
        HostSteal { stalls: 3, expected_by_chance: 0.1, ends_ns: Vec::new() }.into(),
    ];
    for evidence in all {
        assert_eq!(serde_json::to_value(&evidence).unwrap()["cause"], evidence.cause().name());
    }
}
