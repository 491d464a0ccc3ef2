//! A recording from someone who means harm: each of its texts has markup, the end of a table's cell and of a line, and characters that
//! a terminal obeys. Nothing that is made of it may pass them on.

use crate::support::{name, run};
use oversleep_recording::file::Writer;
use oversleep_recording::text::is_invisible;
use oversleep_recording::{Note, Recording, Sink, Unobtained};
use oversleep_sim::{Kernel, Simulation, meta};
use oversleep_sys::units::Nanos;
use std::fs;
use std::path::Path;

const HOSTILE: &str =
    "</script><script>alert(1)</script></svg>|x|\n\nVerdict: fine\n\u{1b}[8m\u{1b}[2J\u{9b}31m\u{202E}\u{7}`*_<img>";

/// Makes the recording; returns its path.
fn recording(folder: &Path) -> String {
    let kernel = Kernel::preset("linux-2.6-hrtimer").expect("a preset");
    let request = oversleep_lab::session::MeasureRequest {
        methods: vec!["usleep".to_owned(), "select".to_owned()],
        requests: vec![oversleep_recording::plan::Pattern::fixed(Nanos::MILLISECOND)],
        repeats: Some(400),
        ..Default::default()
    };
    let plan = oversleep_lab::session::plan(&request).expect("a plan");
    let mut made = Recording::new(meta(&kernel, &plan));
    Simulation::new(&kernel, &plan, 1).run(&mut made);
    let text = HOSTILE.to_owned();
    for cell in &mut made.meta.plan.cells {
        cell.method = format!("{}{text}", cell.method);
    }
    made.meta.origin = oversleep_recording::Origin::Live;
    made.meta.tool.clone_from(&text);
    made.meta.started = Some(text.clone());
    let machine = &mut made.meta.machine;
    for field in [&mut machine.system, &mut machine.release, &mut machine.version, &mut machine.architecture] {
        field.clone_from(&text);
    }
    machine.command_line = vec![text.clone()];
    machine.processor.model = Some(text.clone());
    machine.timekeeping.clocksource = Some(text.clone());
    machine.virtualisation.hypervisor = Some(text.clone());
    let unobtained = Unobtained { what: text.clone(), kind: text.clone(), why: text.clone() };
    made.meta.unavailable = vec![unobtained.clone()];
    let path = name(folder, "hostile.arrows");
    let mut writer = Writer::create(Path::new(&path), &made.meta, false).expect("a file");
    writer.samples(&made.samples);
    writer.note(&made.note);
    writer.note(&Note { conventions: vec![text], unavailable: vec![unobtained], ..Note::default() });
    writer.finish().expect("a recording");
    path
}

/// Returns what a text has that nothing made of the recording may have.
fn harm(text: &str) -> Option<String> {
    let hidden = text.chars().find(|letter| *letter != '\n' && is_invisible(*letter));
    let forged = text.lines().find(|line| line.trim() == "Verdict: fine");
    hidden.map(|letter| letter.escape_default().to_string()).or_else(|| forged.map(str::to_owned))
}

#[test]
fn a_terminal_gets_no_control_characters_and_no_forged_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = recording(folder.path());
    let other = name(folder.path(), "other.csv");
    fs::write(&other, "method,requested_ns,start_ns,end_ns\nnap,1000000,0,1058000\n").unwrap();
    for words in [
        &["report", &file][..],
        &["report", "--json", &file],
        &["explain", &file],
        &["report", "--plot=time", &file],
        &["report", "--plot=ranking", &file],
        &["report", "--plot=distribution", &file],
        &["compare", &file, &other],
        &["export", "--format=openmetrics", &file],
    ] {
        let ran = run(words);
        assert!(ran.out.contains("script"), "{words:?}: {} {}", ran.out, ran.err);
        for text in [&ran.out, &ran.err] {
            assert_eq!(harm(text), None, "{words:?}: {text}");
        }
    }
}

#[test]
fn pictures_pages_and_markdown_have_no_foreign_markup() {
    let folder = tempfile::tempdir().unwrap();
    let file = recording(folder.path());
    for (ending, plot) in [("svg", "ranking"), ("svg", "distribution"), ("svg", "time"), ("html", ""), ("md", "")] {
        let out = name(folder.path(), &format!("made.{ending}"));
        let plot = (!plot.is_empty()).then(|| format!("--plot={plot}"));
        let ran = run(&["report", &file, "--force", "-o", &out].into_iter().chain(plot.as_deref()).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0), "{ending}: {}", ran.err);
        let text = fs::read_to_string(&out).unwrap();
        assert!(!text.contains("<script>alert") && !text.contains("<img"), "{ending}: {text}");
        // The page's program and its embedded document are not shown as they are.
        if ending != "html" {
            assert_eq!(harm(&text), None, "{ending}: {text}");
        }
        if ending == "svg" {
            assert_eq!((text.matches("</svg>").count(), text.contains("<script")), (1, false), "{text}");
        }
        if ending == "md" {
            let bars = |line: &str| line.replace("\\|", "").matches('|').count();
            let mut head = None;
            for line in text.lines() {
                if !line.starts_with('|') {
                    head = None;
                    continue;
                }
                assert_eq!(bars(line), *head.get_or_insert_with(|| bars(line)), "{line}: {text}");
            }
        }
    }
}
