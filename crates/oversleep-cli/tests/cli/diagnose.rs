//! `diagnose`: every variant has the conditions that it names, its recording gives the same results again, and no
//! setting stays changed.

use crate::support::{
    Ran, finish, found, holds_samples, is_released, name, of_the_machine, oversleep, read, run, send_times,
};
use oversleep_lab::analysis::interventions::{Effort, intervene_with};
use oversleep_recording::file::{Reader, Tail};
use oversleep_recording::plan::build::FEWEST_BLOCKS;
use oversleep_recording::{End, Flags, Meta, Recording, Sample};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;

fn document(out: &str) -> Value {
    serde_json::from_str(out).expect("one JSON document")
}

/// Short sleeps, so that a second has enough blocks even where sleeps take four times as long as they should.
const SHORT: [&str; 6] = ["diagnose", "-q", "-r", "50us", "--duration", "1"];

/// Returns the plan's comparisons as reference cell, variant cell and number of blocks in which both slept, where
/// those are at least [`FEWEST_BLOCKS`].
fn comparable(recording: &Recording) -> Vec<[u64; 3]> {
    let whole = intervene_with(&slept_whole(&recording.meta), Effort { draws: 1, swaps: 1 }).unwrap();
    let slept = blocks(recording);
    let shared = |a: u32, b: u32| slept[&a].intersection(&slept[&b]).count() as u64;
    let pairs = whole.effects.iter().map(|effect| (effect.reference, effect.cell));
    pairs
        .map(|(reference, cell)| [reference.into(), cell.into(), shared(reference, cell)])
        .filter(|[.., blocks]| *blocks >= FEWEST_BLOCKS.unsigned_abs())
        .collect()
}

/// Returns the recording that the plan would make if every turn was taken.
fn slept_whole(meta: &Meta) -> Recording {
    let mut whole = Recording::new(meta.clone());
    let mut next: BTreeMap<u32, u64> = BTreeMap::new();
    for turn in &meta.plan.turns {
        let begin = next.entry(turn.cell).or_default();
        let sleeps = (*begin..*begin + turn.sleeps).take(3);
        whole.samples.extend(sleeps.map(|sequence| Sample { cell: turn.cell, sequence, ..Sample::BLANK }));
        *begin += turn.sleeps;
    }
    whole
}

/// Returns the blocks in which each cell slept: the numbers of its turns that have a valid sleep. The first sleep of a
/// turn of several does not count.
fn blocks(recording: &Recording) -> BTreeMap<u32, BTreeSet<usize>> {
    let mut turns: BTreeMap<u32, Vec<std::ops::Range<u64>>> = BTreeMap::new();
    for turn in &recording.meta.plan.turns {
        let turns = turns.entry(turn.cell).or_default();
        let begin = turns.last().map_or(0, |last| last.end);
        turns.push(begin..begin + turn.sleeps);
    }
    let sound = |sample: &&Sample| !sample.flags.has(Flags::FAILED) && !sample.flags.has(Flags::INTERRUPTED);
    let mut slept: BTreeMap<u32, BTreeSet<usize>> = turns.keys().map(|cell| (*cell, BTreeSet::new())).collect();
    for sample in recording.samples.iter().filter(sound) {
        let of_turn = |turn: &std::ops::Range<u64>| {
            turn.contains(&sample.sequence) && (turn.end - turn.start == 1 || sample.sequence > turn.start)
        };
        slept.get_mut(&sample.cell).unwrap().extend(turns[&sample.cell].iter().position(of_turn));
    }
    slept
}

/// Requires success, or, on a machine too busy to compare anything, exit 3 and the message that says so.
fn ended(ran: &Ran) {
    let too_few = ran.err.ends_with("too few blocks were slept to compare anything; give a longer -d, or less load\n");
    assert_eq!(ran.code, Some(if too_few { 3 } else { 0 }), "{}", ran.err);
}

