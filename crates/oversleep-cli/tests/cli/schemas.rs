//! The JSON that the program prints conforms to the schemas in `docs/schema`.

use crate::support::{name, run};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Returns a schema of `docs/schema`, changed so that a key that it does not name is an error.
fn schema(document: &str) -> Value {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let text = std::fs::read_to_string(folder.join(format!("{document}.json"))).expect("a schema");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    let open = schema["$defs"].clone();
    let definitions = schema["$defs"].as_object_mut().expect("definitions");
    definitions.values_mut().for_each(close);
    // One of the documents at the top stands beside the keys that all of them have.
    for one in schema.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(name) = one["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            *one = open[name].clone();
        }
    }
    close(&mut schema);
    schema
}

fn close(definition: &mut Value) {
    if let Some(definition) = definition.as_object_mut() {
        definition.insert("unevaluatedProperties".to_owned(), json!(false));
    }
}

/// Returns where and how a document differs from its schema.
fn faults(document: &str, printed: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(&schema(document)).expect("a schema");
    validator.iter_errors(printed).map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

/// Runs the program, requires that its output conforms to a schema, and returns it.
fn holds(document: &str, arguments: &[&str]) -> Value {
    let ran = run(arguments);
    // On a machine too busy to compare anything, a diagnosis still prints a document.
    let ended = ran.code == Some(0) || ran.err.contains("too few blocks were slept to compare anything");
    assert!(ended, "{arguments:?}: {}", ran.err);
    let printed = serde_json::from_str(&ran.out).expect("one JSON document");
    assert_eq!(faults(document, &printed), Vec::<String>::new(), "{arguments:?}");
    printed
}

/// Simulates a kernel and requires that its figures and their explanation conform to the schemas; returns the
/// explanation.
fn simulated(folder: &Path, preset: &str, plan: &[&str]) -> Value {
    let path = name(folder, &format!("{preset}-{}.arrows", plan.len()));
    holds("measure", &[&["simulate", preset, "-q", "--json", "--out", &path], plan].concat());
    if plan == RANDOM {
        holds("bounds", &["bounds", "10ms", &path, "--risk", "10%", "--json"]);
    }
    holds("explain", &["explain", &path, "--json"])
}

const RANDOM: [&str; 6] = ["-r", "200us..60ms", "-n", "300", "--phase", "random"];

#[test]
fn simulated_kernels_are_printed_as_their_schemas_say() {
    let folder = tempfile::tempdir().unwrap();
    for preset in ["freebsd-4.9", "linux-2.6-hrtimer", "macos-active", "windows-nt-15.6ms", "linux-wheel-4.8"] {
        let explained = simulated(folder.path(), preset, &RANDOM);
        let found = |at: &Value| at["findings"].as_array().map_or(0, Vec::len);
        let in_cells = explained["cells"].as_array().expect("cells").iter().map(found).sum::<usize>();
        assert!(found(&explained) + in_cells > 0, "{preset}");
    }
    simulated(folder.path(), "dragonfly-1.0", &["-e", "wall-second", "-n", "60"]);
    simulated(folder.path(), "windows-98", &["-e", "load", "-n", "4"]);
    let periodic = simulated(folder.path(), "openbsd", &["-e", "periodic", "-n", "200", "--interval", "5ms"]);
    assert!(periodic["cells"][0]["periods"]["skipped"].as_u64().is_some_and(|skipped| skipped > 0));
    let [first, second] = ["1", "2"].map(|seed| {
        let path = folder.path().join(format!("{seed}.arrows")).display().to_string();
        let ran = run(&["simulate", "openbsd", "-q", "-n", "400", "--seed", seed, "-o", &path]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        path
    });
    holds("compare", &["compare", &first, &second, "--json"]);
    let [first, second] = ["3", "4"].map(|seed| {
        let path = name(folder.path(), &format!("schedule-{seed}.arrows"));
        holds(
            "measure",
            &["simulate", "openbsd", "-q", "-i", "5ms", "-n", "40", "--seed", seed, "--json", "-o", &path],
        );
        path
    });
    let compared = holds("compare", &["compare", &first, &second, "--work", "3ms", "--json"]);
    assert_eq!(compared["cells"][0]["periods"]["shares"].as_array().map(Vec::len), Some(3), "{compared:#}");
    holds("simulate-vs", &["simulate", "openbsd", "-q", "-n", "20", "--vs", "solaris-8", "--json"]);
    holds("reproduce", &["reproduce", "--json"]);
    holds("simulate-sweep", &["simulate", "freebsd-4.9", "-n", "20", "--vary", "hz=100,1000,900000", "--json"]);
}

#[test]
fn measurements_are_printed_as_their_schemas_say() {
    holds("measure", &["measure", "-q", "--no-save", "-r", "100us", "-n", "20", "--json"]);
    holds("diagnose", &["diagnose", "-q", "--no-save", "-r", "50us", "--duration", "1", "--json"]);
}

/// A user who may not trace gets a lower tier of evidence in the same document.
#[test]
fn traces_are_printed_as_their_schema_says() {
    for requests in ["100us", "100us,1ms"] {
        holds(
            "trace",
            &["measure", "--trace", "-q", "--no-save", "-r", requests, "-n", "20", "--block", "10", "--json"],
        );
    }
    holds("trace", &["trace", "-q", "-n", "20", "--block", "10", "--every", "--json"]);
}

#[test]
fn lists_are_printed_as_their_schemas_say() {
    holds("list-methods", &["list", "--json"]);
    holds("list-methods", &["list", "--all", "--json"]);
    holds("list-runtimes", &["list", "runtimes", "--json"]);
    holds("list-presets", &["list", "presets", "--json"]);
    holds("list-recordings", &["list", "recordings", "--json"]);
}

#[test]
fn answers_to_stated_figures_are_printed_as_their_schema_says() {
    holds("explain-asked", &["explain", "--asked", "1ms", "--took", "15.6ms", "--system", "windows", "--json"]);
    holds("explain-asked", &["explain", "--asked", "1s", "--took", "mean=2s,n=3", "-m", "frob_wait", "--json"]);
}

#[test]
fn a_document_that_is_not_as_its_schema_says_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let right = simulated(folder.path(), "linux-2.6-hrtimer", &RANDOM);
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut document = right.clone();
        change(&mut document);
        faults("explain", &document)
    };
    let findings = right["cells"][0]["findings"].as_array().expect("findings");
    let slack = findings.iter().position(|finding| finding["cause"] == "timer-slack").expect("slack");
    assert_ne!(wrong(&|document| drop(document.as_object_mut().unwrap().remove("undecided"))), [""; 0]);
    assert_ne!(wrong(&|document| document["cells"][0]["p50_ns"] = json!("1 ms")), [""; 0]);
    assert_ne!(wrong(&|document| document["cells"][0]["p51_ns"] = json!(1)), [""; 0]);
    // Each cause has its own kind of evidence.
    assert_ne!(wrong(&|document| document["cells"][0]["findings"][slack]["cause"] = json!("timer-wheel")), [""; 0]);
    assert_ne!(wrong(&|document| document["cells"][0]["findings"][slack]["evidence"]["hz"] = json!(1.0)), [""; 0]);
}
