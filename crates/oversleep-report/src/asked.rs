//! The answer to a question about sleeps that nobody recorded, as text: the verdict first.

use super::style::Screen;
use oversleep_recording::document::{AskedAnswer, AskedCandidate, percent_of_candidates};

/// Returns the answer as text.
pub fn text(answer: &AskedAnswer, screen: Screen) -> String {
    let mut out = screen.lines(0, &screen.heading(&answer.verdict));
    let mut part = |name: &str, text: &str| {
        if !text.is_empty() {
            out.push_str(&screen.lines(2, &format!("{name}: {text}")));
        }
    };
    part("law", &law(answer));
    part("why", &why(answer));
    part("else", &others(answer));
    part("remedy", &answer.remedy);
    part("to decide", &answer.experiment);
    for remark in &answer.remarks {
        part("note", remark);
    }
    out
}

/// Returns the law of the cause stated; of an open question those of all that are likely.
fn law(answer: &AskedAnswer) -> String {
    if answer.candidates.first().is_none_or(|first| first.share < answer.none_of_these) {
        return String::new();
    }
    let shown = if answer.decided { 1 } else { 2 };
    let laws = answer.candidates.iter().take(shown).filter(|one| !one.law.is_empty());
    if answer.decided {
        return laws.map(|one| one.law.clone()).collect();
    }
    laws.map(|one| format!("{}: {}", one.name, one.figure)).collect::<Vec<_>>().join(". ")
}

/// Returns the statement, and its part that supports the cause.
fn why(answer: &AskedAnswer) -> String {
    let mut why = vec![format!(
        "stated: {}",
        if answer.stated.is_empty() { "nothing but figures".to_owned() } else { answer.stated.join(", ") }
    )];
    if let Some(first) = answer.candidates.first() {
        why.extend(first.reasons.iter().cloned());
    }
    if !answer.candidates.is_empty() || answer.none_of_these > 0.0 {
        why.push(format!("none of the laws known: {}", percent_of_candidates(answer.none_of_these)));
    }
    why.join("; ")
}

/// Returns the candidates that the verdict does not name, with their shares.
fn others(answer: &AskedAnswer) -> String {
    let named = if answer.decided { 1 } else { 3 };
    let other = |one: &AskedCandidate| format!("{} ({})", one.name, percent_of_candidates(one.share));
    answer.candidates.iter().skip(named).map(other).collect::<Vec<_>>().join("; ")
}
