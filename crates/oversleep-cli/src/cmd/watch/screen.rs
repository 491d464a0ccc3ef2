//! The loop that draws the screen, four times a second unless it is paused, and after every key.

use super::draw;
use crate::failure::Failure;
use oversleep_lab::report::live::Live;
use oversleep_lab::session::Archive;
use oversleep_os::settings::{Guard, affinity, nice};
use oversleep_recording::Meta;
use oversleep_sys::units::Nanos;
use ratatui::backend::Backend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::{CompletedFrame, Terminal};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two drawings: few bytes for a slow connection, and few wake-ups during the sleeps.
const PAUSE: Duration = Duration::from_millis(250);

/// A source of samples: a measurement or a replay.
pub(super) trait SampleSource {
    /// Returns the facts known before the first sample.
    fn meta(&self) -> &Meta;
    /// Adds to `live` what has come since the last call; with `step`, only the next piece.
    fn advance(&mut self, live: &mut Live, step: bool);
    /// Tells the source that the view is paused.
    fn pause(&mut self) {}
    /// Returns whether nothing more will come.
    fn over(&self) -> bool;
    /// Ends the source when the view ends.
    fn end(&mut self) {}
}

/// Fixed properties of the view.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) colour: bool,
    /// Whether a measurement is shown, rather than a replay.
    pub(super) live: bool,
    /// Oversleep above which sleeps are examined, if that was asked for.
    pub(super) on_late: Option<Nanos>,
}

/// The state of the view that keys change.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    pub(super) paused: bool,
    pub(super) over: bool,
    /// Time of a column: 2 to this power, in quarters of a second.
    pub(super) zoom: u32,
    /// Number of rows scrolled off the top.
    pub(super) scrolled: usize,
    /// Message about the last key, in place of the help line.
    pub(super) said: Option<String>,
}

/// Largest `zoom`: a column of 64 s.
const WIDEST: u32 = 8;

/// Draws until the user quits, or a signal has set `ended`.
pub(super) fn run(mut source: impl SampleSource, shown: Shown, ended: &AtomicBool) -> Result<(), Failure> {
    // This thread gets the lowest priority, where a thread can have one. The measuring threads were started before.
    let _ = nice::apply(19).map(Guard::keep);
    let mut terminal = ratatui::try_init().map_err(|error| Failure::trouble(format!("cannot draw: {error}")))?;
    let watched = watch(&mut terminal, &mut source, shown, ended);
    ratatui::restore();
    source.end();
    watched
}

fn watch<B: Backend>(
    terminal: &mut Terminal<B>,
    source: &mut impl SampleSource,
    shown: Shown,
    ended: &AtomicBool,
) -> Result<(), Failure>
where
    B::Error: std::fmt::Display,
{
    let mut live = Live::new(source.meta());
    let mut view = View::default();
    let events = events();
    let mut drawing_cpus = DrawingCpus::default();
    let mut drawn_at = None;
    loop {
        if view.paused {
            source.pause();
        } else {
            source.advance(&mut live, false);
        }
        if shown.live {
            drawing_cpus.leave(&live.take_processors());
        }
        view.over = source.over();
        // A view that is paused changes with the terminal's size alone.
        let size = terminal.size().ok();
        if !view.paused || size != drawn_at {
            draw(terminal, &live, &view, shown)?;
            drawn_at = size;
        }
        if ended.load(Ordering::Relaxed) {
            return Ok(());
        }
        let next = Instant::now() + PAUSE;
        while let Some(act) = next_act(&events, next)? {
            match act {
                KeyAction::Quit => return Ok(()),
                KeyAction::Pause => view.paused = !view.paused,
                KeyAction::Step => {
                    view.paused = true;
                    source.advance(&mut live, true);
                }
                KeyAction::Reset => live.reset(),
                // Nothing has changed since the last drawing, so this one draws what is shown.
                KeyAction::Save => view.said = Some(save(draw(terminal, &live, &view, shown)?.buffer)),
                KeyAction::Wider => view.zoom = (view.zoom + 1).min(WIDEST),
                KeyAction::Closer => view.zoom = view.zoom.saturating_sub(1),
                KeyAction::Up => view.scrolled = view.scrolled.saturating_sub(1),
                KeyAction::Down => view.scrolled = (view.scrolled + 1).min(live.rows().count().saturating_sub(1)),
            }
            if act != KeyAction::Save {
                view.said = None;
            }
            view.over = source.over();
            draw(terminal, &live, &view, shown)?;
        }
    }
}

/// Draws the screen; returns its contents.
fn draw<'a, B: Backend>(
    terminal: &'a mut Terminal<B>,
    live: &Live,
    view: &View,
    shown: Shown,
) -> Result<CompletedFrame<'a>, Failure>
where
    B::Error: std::fmt::Display,
{
    terminal
        .draw(|frame| draw::draw(frame, live, view, shown))
        .map_err(|error| Failure::trouble(format!("cannot draw: {error}")))
}

