//! `report --out`: pages, plots and Markdown.

use crate::support::{name, recording, run};
use std::fs;

#[test]
fn a_page_is_one_file_with_document_and_samples() {
    let folder = tempfile::tempdir().unwrap();
    let file = recording(folder.path()).display().to_string();
    let page = name(folder.path(), "page.html");
    let ran = run(&["report", &file, "--out", &page]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert_eq!(ran.err, format!("the page is {page}\n"));
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(html.contains("id=\"samples-0\"") && html.contains("\"count\":40"), "no samples");
    assert!(!html.contains("src=\"http") && !html.contains("@import"), "it asks for something");
    // The page is replaced only when that is asked for, and no temporary file is left beside it.
    let ran = run(&["report", &file, "-o", &page]);
    let exists =
        format!("oversleep: {page} exists already; name another file with --out, or replace it with --force\n");
    assert_eq!((ran.code, ran.err), (Some(3), exists));
    assert_eq!(run(&["report", &file, "-o", &page, "--force"]).code, Some(0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn several_recordings_are_one_page_and_texts_stay_texts() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first.csv", "second.csv"].map(|table| name(folder.path(), table));
    let hostile = "</script><script>alert(1)</script>";
    for (table, end) in [(&first, 1_058_000), (&second, 1_059_000)] {
        fs::write(table, format!("method,requested_ns,start_ns,end_ns\n{hostile},1000000,0,{end}\n")).unwrap();
    }
    let page = name(folder.path(), "page.html");
    let ran = run(&["report", &first, &second, "-o", &page]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("id=\"samples-1\"") && !html.contains(hostile), "{html}");
}

#[test]
fn what_cannot_be_a_page_is_said_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = recording(folder.path()).display().to_string();
    let out = name(folder.path(), "page.xyz");
    for (words, why) in [
        (vec!["report", &file, "-o", &out], "has to end in .html, .svg, .png or .md"),
        (vec!["report", &file, "-o", "page.html", "--plot", "time"], "asks for another form"),
        (vec!["report", &file, &file, "--plot", "time"], "a plot shows one recording"),
        (vec!["report", &file, "-o", "page.html", "--json"], "cannot be used with"),
        (vec!["report", &file, "-o", "page.html", "--fail-if", "p99>1s"], "cannot be used with"),
        (
            vec!["report", &file, &file, "--json"],
            "--json shows one recording, and 2 are named; -o FILE.html shows several",
        ),
    ] {
        let ran = run(&words);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(why) && ran.err.lines().count() == 1, "{}", ran.err);
    }
    let missing = name(folder.path(), "missing/page.html");
    let ran = run(&["report", &file, "-o", &missing]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("cannot write") && ran.err.lines().count() == 1, "{}", ran.err);
}

#[test]
fn plots_and_markdown_are_written_by_the_ending_or_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = recording(folder.path()).display().to_string();
    for plot in ["time", "distribution", "ranking", "breakdown"] {
        let out = name(folder.path(), &format!("{plot}.svg"));
        let ran = run(&["report", &file, "-o", &out, "--plot", plot]);
        assert_eq!(ran.code, Some(0), "{plot}: {}", ran.err);
        let svg = fs::read_to_string(&out).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("<title "), "{plot}: {svg}");
        assert!(svg.contains("prefers-color-scheme") && svg.contains("role=\"img\""));
        let shown = run(&["report", &file, "--plot", plot]);
        assert!(shown.code == Some(0) && shown.out.lines().count() > 1, "{plot}: {}", shown.err);
    }
    for (plot, why) in [
        ("request", "every sleep asked for the same"),
        ("load", "every sleep had the same load (no busy threads); `oversleep measure --load 0,2` measures several"),
    ] {
        let none = run(&["report", &file, "--plot", plot]);
        assert_eq!((none.code, none.err), (Some(3), format!("oversleep: there is nothing to plot: {why}\n")));
    }
    let shown = run(&["report", &file, "--markdown"]);
    let out = name(folder.path(), "report.md");
    assert_eq!(run(&["report", &file, "-o", &out]).code, Some(0));
    assert_eq!(fs::read_to_string(&out).unwrap(), shown.out);
    assert!(
        shown.out.starts_with("**") && shown.out.contains("| command | `oversleep measure --method nanosleep"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("| nanosleep 100 µs | 40 |"), "{}", shown.out);
    let seconds = name(folder.path(), "seconds.arrows");
    let simulated = ["simulate", "linux-2.4", "-e", "wall-second", "-n", "9", "-q", "--out", &seconds];
    assert_eq!(run(&simulated).code, Some(0));
    let shown = run(&["report", &seconds, "--markdown"]);
    assert!(shown.out.contains(", wall-second, complete |"), "{}", shown.out);
}

/// A sweep is read by request, whatever its medians, and no row of it is left out.
#[test]
fn markdown_of_a_sweep_has_all_rows_as_planned() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = name(folder.path(), "sweep.arrows");
    assert_eq!(run(&["simulate", "linux-2.4", "-e", "sweep", "-n", "2", "-q", "--out", &sweep]).code, Some(0));
    let shown = run(&["report", &sweep, "--markdown"]).out;
    let rows: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("| usleep ")?.split(" |").next()).collect();
    assert_eq!(rows[..4], ["1 µs", "2 µs", "5 µs", "10 µs"], "{shown}");
    assert!(
        rows.len() > 15 && rows.last().is_some_and(|last| last.ends_with(" s")) && !shown.contains(" more."),
        "{shown}"
    );
}