#[test]
fn every_variant_is_what_it_says_and_the_recording_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = name(folder.path(), "d.arrows");
    let ran = run(&[&SHORT[..], &["--json", "--out", &path]].concat());
    ended(&ran);
    let told = document(&ran.out);
    let cells = told["cells"].as_array().unwrap();
    assert!(cells.len() >= 8, "{} cells", cells.len());
    for cell in cells {
        let (asked, obtained) = (&cell["conditions"]["asked"], &cell["conditions"]["obtained"]);
        // On a busy machine, time may run out before a variant's first turn.
        if obtained.is_null() {
            assert_eq!(cell["n"], 0, "{cell:#}");
            continue;
        }
        for key in ["policy", "affinity", "timer_slack_ns", "load"] {
            // Under a real-time policy slack reads 0 since Linux 6.13.
            let void = key == "timer_slack_ns" && !asked["policy"].is_null() && obtained[key] == 0;
            assert!(asked[key].is_null() || void || asked[key] == obtained[key], "{key}: {cell:#}");
        }
    }
    let interventions = &told["interventions"];
    let none = Vec::new();
    let effects = interventions["effects"].as_array().unwrap_or(&none);
    let pairs = effects.iter().map(|effect| ["reference", "cell", "blocks"].map(|key| effect[key].as_u64().unwrap()));
    // On a busy machine, not every variant gets enough turns. The expected pairs therefore follow from the samples.
    assert_eq!(pairs.collect::<Vec<_>>(), comparable(&read(Path::new(&path)).0), "{interventions:#}");
    assert!(interventions.is_null() || interventions["base"] == 0, "{interventions:#}");
    for effect in effects {
        let p50 = &effect["p50"];
        let of = |key: &str| p50[key].as_f64().unwrap();
        assert!(of("low_ns") <= of("size_ns") && of("size_ns") <= of("high_ns"), "{effect:#}");
        assert!(of("p") <= of("p_corrected") && of("p_corrected") <= 1.0, "{effect:#}");
        let holds_zero = of("low_ns") <= 0.0 && of("high_ns") >= 0.0;
        assert_eq!(p50["seen"], of("p_corrected") <= 0.05 && !holds_zero, "{effect:#}");
    }
    let again = run(&["explain", "--json", &path]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    let again = document(&again.out);
    assert_eq!(again["interventions"], *interventions);
    assert_eq!(again["cells"][0]["witnesses"], told["cells"][0]["witnesses"]);
    assert!(run(&["report", &path]).out.contains("nanosleep"));
}

#[test]
fn text_names_what_was_tried() {
    let ran = run(&[&SHORT[..], &["--no-save", "-m", "clock-nanosleep-abs"]].concat());
    ended(&ran);
    if ran.out.contains("too few blocks to compare") {
        println!("skipped: the machine is too busy for twelve blocks in twelve seconds");
        return;
    }
    for word in ["baseline", "policy batch", "request 200 µs", "Holm", "median, cause by cause"] {
        assert!(ran.out.contains(word), "'{word}' is missing: {}", ran.out);
    }
}

#[test]
fn the_same_seed_takes_the_same_turns() {
    let turns = |seed: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.arrows");
        let ran = run(&[&SHORT[..], &["--seed", seed, "--json", "--out", &path.display().to_string()]].concat());
        ended(&ran);
        Reader::open(&path).unwrap().meta().plan.turns.clone()
    };
    let first = turns("7");
    assert_eq!(first, turns("7"));
    assert_ne!(first, turns("8"));
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    for (arguments, code) in [
        (&["-m", "nap"][..], 2),
        (&["-m", "spin"], 2),
        (&["-m", "sched-yield"], 2),
        (&["-r", "0"], 2),
        (&["-r", "-1ms"], 2),
        (&["-r", "10s", "--duration", "5"], 2),
        (&["--duration", "0"], 2),
        (&["-m", "sleep"], 3),
        (&["-a", "60000"], 3),
    ] {
        let ran = run(&[&["diagnose", "-q", "--no-save"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty() && ran.err.lines().count() == 1, "{arguments:?}: {} {}", ran.out, ran.err);
    }
}

#[test]
fn ctrl_c_ends_it_with_what_there_is_and_every_setting_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.arrows");
    let before = (of_the_machine(), found());
    let mut child = oversleep()
        .args(["diagnose", "-r", "100us", "--duration", "600", "--out"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(holds_samples(&path, &mut child), "the run kept nothing");
    if !send_times("INT", &child, 1) {
        child.kill().unwrap();
        child.wait().unwrap();
        return;
    }
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(err.contains("interrupted") && err.contains("samples kept in"), "{err}");
    let (recording, tail) = read(&path);
    assert_eq!((tail, recording.note.end), (Tail::Closed, Some(End::Interrupted)));
    assert!(is_released(&before.0), "{:?} before, {:?} after", before.0, of_the_machine());
    assert_eq!(found(), before.1);
    // Even a recording of few blocks can be explained.
    assert_eq!(run(&["explain", &path.display().to_string()]).code, Some(0));
}

/// With `--trace`, the first cell has a trace among its witnesses, in the run and in its recording.
#[test]
fn the_trace_testifies_where_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let path = name(folder.path(), "d.arrows");
    let ran = finish(oversleep().args(SHORT).args(["--trace", "--json", "--out", &path]));
    ended(&ran);
    let told = document(&ran.out);
    let trace = &told["cells"][0]["witnesses"]["trace"];
    assert_eq!(trace["cell"], 0, "{:#}", told["unavailable"]);
    assert!(trace["sleeps"].as_u64() > Some(0), "{trace:#}");
    // The recording has the traced sleeps in cells of their own, apart from those that are compared.
    let again = document(&run(&["explain", "--json", &path]).out);
    assert_eq!(&again["cells"][0]["witnesses"]["trace"], trace);
    let traced = |cell: &&Value| cell["conditions"]["asked"]["traced"] == true;
    let cells = again["cells"].as_array().unwrap();
    assert!(
        cells.iter().filter(traced).count() > 0 && again["cells"][0]["conditions"]["asked"].get("traced").is_none()
    );
    if trace["tier"] != "events" {
        println!("kernel events cannot be had here: {:#}", told["unavailable"]);
    }
}
