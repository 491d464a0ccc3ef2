//! The lines on the latest sleep: when and why.

use oversleep_lab::report::live::Live;
use oversleep_sys::units::Nanos;

/// Most lines that it takes.
const MOST: usize = 3;

/// Returns the lines, each at most `width` columns wide. `on_late` is the threshold above which sleeps are examined, if
/// that was asked for.
pub(super) fn lines(live: &Live, on_late: Option<Nanos>, width: usize) -> Vec<String> {
    let Some((row, worst)) = live.worst() else { return vec![String::new()] };
    let threshold = on_late.or_else(|| live.notes().late.as_ref().map(|late| late.threshold));
    let cause = match (live.cause_of(row.cell, worst), threshold) {
        (Some(cause), _) => cause.to_owned(),
        (None, Some(threshold)) if worst.late <= threshold => {
            format!("not examined, because --on-late is {threshold}")
        }
        (None, Some(_)) => "not examined; --late-limit gives how many are".to_owned(),
        (None, None) => "cause not recorded (--on-late TIME)".to_owned(),
    };
    let text = format!("worst: {} at {:.1} s, {}: {cause}", worst.late, worst.at.as_secs_f64(), live.label(row.cell));
    broken(&text, width.max(1))
}

/// Breaks a text between words into lines of this width, the last with `…` if there are more than [`MOST`].
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let count = lines.len();
        let last = &mut lines[count - 1];
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            *last += " ";
            *last += word;
        } else if count < MOST {
            lines.push(word.to_owned());
        } else {
            *last = last.chars().take(width - 1).chain(['…']).collect();
            break;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_causes_are_broken_and_end_with_an_ellipsis() {
        assert_eq!(broken("one two three", 40), ["one two three"]);
        assert_eq!(broken("one two three", 8), ["one two", "three"]);
        assert_eq!(broken("one two three four five six", 5), ["one", "two", "thre…"]);
    }
}
