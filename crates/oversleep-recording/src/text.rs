//! Text from elsewhere, made safe to show: characters that no one sees can hide or turn around the text next to them.

use std::borrow::Cow;

/// Returns whether a character is invisible, or changes the text around it: control characters, ends of lines
/// and paragraphs, and all of Unicode's general category Cf (version 16), which has marks of direction, byte order marks, joiners and
/// blanks without width.
///
/// Some scripts and pictographs need the joiners U+200C and U+200D. They are readable without them; with them, two
/// names can look the same.
pub fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{AD}'
                | '\u{600}'..='\u{605}'
                | '\u{61C}'
                | '\u{6DD}'
                | '\u{70F}'
                | '\u{890}'..='\u{891}'
                | '\u{8E2}'
                | '\u{180E}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{110BD}'
                | '\u{110CD}'
                | '\u{13430}'..='\u{1343F}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// Returns a text on one line, with spaces for its invisible characters.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.contains(is_invisible) { text.replace(is_invisible, " ").into() } else { text.into() }
}

/// Returns a text of several lines without its invisible characters, except line ends and the sequences that set a colour
/// or weight, such as `ESC[33m`: a terminal shows it as it is read.
pub fn on_terminal(text: &str) -> Cow<'_, str> {
    let is_shown = |letter: char| letter == '\n' || !is_invisible(letter);
    if text.chars().all(is_shown) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let style = style_at(rest);
        out += style;
        if style.is_empty() && is_shown(letter) {
            out.push(letter);
        }
        rest = &rest[if style.is_empty() { letter.len_utf8() } else { style.len() }..];
    }
    out.into()
}

/// Returns the sequence at the beginning of a text that sets a colour or weight; empty if there is none.
fn style_at(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return "" };
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != ';');
    match end {
        Some(end) if rest[end..].starts_with('m') => &text[..=text.len() - rest.len() + end],
        _ => "",
    }
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

/// Number of characters above which the reason of an error is cut off: what it quotes can be as long as a file.
pub const LONGEST_REASON: usize = 1_000;

/// Returns the reason of an error at a length that can be shown. Every error of reading a file passes its reason through
/// this.
pub fn short(reason: &str) -> Cow<'_, str> {
    shortened(reason, LONGEST_REASON)
}

/// Returns at most the first `most` characters of a text, and then how long it is.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some((end, _)) => format!("{}… ({} bytes in all)", &text[..end], text.len()).into(),
    }
}

/// Writes a number in groups of three digits, with spaces at which no line breaks.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        let shown = [0, 12, 123, 1_234, 123_456].map(|number| grouped(number).replace('\u{a0}', " "));
        assert_eq!(shown, ["0", "12", "123", "1 234", "123 456"]);
    }

    #[test]
    fn a_long_reason_is_cut_off() {
        let most = "µ".repeat(LONGEST_REASON);
        assert_eq!(short(&most), most);
        assert_eq!(short(&format!("{most}ab")), format!("{most}… ({} bytes in all)", 2 * LONGEST_REASON + 2));
    }

    #[test]
    fn what_no_one_sees_is_shown_by_its_code() {
        assert_eq!(escaped("0\u{FEFF}\u{202E}x\t\u{0}\u{1B}[31m", 60), "0\\u{feff}\\u{202e}x\\t\\u{0}\\u{1b}[31m");
        assert_eq!(escaped("µs, schläft, 👩💻", 60), "µs, schläft, 👩💻");
        assert_eq!(escaped("na\u{200D}p", 60), "na\\u{200d}p");
        assert_eq!(escaped("abc", 2), "ab");
    }

    #[test]
    fn format_characters_are_invisible_and_letters_are_not() {
        let hidden =
            ['\u{7}', '\u{AD}', '\u{61C}', '\u{200B}', '\u{200D}', '\u{2028}', '\u{202E}', '\u{2060}', '\u{2066}'];
        let others = ['\u{2069}', '\u{FEFF}', '\u{FFF9}', '\u{1D173}', '\u{E0001}', '\u{E0041}', '\u{E007F}'];
        for letter in hidden.into_iter().chain(others) {
            assert!(is_invisible(letter), "{:x}", u32::from(letter));
            assert_eq!(visible(&format!("a{letter}b")), "a b");
        }
        // Neighbours of the ranges, a combining accent, a no-break space, letters of scripts from right to left.
        for letter in ['\u{200A}', '\u{2010}', '\u{202F}', '\u{205F}', '\u{FFFC}', '\u{301}', '\u{A0}', 'µ', 'ש', 'ع']
        {
            assert!(!is_invisible(letter), "{:x}", u32::from(letter));
        }
        assert!(matches!(visible("plain µs"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_terminal_gets_lines_and_colours_alone() {
        let text =
            "\u{1b}[1mname\u{1b}[0m\n\u{202E}evil\u{2066}\u{1b}[2Jx\u{1b}]0;title\u{7}\r\n\u{1b}[33;1mwarn\u{1b}[";
        assert_eq!(on_terminal(text), "\u{1b}[1mname\u{1b}[0m\nevil[2Jx]0;title\n\u{1b}[33;1mwarn[");
        assert!(matches!(on_terminal("two\nlines"), Cow::Borrowed(_)));
    }
}
