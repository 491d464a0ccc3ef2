//! Text from elsewhere, made safe to show: characters that no one sees can hide or turn around what is beside them.

/// Returns whether nothing is seen of a character, or it changes the direction of the text around it: control
/// characters, byte order marks, blanks without width, and marks of direction.
///
/// The joiners U+200C and U+200D are not among them, because some scripts need them.
pub fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{AD}'
                | '\u{61C}'
                | '\u{180E}'
                | '\u{200B}'
                | '\u{200E}'
                | '\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// Returns the first `most` characters of a text for an error that quotes it; of invisible ones, their code, such as
/// `\u{feff}`.
pub fn escaped(text: &str, most: usize) -> String {
    let mut out = String::new();
    for letter in text.chars().take(most) {
        if is_invisible(letter) {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_one_sees_is_shown_by_its_code() {
        assert_eq!(escaped("0\u{FEFF}\u{202E}x\t\u{0}\u{1B}[31m", 60), "0\\u{feff}\\u{202e}x\\t\\u{0}\\u{1b}[31m");
        assert_eq!(escaped("µs, schläft, 👩\u{200D}💻", 60), "µs, schläft, 👩\u{200D}💻");
        assert_eq!(escaped("abc", 2), "ab");
    }
}
