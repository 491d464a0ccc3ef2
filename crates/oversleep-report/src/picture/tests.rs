use super::{Plot, Subject, chart_text, plots, svg, text};
use crate::Screen;
use crate::html::Selection;
use oversleep_recording::document::{
    Chart, ChartAxis, ChartMark, ChartSeries, DriftLine, Measured, PageCell, PageCounts, PageRecording,
};
use oversleep_recording::machine::Machine;
use oversleep_recording::plan::Kind;
use oversleep_recording::{Origin, Quantity, Sample};
use oversleep_sys::units::Nanos;

const HOSTILE: &str = "</svg><script>alert(1)</script>&\u{7}";

fn measured() -> Measured {
    Measured {
        format: Measured::FORMAT,
        tool: "test".into(),
        kind: Kind::Measure,
        origin: Origin::Live,
        started: None,
        ended: None,
        machine: Machine::default(),
        cells: Vec::new(),
        distributions: Vec::new(),
        conventions: Vec::new(),
        lost: 0,
        unsound: Vec::new(),
        unavailable: Vec::new(),
        late: None,
        stalls: None,
        attached: None,
        loops: Vec::new(),
        told: Vec::new(),
    }
}

fn recording() -> PageRecording {
    let points =
        vec![(Nanos::ZERO, Nanos::ZERO), (Nanos::SECOND, Nanos::new(500)), (Nanos::from_secs(2), Nanos::new(900))];
    PageRecording {
        name: "a.arrows".into(),
        headline: HOSTILE.into(),
        advice: None,
        warnings: Vec::new(),
        repeat: None,
        measured: measured(),
        explained: None,
        cells: Vec::<PageCell>::new(),
        series: Vec::new(),
        counts: Vec::new(),
        traces: Vec::new(),
        clocks: None,
        drift: vec![DriftLine { clock: HOSTILE.into(), points }],
        predicted: Vec::new(),
        samples: None,
        shifts: Vec::new(),
    }
}

fn subject_of<'a>(recording: &'a PageRecording, samples: &'a [Sample]) -> Subject<'a> {
    Subject { recording, samples, selection: Selection::ALL, origins: &[] }
}

#[test]
fn texts_of_a_recording_are_no_markup() {
    let recording = recording();
    let subject = subject_of(&recording, &[]);
    let svg = svg(Plot::Drift, &subject).expect("a drift");
    assert!(!svg.contains("<script") && svg.matches("</svg>").count() == 1 && !svg.contains('\u{7}'), "{svg}");
    assert!(svg.contains("<polyline"), "{svg}");
}

#[test]
fn what_makes_figures_doubtful_stands_below_the_title() {
    let warnings = vec!["WARNING: 24 threads ran on 2 processors".into()];
    let recording = PageRecording { headline: "Clocks drift.".into(), warnings, ..recording() };
    let svg = svg(Plot::Drift, &subject_of(&recording, &[])).expect("a drift");
    let heads: Vec<&str> = svg.lines().filter(|line| line.contains("class=\"head\"")).collect();
    assert_eq!(heads.len(), 2, "{svg}");
    assert!(heads[0].contains("Clocks drift.") && heads[1].contains("24 threads ran"), "{heads:?}");
}

#[test]
fn where_and_when_it_was_measured_stands_small_below_the_title() {
    let mut recording = PageRecording { headline: "Clocks drift.".into(), ..recording() };
    let machine = &mut recording.measured.machine;
    (machine.system, machine.release, machine.architecture) = ("Linux".into(), "6.1".into(), HOSTILE.into());
    (machine.processor.online, machine.processor.model) = (vec![0, 1], Some("Model 3".into()));
    recording.measured.started = Some("2026-11-27T10:14:44Z".into());
    let svg = svg(Plot::Drift, &subject_of(&recording, &[])).expect("a drift");
    let texts: Vec<&str> = svg.lines().filter(|line| line.starts_with("<text")).collect();
    assert!(texts[0].contains("Clocks drift.") && texts[1].starts_with("<text class=\"quiet\""), "{texts:?}");
    let small = texts[1..3].concat();
    for part in ["Linux 6.1", "2 processors (Model 3)", "2026-11-27", "10:14:44 UTC"] {
        assert!(small.contains(part), "{part}: {small}");
    }
    assert!(!svg.contains("<script"), "{svg}");
}

/// Lines without a label are minor ones, because no value can be read from them.
#[test]
fn grid_lines_without_a_label_are_minor() {
    let counts = PageCounts { buckets_ns: vec![(US(20), US(700), 100)], ..counts("a") };
    let recording = PageRecording { headline: "Counts.".into(), counts: vec![counts], ..recording() };
    let svg = svg(Plot::Distribution, &subject_of(&recording, &[])).expect("counts");
    let count = |class: &str| svg.matches(&format!("<line class=\"{class}\"")).count();
    let labels = svg.matches("text-anchor=\"middle\">").count() + svg.matches("text-anchor=\"end\">").count();
    // Two of the texts are the axes' titles.
    assert_eq!(count("grid"), labels - 2, "{svg}");
    assert!(count("grid") >= 6 && count("minor") > 0, "{svg}");
}

