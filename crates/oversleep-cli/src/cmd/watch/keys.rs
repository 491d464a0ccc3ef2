//! The keys of `watch`.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

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