/// A picture that is passed on says where and under which conditions it was measured.
#[test]
fn pictures_name_the_system_and_the_conditions() {
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "slack.arrows");
    assert_eq!(run(&["simulate", "linux-2.4", "--slack", "1ns", "-n", "20", "-q", "--out", &file]).code, Some(0));
    for plot in ["time", "ranking"] {
        let out = name(folder.path(), &format!("{plot}.svg"));
        assert_eq!(run(&["report", &file, "-o", &out, "--plot", plot]).code, Some(0));
        let svg = fs::read_to_string(&out).unwrap();
        assert!(svg.contains(">simulated kernel linux-2.4; slack 1 ns</text>"), "{plot}: {svg}");
    }
}

/// The page's script draws the series that its document names.
#[test]
fn a_page_has_the_colours_of_the_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let [table, page, picture] = ["methods.csv", "page.html", "picture.svg"].map(|file| name(folder.path(), file));
    let row =
        |n: u64| format!("nap-{},1000000,{},{}\n", n % 8, n * 2_000_000, n * 2_000_000 + 1_060_000 + n % 8 * 9_000);
    let rows: String = (0..200).map(row).collect();
    fs::write(&table, format!("method,requested_ns,start_ns,end_ns\n{rows}")).unwrap();
    for (out, plot) in [(&page, None), (&picture, Some("--plot=distribution"))] {
        let ran = run(&["report", &table, "-o", out].into_iter().chain(plot).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    let html = fs::read_to_string(&page).unwrap();
    let (_, document) = html.split_once("id=\"document\">").unwrap();
    let document: serde_json::Value = serde_json::from_str(document.split_once("</script>").unwrap().0).unwrap();
    let recording = &document["recordings"][0];
    let series: Vec<_> = recording["series"].as_array().unwrap().iter().collect();
    let names: Vec<&str> = series.iter().map(|series| series["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["3 other methods", "nap-7", "nap-6", "nap-5", "nap-4", "nap-3"]);
    assert_eq!(series.iter().map(|series| series["colour"].as_u64().unwrap()).collect::<Vec<_>>(), [7, 0, 1, 2, 3, 4]);
    let drawn = fs::read_to_string(&picture).unwrap();
    for series in series {
        assert!(drawn.contains(&format!(">{}<", series["name"].as_str().unwrap())), "{series}: {drawn}");
        for cell in series["cells"].as_array().unwrap() {
            let label = recording["cells"][usize::try_from(cell.as_u64().unwrap()).unwrap()]["label"].as_str().unwrap();
            assert_eq!(names.contains(&label), series["colour"] != 7, "{label}: {series}");
        }
    }
}

#[test]
fn groups_are_drawn_by_load_and_by_processor() {
    let folder = tempfile::tempdir().unwrap();
    let loads = name(folder.path(), "loads.arrows");
    let simulated = ["simulate", "windows-98", "-e", "load", "--load", "0,1,2", "-n", "20", "-q", "--out", &loads];
    assert_eq!(run(&simulated).code, Some(0));
    let table = name(folder.path(), "processors.csv");
    let row = |n: u64| format!("nap,{},1000000,{},{}\n", n % 3, n * 2_000_000, n * 2_000_000 + 1_060_000 + n % 7);
    fs::write(&table, format!("method,cpu,requested_ns,start_ns,end_ns\n{}", (0..60).map(row).collect::<String>()))
        .unwrap();
    for (plot, file, names) in [
        ("load", &loads, ["no busy threads", "1 busy thread", "2 busy threads"]),
        ("processors", &table, ["processor 0", "processor 1", "processor 2"]),
    ] {
        let shown = run(&["report", file, "--plot", plot]);
        assert_eq!(shown.code, Some(0), "{}", shown.err);
        let out = name(folder.path(), &format!("{plot}.svg"));
        assert_eq!(run(&["report", file, "-o", &out, "--plot", plot]).code, Some(0));
        let svg = fs::read_to_string(&out).unwrap();
        for group in names {
            assert!(shown.out.contains(group) && svg.contains(group), "{plot}, {group}: {}", shown.out);
        }
    }
}

/// Wake-ups alone hide the periods that were skipped.
#[test]
fn markdown_of_a_schedule_has_every_period_and_the_account() {
    let folder = tempfile::tempdir().unwrap();
    let path = crate::support::name(folder.path(), "schedule.arrows");
    let made = run(&["simulate", "freebsd-4.9", "-i", "15ms", "-n", "400", "-q", "--json"]);
    let ran = run(&["simulate", "freebsd-4.9", "-i", "15ms", "-n", "400", "-q", "-o", &path]);
    assert_eq!((made.code, ran.code), (Some(0), Some(0)), "{}", ran.err);
    let cell = &serde_json::from_str::<serde_json::Value>(&made.out).unwrap()["cells"][0];
    let text = run(&["report", "--markdown", &path]).out;
    let row = text.lines().find(|line| line.contains(", every period |")).unwrap_or_else(|| panic!("{text}"));
    assert!(row.contains(&format!(" | {} | ", cell["corrected"]["n"])), "{row}");
    let of = &cell["periods"];
    let account = format!(
        ": {} periods, {} woken in time, {} late, {} skipped.",
        of["asked"], of["fresh"], of["late"], of["skipped"]
    );
    assert!(text.contains(&account), "{account}: {text}");
}
