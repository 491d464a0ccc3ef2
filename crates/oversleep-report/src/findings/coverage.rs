//! Which part of a long recording the findings rest on.

use crate::style::Screen;
use oversleep_recording::document::Coverage;

/// Returns a line about the samples that the findings rest on; empty if these are all samples.
pub fn coverage(coverage: Coverage, screen: Screen) -> String {
    if coverage.spread == 0 {
        return String::new();
    }
    let text = format!(
        "counts and quantiles: all {} sleeps; patterns: the first {} (a stretch of every \
         cell and thread), and {} spread over the run",
        grouped(coverage.samples),
        grouped(coverage.first),
        grouped(coverage.spread)
    );
    screen.lines(0, &screen.aside(&text))
}

/// Groups digits in threes.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_recording_needs_no_words() {
        assert_eq!(coverage(Coverage { samples: 9, first: 9, spread: 0 }, Screen::PLAIN), "");
        let text = coverage(Coverage { samples: 1_234_567, first: 98_304, spread: 131_072 }, Screen::PLAIN);
        assert!(text.contains("all 1 234 567 sleeps; "), "{text}");
        assert!(text.contains("first 98 304 (") && text.contains("and 131 072 spread"), "{text}");
    }

    #[test]
    fn digits_stand_in_threes() {
        assert_eq!([0, 12, 123, 1_234, 123_456].map(grouped), ["0", "12", "123", "1 234", "123 456"]);
    }
}
