//! Sentences in lines that fit the terminal.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, fill};

/// No line is broken to fewer columns: a word a line is harder to read than what the terminal makes of a long one.
const NARROWEST: usize = 30;

/// What a number stands with: the two are read as one word.
const UNITS: [&str; 8] = ["ns", "µs", "ms", "s", "%", "ppm", "Hz", "MiB"];

/// A space at which no line is broken; [`loose`] makes a plain one of it.
const FIRM: char = '\u{a0}';

/// Returns the text with numbers and their units held together.
pub(in crate::report) fn firm(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(' ') {
        if !out.is_empty() {
            let bare = word.trim_end_matches([',', ')', ';', '.', ':']);
            let unit = UNITS.contains(&bare) && out.ends_with(|last: char| last.is_ascii_digit());
            let sign = out.ends_with('±');
            out.push(if unit || sign { FIRM } else { ' ' });
        }
        out += word;
    }
    out
}

/// Returns the text with plain spaces again.
pub(super) fn loose(text: &str) -> String {
    text.replace(FIRM, " ")
}

/// Returns the text in lines of at most `width` columns, broken between words, the first indented by `indent`, the
/// others by two more. A word that is longer stands alone. What switches colours takes no column.
pub(super) fn wrap(text: &str, indent: usize, width: usize) -> String {
    let (first, others) = (" ".repeat(indent), " ".repeat(indent + 2));
    let options = Options::new(width.max(indent + NARROWEST))
        .initial_indent(&first)
        .subsequent_indent(&others)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    loose(&fill(&firm(text), options)) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_to_the_next_line_and_none_is_lost() {
        let text = "one two three four five six seven eight nine ten";
        assert_eq!(wrap(text, 2, 200), format!("  {text}\n"));
        assert_eq!(wrap(text, 2, 32), "  one two three four five six\n    seven eight nine ten\n");
        assert_eq!(wrap(text, 2, 32), wrap(text, 2, 0), "no narrower than that");
        let long = format!("short {} short", "x".repeat(50));
        assert_eq!(wrap(&long, 0, 40), format!("short\n  {}\n  short\n", "x".repeat(50)));
    }

    #[test]
    fn a_number_keeps_its_unit() {
        let text = "it takes some time, namely 100 µs, and 5 %";
        assert_eq!(wrap(text, 0, 31), "it takes some time, namely\n  100 µs, and 5 %\n");
        assert_eq!(loose(&firm(text)), text);
    }

    #[test]
    fn colours_take_no_room() {
        let plain = "aaaa ".repeat(12);
        let painted = plain.trim().replace("aaaa", "\u{1b}[1maaaa\u{1b}[0m");
        let lines = |text: &str| wrap(text, 0, 40).lines().count();
        assert_eq!(lines(&painted), lines(plain.trim()));
    }
}
