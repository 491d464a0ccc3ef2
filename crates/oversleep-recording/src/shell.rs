//! Words and commands as a shell takes them.

use crate::text::is_invisible;
use oversleep_sys::units::Nanos;

/// Returns a word as a shell takes it: in quotes, if necessary. One with invisible characters is in the quotes of bash, ksh
/// and zsh that know escapes, so that it is on one line and can be seen whole.
pub fn shell_word(word: &str) -> String {
    if word.contains(is_invisible) {
        return format!("$'{}'", word.chars().map(escape).collect::<String>());
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/@%+=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Returns a character as it stands between `$'` and `'`.
fn escape(letter: char) -> String {
    match letter {
        '\\' | '\'' => format!("\\{letter}"),
        _ if is_invisible(letter) => letter.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect(),
        _ => letter.to_string(),
    }
}

/// Returns the command that runs a simulated kernel, from its model's name in a recording: that of a preset or a file,
/// then the parameters that were changed (`linux-2.4 hz=250`).
pub fn simulate_command(model: &str) -> String {
    let mut name = model;
    let mut changes = Vec::new();
    while let Some((front, change)) = name.rsplit_once(' ').filter(|(_, last)| last.contains('=')) {
        changes.push(change);
        name = front;
    }
    let mut command = format!("oversleep simulate {}", shell_word(name));
    for change in changes.into_iter().rev() {
        command += &format!(" --set {}", shell_word(change));
    }
    command
}

/// Returns an option with its value, after a space, as a shell takes them; `value` is empty for an option that takes none.
pub fn shell_option(name: &str, value: &str) -> String {
    if value.is_empty() { format!(" --{name}") } else { format!(" --{name} {}", shell_word(value)) }
}

/// Returns an exact duration as the command line reads it.
pub fn exact_time(duration: Nanos) -> String {
    match duration.get() {
        ns if ns % 1_000_000_000 == 0 => format!("{}s", ns / 1_000_000_000),
        ns if ns % 1_000_000 == 0 => format!("{}ms", ns / 1_000_000),
        ns if ns % 1_000 == 0 => format!("{}us", ns / 1_000),
        ns => format!("{ns}ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        for (word, quoted) in [
            ("run.arrows", "run.arrows"),
            ("my run", "'my run'"),
            ("it's", r"'it'\''s'"),
            ("two\nlines", r"$'two\012lines'"),
            ("it's \\ \u{1b}[31m\u{feff}", r"$'it\'s \\ \033[31m\357\273\277'"),
        ] {
            assert_eq!(shell_word(word), quoted);
        }
    }

    #[test]
    fn a_simulated_kernel_is_run_again_with_its_changes() {
        for (model, command) in [
            ("linux-2.4", "oversleep simulate linux-2.4"),
            ("linux-2.4 hz=250 round=ceil", "oversleep simulate linux-2.4 --set hz=250 --set round=ceil"),
            ("my kernel.toml hz=250", "oversleep simulate 'my kernel.toml' --set hz=250"),
        ] {
            assert_eq!(simulate_command(model), command);
        }
    }
}
