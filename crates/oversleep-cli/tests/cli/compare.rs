//! `compare`: its report on simulated kernels, what it refuses, and both ways to name the sides.

use crate::support::{finish, name, oversleep, run};
use serde_json::Value;

/// Makes a recording of a simulated kernel; returns its path.
fn simulated(folder: &std::path::Path, file: &str, more: &[&str]) -> String {
    let path = name(folder, file);
    let fixed = ["simulate", "linux-2.6-hrtimer", "-q", "-n", "400", "--force", "--out", &path];
    let ran = run(&[&fixed[..], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    path
}

#[test]
fn one_recording_a_side_is_described_and_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (
        simulated(folder.path(), "a.arrows", &["--seed", "1"]),
        simulated(folder.path(), "b.arrows", &["--seed", "2", "--slack", "2ms"]),
    );
    let ran = run(&["compare", &a, &b]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("Undecided: B looks later at p50 by 1.95 ms"), "{}", ran.out);
    // The page of both says the same, and Markdown names the file of each part.
    let page = name(folder.path(), "page.html");
    assert_eq!(run(&["report", &a, &b, "-o", &page]).code, Some(0));
    let page = std::fs::read_to_string(page).unwrap();
    let headline = "b.arrows against a.arrows at the median of nanosleep 1.00 ms, slack 2.00 ms (against nanosleep 1.00 ms): +1.95 ms";
    assert!(page.contains(headline) && page.contains("undecided, because how much two equal runs differ"), "{page}");
    let text = run(&["report", &a, &b, "--markdown"]).out;
    assert!(text.starts_with("## a.arrows\n\n**") && text.contains("\n## b.arrows\n\n**"), "{text}");
    assert!(run(&["report", &a, "--markdown"]).out.starts_with("**"));
    let ran = run(&["compare", &a, "--fail-if", "p50>+10%", "--", &b]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.starts_with("oversleep: a check cannot be decided: nanosleep: p50 +1.95 ms"), "{}", ran.err);
}

/// Markdown is printed, or written to a file as `report` does.
#[test]
fn a_comparison_is_written_as_markdown() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (
        simulated(folder.path(), "a.arrows", &["--seed", "1"]),
        simulated(folder.path(), "b.arrows", &["--seed", "2", "--slack", "2ms"]),
    );
    let printed = run(&["compare", &a, &b, "--markdown"]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert!(
        printed.out.contains("\n| p50 | ") && printed.out.starts_with("**Undecided: B looks later"),
        "{}",
        printed.out
    );
    let file = name(folder.path(), "x.md");
    let written = run(&["compare", &a, &b, "-o", &file]);
    assert_eq!((written.code, written.out.as_str()), (Some(0), ""), "{}", written.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed.out);
    let again = run(&["compare", &a, &b, "-o", &file]);
    assert!(again.code == Some(3) && again.err.contains("exists"), "{}", again.err);
    assert_eq!(run(&["compare", &a, &b, "-o", &file, "--force"]).code, Some(0));
    let other = run(&["compare", &a, &b, "-o", &name(folder.path(), "x.txt")]);
    assert!(other.code == Some(2) && other.err.contains("has to end in .html, .svg, .png or .md"), "{}", other.err);
    let side = run(&["compare", "--run", "-n", "5", "--", "-n", "5", "--markdown"]);
    assert!(side.code == Some(2) && side.err.contains("--markdown has no effect on a side"), "{}", side.err);
}

/// Six rows are one table, under a sentence that the page and the picture have too.
#[test]
fn several_rows_are_one_table_and_a_page_or_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let rows = ["-m", "nanosleep,select", "-r", "100us,1ms,10ms", "--seed"];
    let (a, b) = (
        simulated(folder.path(), "a.arrows", &[&rows[..], &["1"]].concat()),
        simulated(folder.path(), "b.arrows", &[&rows[..], &["2", "--slack", "90us"]].concat()),
    );
    let shown = run(&["compare", &a, &b]);
    let sentence = shown.out.lines().next().unwrap();
    assert!(sentence.starts_with("Undecided in all 6 rows: B looks later at p"), "{}", shown.out);
    assert_eq!(shown.out.matches("  interval  ").count(), 1, "{}", shown.out);
    assert!(shown.out.contains("\nconditions: A default, B slack 90.0 µs\n"), "{}", shown.out);
    assert_eq!(shown.out.matches("Undecided, because").count(), 1, "{}", shown.out);
    assert!(shown.out.split_whitespace().count() < 200, "{}", shown.out);
    let written = |file: &str| {
        let path = name(folder.path(), file);
        let ran = run(&["compare", &a, &b, "-o", &path]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
        std::fs::read(path).unwrap()
    };
    let (page, svg) = (String::from_utf8(written("x.html")).unwrap(), String::from_utf8(written("x.svg")).unwrap());
    assert!(page.contains(sentence) && page.contains("id=\"samples-1\""), "{page}");
    assert!(
        svg.contains(sentence)
            && svg.contains("p99 of nanosleep 10.0 ms | slack 90.0 µs")
            && svg.contains("+40.0 µs ("),
        "{svg}"
    );
    assert!(written("x.png").starts_with(b"\x89PNG"));
}

#[test]
fn without_a_file_the_last_two_recordings_are_compared() {
    let state = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| finish(oversleep().args(arguments).env("XDG_STATE_HOME", state.path()));
    let measure = ["measure", "-q", "-m", "nanosleep", "-r", "50us", "-n", "5"];
    let refused = |expected: &str| {
        let ran = run(&["compare"]);
        assert_eq!((ran.code, ran.err.contains(expected)), (Some(3), true), "{}", ran.err);
    };
    refused("there is no recording in ");
    assert_eq!(run(&measure).code, Some(0));
    refused("there is only 1 recording in ");
    assert_eq!(run(&measure).code, Some(0));
    let kept: Value = serde_json::from_str(&run(&["list", "recordings", "--json"]).out).unwrap();
    let path = |at: usize| kept["recordings"][at]["file"].as_str().unwrap().to_owned();
    let ran = run(&["compare"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // A busy machine is said after it.
    let first = format!("the last two recordings: {} and {}\n", path(1), path(0));
    assert!(ran.err.starts_with(&first), "{}", ran.err);
    assert_eq!(run(&["compare", &path(1), &path(0)]).out, ran.out);
}

#[test]
fn four_recordings_a_side_tell_a_difference_from_none() {
    let folder = tempfile::tempdir().unwrap();
    let of = |letter: &str, more: &[&str]| -> Vec<String> {
        let first = if letter == "c" { 5 } else { 1 };
        (first..first + 4)
            .map(|seed: i32| {
                let seed = seed.to_string();
                simulated(folder.path(), &format!("{letter}{seed}.arrows"), &[&["--seed", &seed], more].concat())
            })
            .collect()
    };
    let (a, b, c) = (of("a", &[]), of("b", &["--slack", "2ms"]), of("c", &[]));
    let compared = |one: &[String], other: &[String], more: &[&str]| {
        let one: Vec<&str> = one.iter().map(String::as_str).collect();
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        run(&[&["compare"], more, &one, &["--"], &other].concat())
    };
    let later = compared(&a, &b, &["--json", "--fail-if", "p50>+1ms"]);
    assert_eq!(later.code, Some(1), "{}", later.err);
    assert!(later.err.ends_with(", beyond p50>+1.00 ms\n"), "{}", later.err);
    let document: Value = serde_json::from_str(&later.out).unwrap();
    assert_eq!(document["cells"][0]["shifts"][0]["verdict"], "later");
    assert_eq!(document["cells"][0]["shifts"][0]["error"], "between-runs");
    let same = compared(&a, &c, &["--fail-if", "p50>+10%", "--fail-if", "p99>+10%"]);
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
}

#[test]
fn both_sides_are_measured_in_turns() {
    let words = ["-r", "50us", "-n", "30", "-m", "clock-nanosleep-abs"];
    let ran = run(&[&["compare", "-q", "--json", "-d", "1ms", "--run"], &words[..], &["--"], &words].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let runs = document["a"].as_array().unwrap();
    assert_eq!((runs.len(), document["b"].as_array().unwrap().len()), (6, 6));
    assert_eq!(document["cells"][0]["n_a"], 180);
    assert_eq!(document["cells"][0]["shifts"][0]["error"], "pairs");
    assert_eq!(document["control"][0]["shifts"][0]["figure"], "p50");
    // A time that is too short for three blocks is exceeded, and that is said.
    assert!(ran.err.starts_with("3 blocks A B B A, the fewest that give an interval, took "), "{}", ran.err);
    assert!(ran.err.ends_with(" s, longer than 1.00 ms (-d)\n"), "{}", ran.err);
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let a = simulated(folder.path(), "a.arrows", &[]);
    for (arguments, code, text) in [
        (&["compare", &a][..], 2, "side B is missing; write -- before its recordings: compare A… -- B…"),
        (&["compare", "--paired", &a, &a, "--", &a], 2, "--paired needs as many recordings of A as of B, not 2 and 1"),
        (&["compare", "--run", "-n", "5"], 2, "--run takes options of `measure` for both sides"),
        (&["compare", "--run", "-n", "x", "--", "-n", "5"], 2, "side A: invalid value 'x'"),
        (&["compare", &a, "/nowhere/b.arrows"], 3, "cannot read /nowhere/b.arrows"),
        (&["compare", "--fail-if", "p50", &a, &a], 2, "'p50' is not a check of a shift"),
        (&["compare", "--fail-if", "p50>1us", &a, &a], 2, "limits no difference without a sign: write p50>+1us"),
        (
            &["compare", &a, "--", &a, "--json"],
            2,
            "--json is after --, where only recordings of side B are named; put options",
        ),
        (&["compare", &a, "--", &a, "--fail-if", "p50>+1%"], 2, "--fail-if is after --"),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(text) && ran.err.lines().count() == 1, "{arguments:?}: {}", ran.err);
    }
}

/// A page of sides that were measured shows the table and the first recordings of each.
#[test]
fn a_page_of_measured_sides_has_the_comparison_and_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let page = name(folder.path(), "x.html");
    let sides = ["-r", "100us", "-n", "20", "--", "-r", "100us", "-n", "20"];
    let ran = run(&[&["compare", "-q", "-d", "100ms", "-o", &page, "--run"][..], &sides].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let page = std::fs::read_to_string(&page).unwrap();
    for shown in ["A-1.arrows", "A-4.arrows", "B-4.arrows", "runs differ by"] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(!page.contains("A-5.arrows"));
}

/// The reason is one line of standard error: which rows are paired, and what each side has.
#[test]
fn sides_without_a_common_row_say_what_each_has() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (
        simulated(folder.path(), "a.arrows", &["-m", "nanosleep,select", "-r", "1ms,2ms"]),
        simulated(folder.path(), "b.arrows", &["-m", "poll,usleep", "-r", "3ms,5ms"]),
    );
    let ran = run(&["compare", &a, &b]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{}", ran.err);
    let has = "A has nanosleep 1.00 ms; nanosleep 2.00 ms; select 1.00 ms and 1 more, and B has poll 3.00 ms; ";
    assert!(
        ran.err.contains("is paired with the row of B that has the same method, request and conditions"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains(has), "{}", ran.err);
    assert!(!ran.out.contains("shift: how much"), "{}", ran.out);
}

/// One run named several times is not several runs that agree, under whatever names.
#[test]
fn a_recording_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (
        simulated(folder.path(), "a.arrows", &["--seed", "1"]),
        simulated(folder.path(), "b.arrows", &["--seed", "2"]),
    );
    let (copy, page) = (name(folder.path(), "copy.arrows"), name(folder.path(), "page.html"));
    std::fs::copy(&a, &copy).unwrap();
    for (arguments, text) in [
        (&["compare", &a, &a, "--", &b, &b][..], format!("{a} is given twice; each recording counts once")),
        (&["compare", &a, &a], format!("{a} is given twice; each recording counts once")),
        (&["compare", &a, "--", &b, &copy], format!("{a} and {copy} hold the same recording")),
        (&["report", "--markdown", &a, &b, &copy], format!("{a} and {copy} hold the same recording")),
        (&["report", "--out", &page, &a, &a], format!("{a} is given twice; each recording counts once")),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.err.lines().count(), ran.out.as_str()), (Some(2), 1, ""), "{}", ran.err);
        assert!(ran.err.contains(&text), "{}", ran.err);
    }
    assert!(!std::path::Path::new(&page).exists());
    for command in ["compare", "report"] {
        assert_eq!(run(&[command, &a, &b]).code, Some(0));
    }
    // The figures of the first are shown before the second is read.
    let ran = run(&["report", &a, &copy]);
    assert_eq!((ran.code, ran.out.contains("copy.arrows")), (Some(2), true), "{}", ran.err);
    assert!(ran.err.contains("hold the same recording; each recording counts once"), "{}", ran.err);
}

/// Measures a program that reports sleeps of 1 ms which end this much late, in ns; returns the recording's path.
fn of_a_program(folder: &std::path::Path, file: &str, version: &str, late: u32) -> String {
    let path = name(folder, file);
    let program = format!(
        "echo '# oversleep-probe 1 clock=own runtime={version}'; t=0; while read -r r n; do if [ $r = anchor ]; then echo \
         '# anchor 0'; continue; fi; i=0; while [ $i -lt $n ]; do echo $r,$t,$((t+=r+{late}+i)); i=$((i+1)); done; echo; done"
    );
    let ran = run(&["measure", "-q", "--command", &program, "-r", "1ms", "-n", "20", "--out", &path]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    path
}

/// Programs' times are as they print them, so that the differences are exact.
#[test]
fn programs_are_compared_as_methods_are_and_their_versions_are_facts() {
    let folder = tempfile::tempdir().unwrap();
    let side = |letter: &str, version: &str, late: u32| -> Vec<String> {
        (0..4)
            .map(|run| of_a_program(folder.path(), &format!("{letter}{run}.arrows"), version, late + 1_000 * run))
            .collect()
    };
    let (a, b) = (side("a", "Some language 1.2", 5_000), side("b", "Some language 1.3", 505_000));
    let words = |files: &[String]| files.join(" ");
    let arguments = format!("compare --json --fail-if p50>+400us {} -- {}", words(&a), words(&b));
    let ran = run(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let cell = &document["cells"][0];
    assert_eq!((&cell["a"]["method"], &cell["n_a"], &cell["n_b"]), (&Value::from("echo"), &80.into(), &80.into()));
    assert_eq!((&cell["shifts"][0]["size_ns"], &cell["shifts"][0]["verdict"]), (&500_000.0.into(), &"later".into()));
    let fact = document["differences"].as_array().unwrap().iter().find(|fact| fact["fact"] == "/runtime/echo");
    let fact = fact.unwrap_or_else(|| panic!("{}", document["differences"]));
    assert_eq!((&fact["a"][0], &fact["b"][0]), (&"Some language 1.2".into(), &"Some language 1.3".into()));
    let same = run(&["compare", "--json", &a[0], &a[1]]);
    let document: Value = serde_json::from_str(&same.out).unwrap();
    assert!(document["differences"].as_array().unwrap().iter().all(|fact| fact["fact"] != "/runtime/echo"));
}

/// Recordings of `runtimes` are compared in the cells that both have: APIs and their primitives.
#[test]
fn recordings_of_runtimes_are_compared_api_by_api() {
    if std::process::Command::new("perl").arg("--version").output().is_err() {
        return println!("skipped: perl is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let of = |file: &str, only: &str| {
        let path = name(folder.path(), file);
        let ran = run(&["runtimes", "-q", "--only", only, "-r", "1ms", "-n", "12", "--out", &path]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        path
    };
    let (one, both) = (of("one.arrows", "perl-usleep"), of("both.arrows", "perl-usleep,perl-select"));
    let ran = run(&["compare", "--json", &one, &both]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let methods = |list: &str, of: &str| -> Vec<String> {
        let cells = document[list].as_array().unwrap().iter();
        cells
            .map(|cell| if of.is_empty() { &cell["method"] } else { &cell[of]["method"] }.as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(methods("cells", "a"), ["perl-usleep", "clock-nanosleep"]);
    assert_eq!(document["cells"][0]["n_a"], 12);
    assert!(methods("only_a", "").is_empty() && methods("only_b", "").contains(&"perl-select".to_owned()));
}

/// Returns the path of another program's file.
fn foreign(file: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../oversleep-lab/tests/data/imports");
    name(&folder, file)
}

#[test]
fn other_programs_counts_are_compared_and_drawn() {
    let (json, text) = (foreign("cyclictest-2.4-hist100-us.json"), foreign("cyclictest-2.4-h100.txt"));
    // The same run in two forms: every thread has its counterpart, and nothing differs by more than the buckets hide.
    let ran = run(&["compare", &json, &text]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text_of = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text_of.contains("| B cyclictest thread 1 · oversleep · 2000 and 2000 values"), "{}", ran.out);
    let open = "Undecided: the bounds of p50 overlap, so these two files may not differ at all.";
    assert_eq!(text_of.matches(open).count(), 2, "{}", ran.out);
    assert!(!text_of.contains("only in"), "{}", ran.out);
    // The largest value is judged as it is.
    assert_eq!(run(&["compare", "--fail-if", "max>+1ms", &json, &text]).code, Some(0));
    let limit = run(&["compare", "--fail-if", "max<+1ms", &json, &text]);
    assert_eq!(limit.code, Some(1), "{}", limit.err);
    assert!(limit.err.contains("by the values alone"), "{}", limit.err);
    let folder = tempfile::tempdir().unwrap();
    let svg = name(folder.path(), "x.svg");
    let drawn = run(&["report", &json, "-o", &svg]);
    assert_eq!(drawn.code, Some(0), "{}", drawn.err);
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.contains("cyclictest thread 0") && svg.contains("cyclictest thread 1"), "{svg}");
    let none = run(&["report", &foreign("cyclictest-2.10-nohist.json"), "--plot", "distribution"]);
    assert_eq!(none.code, Some(3));
    assert!(none.err.contains("the file has extremes and a mean, but no buckets"), "{}", none.err);
}

#[test]
fn a_side_that_did_not_obtain_its_conditions_fails_checks() {
    let sides = ["--run", "-a", "1023", "-n", "5", "--", "-n", "5"];
    let ran = run(&[&["compare", "-q", "-d", "1ms"][..], &sides].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("WARNING: side A: affinity refused (CPU 1023 is not there"), "{}", ran.err);
    let ran = run(&[&["compare", "-q", "-d", "1ms", "--fail-if", "p50>+1000%"][..], &sides].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("check failed: side A: affinity refused"), "{}", ran.err);
}

/// What is exported in the form of cyclictest is the same rows again, under the conditions that were asked for.
#[test]
fn an_export_for_readers_of_cyclictest_pairs_with_its_recording() {
    let folder = tempfile::tempdir().unwrap();
    let (recording, export) = (name(folder.path(), "a.arrows"), name(folder.path(), "a.json"));
    let asked = ["-m", "nanosleep,select", "-r", "50us,80us", "-n", "20", "--policy", "batch", "--threads", "2"];
    let ran = run(&[&["measure", "-q", "--out", &recording][..], &asked].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = run(&["export", "-f", "cyclictest", &recording, "-o", &export]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = run(&["compare", "--json", &recording, "--", &export]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let compared: Value = serde_json::from_str(&ran.out).unwrap();
    let cells = compared["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 8, "{compared:#}");
    for cell in cells {
        for key in ["method", "requested_ns"] {
            assert_eq!(cell["a"][key], cell["b"][key], "{cell:#}");
        }
        assert_eq!(cell["b"]["conditions"]["policy"]["name"], "batch", "{cell:#}");
    }
}