/// Reads the terminal's events on a separate thread: if the terminal is gone, the library that reads them never
/// returns, and then a signal could not end the view.
fn events() -> Receiver<io::Result<Event>> {
    let (sender, events) = channel();
    thread::spawn(move || {
        loop {
            let event = event::read();
            let over = event.is_err();
            if sender.send(event).is_err() || over {
                return;
            }
        }
    });
    events
}

/// Returns the effect of the next key; `None` at `until` or after a change of size, when it is time to draw again.
fn next_act(events: &Receiver<io::Result<Event>>, until: Instant) -> Result<Option<KeyAction>, Failure> {
    let lost = |why: String| Failure::trouble(format!("the terminal is gone: {why}"));
    loop {
        let event = match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(event) => event.map_err(|error| lost(error.to_string()))?,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => return Err(lost("nothing reads it any more".to_owned())),
        };
        match event {
            Event::Key(key) => {
                if let Some(act) = act(key) {
                    return Ok(Some(act));
                }
            }
            Event::Resize(..) => return Ok(None),
            _ => {}
        }
    }
}

/// Writes the screen as text into the state folder, never into the current one; returns a message that names the file.
fn save(picture: &Buffer) -> String {
    let folder = Archive::of_user().map_or_else(std::env::temp_dir, |archive| archive.folder().to_owned());
    let time = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S%.3f");
    let path: PathBuf = folder.join(format!("watch-{time}.txt"));
    let saved = fs::create_dir_all(&folder).and_then(|()| {
        // Without a home folder it is one that others may write to: a link under that name is not followed.
        let mut file = File::options().write(true).create_new(true).open(&path)?;
        file.write_all(draw::text(picture).as_bytes())
    });
    match saved {
        Ok(()) => format!("what is shown is in {}", path.display()),
        Err(error) => format!("cannot write {}: {error}", path.display()),
    }
}

/// The processors on which the calling thread may draw.
///
/// Observed on Linux 6.18 with two processors, under FIFO 80 with the CPU latency held at 0: drawing on the sleeper's
/// own processor made its p99.9 17 µs later, since a write to a terminal cannot be interrupted everywhere in a kernel
/// that is not preemptible.
#[derive(Debug, Default)]
pub(super) struct DrawingCpus {
    /// Processors that the thread had before; `None` before the first call.
    allowed: Option<Vec<u32>>,
    /// Processors that it left last.
    left: BTreeSet<u16>,
}

impl DrawingCpus {
    /// Moves the calling thread off these processors, if it may use another one. Where threads cannot be moved, they
    /// stay where they are.
    pub(super) fn leave(&mut self, sleeping: &BTreeSet<u16>) {
        if sleeping.is_empty() || *sleeping == self.left {
            return;
        }
        self.left.clone_from(sleeping);
        let allowed = self.allowed.get_or_insert_with(|| affinity::read().unwrap_or_default());
        let _ = affinity::apply(&free(allowed, sleeping)).map(Guard::keep);
    }
}

/// Returns the processors of `allowed` on which no thread sleeps; all of them if that leaves none.
fn free(allowed: &[u32], sleeping: &BTreeSet<u16>) -> Vec<u32> {
    let free: Vec<u32> =
        allowed.iter().copied().filter(|&cpu| !sleeping.iter().any(|&taken| u32::from(taken) == cpu)).collect();
    if free.is_empty() { allowed.to_vec() } else { free }
}

/// The effect of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyAction {
    Quit,
    Pause,
    Step,
    Reset,
    Save,
    /// More time in a column of the picture.
    Wider,
    Closer,
    Up,
    Down,
}

/// Help in the last line of the screen.
pub(super) const HELP: &str = "q quit  space pause  → step  r reset  s save  +/- time  ↑/↓ rows";
/// The same for a narrow screen.
pub(super) const SHORT_HELP: &str = "q quit  space pause  → step  r reset  s save  +/-  ↑/↓";

/// Returns the effect of a key, if it has one.
pub(super) fn act(key: KeyEvent) -> Option<KeyAction> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    Some(match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => KeyAction::Quit,
        KeyCode::Char('q') | KeyCode::Esc => KeyAction::Quit,
        KeyCode::Char(' ' | 'p') => KeyAction::Pause,
        KeyCode::Char('n') | KeyCode::Right => KeyAction::Step,
        KeyCode::Char('r') => KeyAction::Reset,
        KeyCode::Char('s') => KeyAction::Save,
        KeyCode::Char('-') => KeyAction::Wider,
        KeyCode::Char('+' | '=') => KeyAction::Closer,
        KeyCode::Char('k') | KeyCode::Up => KeyAction::Up,
        KeyCode::Char('j') | KeyCode::Down => KeyAction::Down,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::free;
    use std::collections::BTreeSet;

    #[test]
    fn processors_of_sleepers_are_left_unless_there_are_no_others() {
        assert_eq!(free(&[0, 1, 3], &BTreeSet::from([1])), [0, 3]);
        assert_eq!(free(&[0, 1], &BTreeSet::from([0, 1, u16::MAX])), [0, 1]);
    }
}
