//! Sentences about laws and their figures.

use super::candidate::{Best, Event, Start, Variant};
use oversleep_recording::asked::{AskedPair, Question};
use oversleep_sys::units::Nanos;

/// Returns a time in three digits.
pub(super) fn time(ns: f64) -> String {
    let rounded = Nanos::from_f64(ns);
    let text = rounded.to_string();
    // `16.0 ms` reads better as `16 ms`.
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// Returns a share as text.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent < 1.0 => "under 1 %".to_owned(),
        percent if percent > 99.0 => "over 99 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}

/// Returns what a candidate's best variant says of the first request, and why.
pub(super) fn explain(question: &Question, best: &Best) -> String {
    let Some(pair) = question.pairs.first() else { return String::new() };
    let asked = pair.requested.as_f64();
    let (least, most, usual) = best.variant.lengths(asked);
    let changing: Vec<String> = best
        .variant
        .laws
        .iter()
        .scan(asked, |length, law| {
            let lengths = law.lengths(*length);
            let changes = (lengths.most - *length).abs() > 1.0 || (lengths.least - *length).abs() > 1.0;
            *length = lengths.back_to_back;
            Some(changes.then(|| law.text()))
        })
        .flatten()
        .collect();
    let law = if changing.is_empty() { String::new() } else { format!("the sleep {}", changing.join(", and then ")) };
    let length = if most - least < 1e3 {
        format!("{} lasts {}", time(asked), time(most))
    } else if (usual - most).abs() < 1.0 && best.start != Start::Random {
        format!("{} lasts {} in a loop, from {} on otherwise", time(asked), time(usual), time(least))
    } else {
        format!("{} lasts {} to {}", time(asked), time(least), time(most))
    };
    let event = event(&best.variant, pair);
    let parts: Vec<String> = [law, if changing.is_empty() { String::new() } else { length }, event]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("; ")
}

/// Returns what happens beside the laws.
fn event(variant: &Variant, pair: &AskedPair) -> String {
    match variant.event {
        Event::None => String::new(),
        Event::Delay { share, from, to } => {
            format!("then {} of the sleeps wait {} to {} more", about(share), time(from), time(to))
        }
        Event::Even { share, to, .. } => format!("then {} of the sleeps wait up to {} more", about(share), time(to)),
        Event::Plateau { from, to, .. } => {
            format!("then most of the sleeps wait {} to {} more, as the phase has it", time(from), time(to))
        }
        Event::Constant(more) if more < 0.0 => format!("every sleep is {} shorter", time(-more)),
        Event::Constant(more) => format!("every sleep is {} longer", time(more)),
        Event::Ratio(ratio) => {
            format!("{} becomes {}", time(pair.requested.as_f64()), time(pair.requested.as_f64() * ratio))
        }
        Event::Cut => "a sleep may end at any time before its own".to_owned(),
    }
}

fn about(share: f64) -> &'static str {
    match share {
        share if share < 0.1 => "a few",
        share if share < 0.6 => "some",
        _ => "most",
    }
}
