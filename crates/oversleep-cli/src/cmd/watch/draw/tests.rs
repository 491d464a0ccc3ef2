use super::{broken, draw, text};
use crate::cmd::watch::replay::Replay;
use crate::cmd::watch::screen::{SampleSource, Shown, View};
use oversleep_lab::report::live::Live;
use oversleep_lab::session::{MeasureRequest, plan};
use oversleep_recording::Recording;
use oversleep_recording::plan::{Conditions, Kind, Pattern};
use oversleep_sim::{Kernel, Simulation, meta};
use oversleep_sys::units::Nanos;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

/// Returns a simulated recording, which is the same every time.
fn recording(preset: &str, request: &MeasureRequest) -> Recording {
    let kernel = Kernel::preset(preset).expect("a preset");
    let plan = plan(request).expect("a plan");
    let mut recording = Recording::new(meta(&kernel, &plan));
    Simulation::new(&kernel, &plan, plan.seed).run(&mut recording);
    recording
}

fn two_methods() -> MeasureRequest {
    let ms = |ms| Pattern::fixed(Nanos::from_millis(ms));
    MeasureRequest {
        methods: vec!["usleep".to_owned(), "select".to_owned()],
        requests: vec![ms(1), ms(5)],
        repeats: Some(2_000),
        ..MeasureRequest::default()
    }
}

/// Returns what the screen shows once `after` of a recording has been replayed.
fn shown(recording: Recording, after: Nanos, size: (u16, u16), view: &View) -> String {
    shown_on_late(recording, after, size, view, None)
}

fn shown_on_late(recording: Recording, after: Nanos, size: (u16, u16), view: &View, on_late: Option<Nanos>) -> String {
    let mut replay = Replay::new(recording);
    let mut live = Live::new(replay.meta());
    replay.advance_to(&mut live, after);
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).expect("a terminal in memory");
    let shown = Shown { colour: false, live: false, on_late };
    terminal.draw(|frame| draw(frame, &live, view, shown)).expect("a picture");
    text(terminal.backend().buffer())
}

fn same(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn a_recording_at_two_sizes() {
    for size in [(80, 24), (120, 40)] {
        let picture =
            shown(recording("linux-2.6-hrtimer", &two_methods()), Nanos::from_secs(20), size, &View::default());
        same(&format!("watch-{}x{}", size.0, size.1), &picture);
    }
}

/// A name that is longer than the screen allows costs columns, and then its end; no row is wider than the screen.
#[test]
fn rows_lose_whole_columns_and_nothing_is_cut_off() {
    let request = MeasureRequest {
        methods: vec!["clock-nanosleep-abs".to_owned()],
        conditions: [Nanos::MICROSECOND, Nanos::from_millis(2)]
            .map(|slack| Conditions { timer_slack: Some(slack), ..Conditions::default() })
            .iter()
            .collect(),
        repeats: Some(500),
        ..MeasureRequest::default()
    };
    for size in [(80, 24), (60, 24)] {
        let picture = shown_on_late(
            recording("linux-2.6-hrtimer", &request),
            Nanos::from_secs(20),
            size,
            &View::default(),
            Some(Nanos::MILLISECOND),
        );
        same(&format!("watch-conditions-{}x{}", size.0, size.1), &picture);
    }
}

#[test]
fn a_schedule_that_skips_and_a_kernel_that_wakes_early() {
    let schedule = MeasureRequest {
        experiment: Some(Kind::Periodic),
        period: Some(Nanos::from_millis(5)),
        repeats: Some(3_000),
        ..MeasureRequest::default()
    };
    let view = View { paused: true, zoom: 1, ..View::default() };
    same("watch-schedule", &shown(recording("openbsd", &schedule), Nanos::from_secs(12), (80, 24), &view));
    let early = MeasureRequest { methods: vec!["sleep".to_owned()], repeats: Some(400), ..MeasureRequest::default() };
    same(
        "watch-early",
        &shown(recording("windows-nt-15.6ms", &early), Nanos::from_secs(60), (80, 24), &View::default()),
    );
}

#[test]
fn nothing_is_drawn_outside_of_a_small_window_and_nothing_panics() {
    for size in [(1, 1), (10, 3), (20, 8), (40, 12), (300, 90)] {
        for after in [Nanos::ZERO, Nanos::from_secs(5)] {
            let picture =
                shown(recording("freebsd-4.9", &two_methods()), after, size, &View { scrolled: 9, ..View::default() });
            assert_eq!(picture.lines().count(), usize::from(size.1));
            assert!(picture.lines().all(|line| line.chars().count() <= usize::from(size.0)), "{picture}");
        }
    }
}

#[test]
fn long_causes_are_broken_and_end_with_an_ellipsis() {
    assert_eq!(broken("one two three", 40), ["one two three"]);
    assert_eq!(broken("one two three", 8), ["one two", "three"]);
    assert_eq!(broken("one two three four five six", 5), ["one", "two", "thre…"]);
}
