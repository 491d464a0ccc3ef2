//! `trace`: every tier works for whoever runs it, and says which it is.

use crate::support::run;
use serde_json::Value;

#[test]
fn each_tier_gives_one_document_that_names_it_or_says_why_not() {
    for tier in ["events", "switches", "counters", "slack"] {
        let ran = run(&["trace", "-n", "10", "--block", "5", "--tier", tier, "--json", "--every"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        let refused = document["higher_tiers"].as_array().unwrap();
        if document["tier"] != tier {
            println!("{tier} cannot be had here: {refused:?}");
            assert_eq!(refused[0]["tier"], tier);
        }
        for sleep in document["sleeps"].as_array().unwrap().iter().filter(|sleep| sleep["complete"] == "complete") {
            let parts = sleep["parts"].as_array().unwrap().iter().map(|part| part["time_ns"].as_i64().unwrap());
            let late = sleep["end_ns"].as_i64().unwrap() - sleep["deadline_ns"].as_i64().unwrap();
            assert_eq!(parts.sum::<i64>(), late);
        }
    }
}

#[test]
fn what_cannot_be_traced_is_refused_in_one_line() {
    for (arguments, code) in
        [(["-m", "nap"], 2), (["--tier", "best"], 2), (["-r", "-1ms"], 2), (["-n", "0"], 2), (["-m", "rcvtimeo"], 3)]
    {
        let ran = run(&[&["trace"], &arguments[..]].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty(), "{arguments:?}: {}", ran.out);
    }
}
