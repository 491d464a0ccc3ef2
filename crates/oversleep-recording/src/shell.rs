//! Words and commands as a shell takes them.

/// Returns a word as a shell takes it: in quotes, if necessary.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/@%+=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
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

#[cfg(test)]
mod tests {
    use super::*;

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