#[test]
fn a_line_in_the_terminal_climbs() {
    let recording = PageRecording { headline: "Clocks drift.".into(), ..recording() };
    let subject = subject_of(&recording, &[]);
    let text = text(Plot::Drift, &subject, Screen { width: 60, colour: false }).expect("a drift");
    let plotted: Vec<&str> = text.lines().filter_map(|line| line.split_once('│').map(|(_, row)| row)).collect();
    assert_eq!(plotted.len(), 18);
    let first_dot = |row: &str| row.chars().position(|c| c != '⠀');
    let top = plotted.iter().position(|row| !row.is_empty()).expect("dots");
    let bottom = plotted.iter().rposition(|row| !row.is_empty()).expect("dots");
    assert!(first_dot(plotted[top]) > first_dot(plotted[bottom]), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
}

/// Returns a chart of a rising and a falling line, and of a line to compare them with.
fn crossing() -> Chart {
    let series =
        |name: &str, mark, from, to| ChartSeries { name: name.into(), mark, points: vec![(0.0, from), (10.0, to)] };
    Chart {
        title: "Lines".into(),
        x: ChartAxis::seconds("time", 0.0, 10.0),
        y: ChartAxis::times("oversleep", 0.0, 3e6),
        series: vec![
            series("up and\u{7} up", ChartMark::Line, 0.1e6, 2.9e6),
            series("down", ChartMark::Dashed, 2.9e6, 0.1e6),
            series("asked", ChartMark::Guide, 1e6, 1e6),
        ],
    }
}

#[test]
fn several_series_in_the_terminal_have_a_legend() {
    let text = chart_text(&crossing(), Screen { width: 60, colour: false });
    assert_eq!(text.lines().last(), Some("o up and  up   + down   · asked"), "{text}");
    let rows: Vec<&str> = text.lines().filter_map(|line| line.split_once('│').map(|(_, row)| row)).collect();
    let (top, bottom) = (rows[0], rows[rows.len() - 1]);
    assert!(top.starts_with('+') && top.ends_with('o'), "{text}");
    assert!(bottom.starts_with('o') && bottom.ends_with('+'), "{text}");
    assert!(rows.iter().any(|row| row.contains("···")), "{text}");
    let narrow = chart_text(&crossing(), Screen { width: 40, colour: false });
    assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
}

#[test]
fn colours_tell_series_apart_where_there_are_colours() {
    let text = chart_text(&crossing(), Screen { width: 60, colour: true });
    let legend = text.lines().last().expect("a legend");
    assert_eq!(legend, "\u{1b}[94m⣿\u{1b}[0m up and  up   \u{1b}[31m⣿\u{1b}[0m down   \u{1b}[2m⣿\u{1b}[0m asked");
    assert!(text.contains("│\u{1b}[31m⢄") && !text.contains('+'), "{text}");
    let mut alone = crossing();
    alone.series.truncate(1);
    let text = chart_text(&alone, Screen { width: 60, colour: false });
    assert_eq!(text.lines().last(), Some("⣿ up and  up"), "{text}");
    assert!(text.contains('⠁') || text.contains('⠉'), "{text}");
}

const US: fn(i64) -> Nanos = Nanos::from_micros;

/// Returns counts from 0 to 2 µs, and from 4 to 5 µs.
fn counts(label: &str) -> PageCounts {
    let bucket = |from: i64, count| (US(from), US(from + 1) - Nanos::new(1), count);
    PageCounts {
        label: label.into(),
        quantity: Quantity::Oversleep,
        buckets_ns: vec![bucket(0, 10), bucket(1, 1_000), bucket(4, 1)],
    }
}

#[test]
fn counts_are_drawn_in_their_own_buckets() {
    let recording = PageRecording { headline: "Counts.".into(), counts: vec![counts("thread 0")], ..recording() };
    let figure = plots::distribution(&subject_of(&recording, &[])).expect("counts");
    let outline = [(100.0, 0.5), (100.0, 10.0), (1e3, 10.0), (1e3, 1e3), (2e3, 1e3), (2e3, 0.5)];
    let island = [(4e3, 0.5), (4e3, 1.0), (5e3, 1.0), (5e3, 0.5)];
    assert_eq!(figure.layers.len(), 1);
    assert_eq!(figure.layers[0].values(), [&outline[..], &island].concat());
    assert_eq!(Plot::best(&recording), Plot::Distribution);
    let picture = |n: usize| {
        let counts = (0..n).map(|thread| counts(&format!("thread {thread}"))).collect();
        let recording = PageRecording { counts, ..recording.clone() };
        svg(Plot::Distribution, &subject_of(&recording, &[])).expect("counts")
    };
    assert!(picture(2).contains("thread 0") && picture(2).contains("thread 1"));
    assert!(!picture(20).contains("thread"), "more lines than colours are drawn as one");
}

#[test]
fn what_is_not_there_is_said() {
    let recording = PageRecording { drift: Vec::new(), ..recording() };
    let subject = subject_of(&recording, &[Sample::BLANK]);
    for (name, plot) in Plot::ALL {
        assert!(svg(plot, &subject).is_err(), "{name}");
    }
    let recording = PageRecording { counts: vec![PageCounts { buckets_ns: Vec::new(), ..counts("a") }], ..recording };
    let subject = subject_of(&recording, &[]);
    let why = |plot| svg(plot, &subject).expect_err("no picture");
    assert_eq!(why(Plot::Distribution), "the file has extremes and a mean, but no buckets");
    let elsewhere = "the file has counts in buckets and no samples; --plot distribution draws them";
    assert_eq!([why(Plot::Time), why(Plot::Request), why(Plot::Ranking)], [elsewhere; 3]);
}
