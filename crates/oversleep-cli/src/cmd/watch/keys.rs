//! The keys of `watch`.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The effect of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
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

/// Returns the effect of a key, if it has one.
pub(super) fn act(key: KeyEvent) -> Option<Act> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    Some(match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Act::Quit,
        KeyCode::Char('q') | KeyCode::Esc => Act::Quit,
        KeyCode::Char(' ' | 'p') => Act::Pause,
        KeyCode::Char('n') | KeyCode::Right => Act::Step,
        KeyCode::Char('r') => Act::Reset,
        KeyCode::Char('s') => Act::Save,
        KeyCode::Char('-') => Act::Wider,
        KeyCode::Char('+' | '=') => Act::Closer,
        KeyCode::Char('k') | KeyCode::Up => Act::Up,
        KeyCode::Char('j') | KeyCode::Down => Act::Down,
        _ => return None,
    })
}
