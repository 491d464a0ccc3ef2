//! The loop that draws, four times a second and after every key.

use super::draw;
use super::keys::{self, Act};
use crate::failure::Failure;
use oversleep_lab::report::live::Live;
use oversleep_lab::session::Archive;
use oversleep_os::settings::{Guard, nice};
use oversleep_recording::Meta;
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two pictures: little to send over a slow line, and few wake-ups beside the sleepers.
const PAUSE: Duration = Duration::from_millis(250);

/// Where samples come from.
pub(super) trait Source {
    /// What was known before the first one.
    fn meta(&self) -> &Meta;
    /// Enters what there is by now; with `step` only the next piece.
    fn advance(&mut self, live: &mut Live, step: bool);
    /// Says that time passes unseen.
    fn pause(&mut self) {}
    /// Whether nothing more will come.
    fn over(&self) -> bool;
    /// Ends it.
    fn end(&mut self) {}
}

/// How it is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) colour: bool,
    /// Whether it is being measured.
    pub(super) live: bool,
}

/// What the user chose so far.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    pub(super) paused: bool,
    pub(super) over: bool,
    /// Quarters of a second in a column, as a power of two.
    pub(super) zoom: u32,
    /// Rows that are scrolled away.
    pub(super) scrolled: usize,
    /// What there is to say of the last key.
    pub(super) said: Option<String>,
}

/// The longest time of a column: 64 s.
const WIDEST: u32 = 8;

/// Draws until the user quits, or a signal has set `ended`.
pub(super) fn run(mut source: impl Source, shown: Shown, ended: &AtomicBool) -> Result<(), Failure> {
    // Behind everybody else, if the system lets a thread be. Whatever is measured was started before.
    let _ = nice::apply(19).map(Guard::keep);
    let mut terminal = ratatui::try_init().map_err(|error| Failure::trouble(format!("cannot draw: {error}")))?;
    let drawn = watch(&mut terminal, &mut source, shown, ended);
    ratatui::restore();
    source.end();
    drawn
}

fn watch<B: Backend>(
    terminal: &mut Terminal<B>,
    source: &mut impl Source,
    shown: Shown,
    ended: &AtomicBool,
) -> Result<(), Failure>
where
    B::Error: std::fmt::Display,
{
    let mut live = Live::new(source.meta());
    let mut view = View::default();
    let events = events();
    loop {
        if view.paused {
            source.pause();
        } else {
            source.advance(&mut live, false);
        }
        view.over = source.over();
        let drawn = terminal
            .draw(|frame| draw::draw(frame, &live, &view, shown))
            .map_err(|error| Failure::trouble(format!("cannot draw: {error}")))?;
        let picture = drawn.buffer.clone();
        if ended.load(Ordering::Relaxed) {
            return Ok(());
        }
        let next = Instant::now() + PAUSE;
        while let Some(act) = next_act(&events, next)? {
            match act {
                Act::Quit => return Ok(()),
                Act::Pause => view.paused = !view.paused,
                Act::Step => {
                    view.paused = true;
                    source.advance(&mut live, true);
                }
                Act::Reset => live.reset(),
                Act::Save => view.said = Some(save(&picture)),
                Act::Wider => view.zoom = (view.zoom + 1).min(WIDEST),
                Act::Closer => view.zoom = view.zoom.saturating_sub(1),
                Act::Up => view.scrolled = view.scrolled.saturating_sub(1),
                Act::Down => view.scrolled = (view.scrolled + 1).min(live.rows().count().saturating_sub(1)),
            }
            if act != Act::Save {
                view.said = None;
            }
            view.over = source.over();
            terminal
                .draw(|frame| draw::draw(frame, &live, &view, shown))
                .map_err(|error| Failure::trouble(format!("cannot draw: {error}")))?;
        }
    }
}

/// Reads the terminal's events on a thread of its own: where the terminal is gone, the library that reads them never returns, and a
/// signal could not end the view.
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

/// Returns what the next key asks for; `None` when it is time to draw again, or the window has another size.
fn next_act(events: &Receiver<io::Result<Event>>, until: Instant) -> Result<Option<Act>, Failure> {
    let lost = |why: String| Failure::trouble(format!("the terminal is gone: {why}"));
    loop {
        let event = match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(event) => event.map_err(|error| lost(error.to_string()))?,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => return Err(lost("nothing reads it any more".to_owned())),
        };
        match event {
            Event::Key(key) => {
                if let Some(act) = keys::act(key) {
                    return Ok(Some(act));
                }
            }
            Event::Resize(..) => return Ok(None),
            _ => {}
        }
    }
}

/// Writes what is shown as text into the state folder, and says where; never into the current folder.
fn save(picture: &Buffer) -> String {
    let folder = Archive::of_user().map_or_else(std::env::temp_dir, |archive| archive.folder().to_owned());
    let time = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let path: PathBuf = folder.join(format!("watch-{time}.txt"));
    let saved = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, draw::text(picture)));
    match saved {
        Ok(()) => format!("what is shown is in {}", path.display()),
        Err(error) => format!("cannot write {}: {error}", path.display()),
    }
}
