//! Breaking of sentences into lines that fit the terminal.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, fill};

/// Least number of columns to break lines to: one word per line would be harder to read than lines that a terminal
/// wraps.
const NARROWEST: usize = 30;

/// Units that are kept on one line with their number.
const UNITS: [&str; 8] = ["ns", "µs", "ms", "s", "%", "ppm", "Hz", "MiB"];

/// A space at which lines are not broken; [`loose`] replaces it by a plain one.
const FIRM: char = '\u{a0}';

/// Joins numbers and their units by spaces at which lines are not broken.
pub(crate) fn firm(text: &str) -> String {
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

/// Returns text that is kept on one line.
pub(crate) fn unbroken(text: &str) -> String {
    text.replace(' ', &FIRM.to_string())
}

/// Replaces these spaces by plain ones.
pub(super) fn loose(text: &str) -> String {
    text.replace(FIRM, " ")
}

/// Breaks the text into lines of at most `width` columns, between words, the first line indented by `indent`, the
/// others by two more. A longer word has a line to itself. Escape sequences for colours take no columns.
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
    fn unbroken_words_stay_together() {
        let text = format!("some words before, {}", unbroken("▒ the middle half"));
        assert_eq!(wrap(&text, 0, 30), "some words before,\n  ▒ the middle half\n");
    }

    #[test]
    fn colours_take_no_room() {
        let plain = "aaaa ".repeat(12);
        let painted = plain.trim().replace("aaaa", "\u{1b}[1maaaa\u{1b}[0m");
        let lines = |text: &str| wrap(text, 0, 40).lines().count();
        assert_eq!(lines(&painted), lines(plain.trim()));
    }
}
