//! What keys do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What is asked for with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Quit,
    Pause,
    Step,
    Reset,
    Save,
    /// More time in the picture, or less.
    Wider,
    Closer,
    Up,
    Down,
}

/// What stands in the last line.
pub(super) const HELP: &str = "q quit  space pause  → step  r reset  s save  +/- time  ↑/↓ rows";

/// Returns what a key asks for, if anything.
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
