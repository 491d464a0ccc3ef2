use super::*;
use oversleep_sys::units::Nanos;

#[test]
fn names_options_letters_and_columns_are_each_one_conditions() {
    let facts: [fn(&Condition) -> String; 5] = [
        |row| row.key.to_owned(),
        |row| row.name.to_owned(),
        |row| row.option.to_owned(),
        |row| row.short.map(String::from).unwrap_or_default(),
        |row| row.column.to_owned(),
    ];
    for fact in facts {
        let mut all: Vec<String> = CONDITIONS.iter().map(fact).filter(|fact| !fact.is_empty()).collect();
        let number = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), number, "{all:?}");
    }
    for row in CONDITIONS {
        assert!(!row.name.is_empty() && !row.column.is_empty(), "{}", row.key);
        assert!(row.needs.is_empty() || Condition::named(row.needs).is_some(), "{}", row.key);
        assert_eq!(row.value_name.is_empty(), matches!(row.kind, ValueKind::Truth), "{}", row.key);
    }
}

#[test]
fn what_an_option_asks_for_is_what_it_is_asked_for_with() {
    let mut all = Conditions::default();
    for row in CONDITIONS {
        row.set(&mut all, &row.kind.example());
        assert_eq!(row.get(&all), Some(row.kind.example()), "{}", row.key);
        if row.option.is_empty() {
            continue;
        }
        let written = row.option_value(&all).unwrap_or_else(|| panic!("{}", row.key));
        let read = row.kind.parse(&written).unwrap_or_else(|why| panic!("{}: {why}", row.key));
        match &read {
            // A list of processors has no order.
            Value::Cpus(cpus) => assert_eq!(*cpus, [0, 1, 2, 3, 9]),
            read => assert_eq!(*read, row.kind.example(), "{}", row.key),
        }
    }
    let (runtime, deadline, period) = (Nanos::from_micros(100), Nanos::from_micros(800), Nanos::MILLISECOND);
    for policy in [
        Policy::Other,
        Policy::Batch,
        Policy::Idle,
        Policy::Rr { priority: 1 },
        Policy::Deadline { runtime, deadline, period },
    ] {
        let value = Value::Policy(policy);
        assert_eq!(ValueKind::Policy.parse(&value.option().unwrap()), Ok(value));
    }
}

#[test]
fn what_cannot_be_asked_for_is_refused_with_what_can() {
    let error = |key: &str, text: &str| Condition::named(key).unwrap().kind.parse(text).unwrap_err();
    assert_eq!(error("nice", "20"), "it is not a whole number from -20 to 19");
    assert!(error("nice", "1,2").starts_with("it takes one value, for all rows"));
    assert!(error("load", "257").ends_with("to 256: busy threads; for a number of sleeps use --count"));
    assert!(error("timer_slack", "0ns").contains("longer than zero"));
    assert!(error("latency_hold", "-1us").contains("negative"));
    assert!(error("load_kind", "neighbour").ends_with("there are spin, memory, syscalls, timers, runtime"));
    for wrong in ["", "a", "3-1", "-1", "0-99999999", "1,,2"] {
        assert_eq!(error("affinity", wrong), format!("'{wrong}' is not a list of processors; write 0, 0,2 or 0-3"));
    }
    assert_eq!(ValueKind::Cpus.parse("0-2,7,1"), Ok(Value::Cpus(vec![0, 1, 2, 7])));
    assert_eq!(ValueKind::Policy.parse("80"), Ok(Value::Policy(Policy::Fifo { priority: 80 })));
    for wrong in ["100", "-1", "realtime", ""] {
        assert!(ValueKind::Policy.parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn only_what_is_stated_is_returned() {
    assert!(Conditions::default().stated().is_empty());
    let slack = |ns| Conditions { timer_slack: Some(Nanos::new(ns)), nice: Some(3), ..Conditions::default() };
    let names = |conditions: &Conditions| conditions.stated().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names(&slack(1)), ["niceness", "timer slack"]);
    assert_eq!(slack(1).stated(), slack(1).stated());
    assert_ne!(slack(1).stated(), slack(2).stated());
    let load = |threads| Conditions { load: Some(Load { threads, kind: LoadKind::Memory }), ..Conditions::default() };
    assert_eq!((names(&load(0)), names(&load(1))), (vec!["load"], vec!["load", Conditions::LOAD_KIND]));
}

#[test]
fn conditions_are_shown_as_obtained_with_what_was_asked() {
    let asked = Conditions {
        policy: Some(Policy::Fifo { priority: 80 }),
        nice: Some(-5),
        affinity: Some(vec![0, 2]),
        one_cpu_each: Some(true),
        memory_locked: Some(true),
        threads: Some(4),
        load: Some(Load { threads: 2, kind: LoadKind::Spin }),
        traced: Some(false),
        ..Conditions::default()
    };
    let got = Conditions {
        policy: Some(Policy::Other),
        affinity: Some(vec![2]),
        memory_locked: Some(false),
        threads: Some(3),
        load: Some(Load { threads: 1, kind: LoadKind::Neighbour }),
        ..Conditions::default()
    };
    assert_eq!(
        asked.name(Some(&got)),
        "other (asked fifo 80), no nice (asked -5), cpu 0,2 one each, memory not locked, busy neighbour, \
         3 threads (asked 4 threads), beside traced"
    );
    assert_eq!(asked.name(None), "fifo 80, nice -5, cpu 0,2 one each, memory locked, 2 busy, 4 threads, beside traced");
    let inherited = Conditions { policy: Some(Policy::Batch), ..Conditions::default() };
    assert_eq!(Conditions::default().name(Some(&inherited)), "batch inherited");
    assert_eq!(Conditions::default().name(None), "default");
}
