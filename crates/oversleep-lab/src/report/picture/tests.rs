use super::{Plot, Subject, svg, text};
use crate::report::Screen;
use oversleep_recording::document::{DriftLine, Measured, PageCell, PageRecording};
use oversleep_recording::machine::Machine;
use oversleep_recording::{Origin, Sample};
use oversleep_sys::units::Nanos;

const HOSTILE: &str = "</svg><script>alert(1)</script>&\u{7}";

fn measured() -> Measured {
    Measured {
        format: Measured::FORMAT,
        tool: "test".into(),
        experiment: "measure".into(),
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
        traces: Vec::new(),
        clocks: None,
        drift: vec![DriftLine { clock: HOSTILE.into(), points }],
        samples: None,
    }
}

#[test]
fn texts_of_a_recording_are_no_markup() {
    let recording = recording();
    let subject = Subject { recording: &recording, samples: &[], origins: &[] };
    let svg = svg(Plot::Drift, &subject).expect("a drift");
    assert!(!svg.contains("<script") && svg.matches("</svg>").count() == 1 && !svg.contains('\u{7}'), "{svg}");
    assert!(svg.contains("<polyline"), "{svg}");
}

#[test]
fn what_makes_figures_doubtful_stands_below_the_title() {
    let warnings = vec!["WARNING: 24 threads ran on 2 processors".into()];
    let recording = PageRecording { headline: "Clocks drift.".into(), warnings, ..recording() };
    let svg = svg(Plot::Drift, &Subject { recording: &recording, samples: &[], origins: &[] }).expect("a drift");
    let heads: Vec<&str> = svg.lines().filter(|line| line.contains("class=\"head\"")).collect();
    assert_eq!(heads.len(), 2, "{svg}");
    assert!(heads[0].contains("Clocks drift.") && heads[1].contains("24 threads ran"), "{heads:?}");
}

#[test]
fn a_line_in_the_terminal_climbs() {
    let recording = PageRecording { headline: "Clocks drift.".into(), ..recording() };
    let subject = Subject { recording: &recording, samples: &[], origins: &[] };
    let text = text(Plot::Drift, &subject, Screen { width: 60, colour: false }).expect("a drift");
    let plotted: Vec<&str> = text.lines().filter_map(|line| line.split_once('│').map(|(_, row)| row)).collect();
    assert_eq!(plotted.len(), 18);
    let first_dot = |row: &str| row.chars().position(|c| c != '⠀');
    let top = plotted.iter().position(|row| !row.is_empty()).expect("dots");
    let bottom = plotted.iter().rposition(|row| !row.is_empty()).expect("dots");
    assert!(first_dot(plotted[top]) > first_dot(plotted[bottom]), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
}

#[test]
fn what_is_not_there_is_said() {
    let recording = PageRecording { drift: Vec::new(), ..recording() };
    let subject = Subject { recording: &recording, samples: &[Sample::BLANK], origins: &[] };
    for plot in [Plot::Time, Plot::Request, Plot::Distribution, Plot::Ranking, Plot::Drift, Plot::Breakdown] {
        assert!(svg(plot, &subject).is_err(), "{plot:?}");
    }
}
