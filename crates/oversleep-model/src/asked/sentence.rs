//! Sentences about laws and their figures.

use super::candidate::{Best, Event, Start, Variant};
use super::unknown::centre;
use oversleep_recording::asked::{AskedPair, Figure, Question};
use oversleep_sys::units::Nanos;

/// Returns a time in three digits.
pub(super) fn time(ns: f64) -> String {
    let rounded = Nanos::from_f64(ns);
    if rounded == Nanos::ZERO {
        return "0".to_owned();
    }
    match ns {
        ns if ns >= 7.2e12 => return format!("{} h", (ns / 3.6e11).round() / 10.0),
        ns if ns >= 1.2e11 => return format!("{} min", (ns / 6e9).round() / 10.0),
        _ => {}
    }
    let text = rounded.to_string();
    // `16.0 ms` reads better as `16 ms`.
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// Returns the laws of a candidate's best variant that change the first request.
pub(super) fn law(question: &Question, best: &Best) -> String {
    let Some(pair) = question.pairs.first() else { return String::new() };
    let changing = best.variant.laws.iter().scan(pair.requested.as_f64(), |length, law| {
        let lengths = law.lengths(*length);
        let changes = (lengths.most - *length).abs() > 1.0 || (lengths.least - *length).abs() > 1.0;
        *length = lengths.back_to_back;
        Some(changes.then(|| law.text()))
    });
    let changing: Vec<String> = changing.flatten().collect();
    if changing.is_empty() {
        String::new()
    } else {
        format!("the sleep {}{}", changing.join(", and then "), others(best))
    }
}

/// Returns the ticks that explain the figures nearly as well as a law's, as the end of a sentence about it.
fn others(best: &Best) -> String {
    let ticks: Vec<String> = best.rivals.iter().map(at_ticks).collect();
    if ticks.is_empty() { String::new() } else { format!("; the figures fit as well{}", ticks.join(" or")) }
}

fn at_ticks(variant: &Variant) -> String {
    match variant.tick() {
        Some(period) if period > 1e9 => format!(" with a tick every {}", time(period)),
        Some(period) => format!(" at {} Hz", (1e9 / period).round()),
        None => String::new(),
    }
}

/// Returns what a candidate's best variant makes of a request: of the one that the figures change most.
pub(super) fn figure(question: &Question, best: &Best) -> String {
    let change = |pair: &&AskedPair| (centre(pair) - pair.requested.as_f64()).abs();
    let Some(pair) = question.pairs.iter().max_by(|a, b| change(a).total_cmp(&change(b))) else { return String::new() };
    let asked = pair.requested.as_f64();
    let (least, most, usual) = best.variant.lengths(asked);
    if let Event::Ratio(_) = best.variant.event {
        return event(&best.variant, pair);
    }
    if !best.rivals.is_empty() {
        let each = std::iter::once(&best.variant).chain(&best.rivals);
        let length = |variant: &Variant| match variant.lengths(asked) {
            (least, most, _) if most - least < 1e3 || time(least) == time(most) => time(most),
            (least, most, _) => format!("{} to {}", time(least), time(most)),
        };
        let lengths: Vec<(String, String)> = each.map(|variant| (length(variant), at_ticks(variant))).collect();
        let is_same = lengths.iter().all(|(length, _)| *length == lengths[0].0);
        let at = |(length, ticks): &(String, String)| if is_same { length.clone() } else { format!("{length}{ticks}") };
        let lengths: Vec<String> = lengths.iter().take(if is_same { 1 } else { lengths.len() }).map(at).collect();
        return format!("{} lasts {}", time(asked), lengths.join(", or "));
    }
    let near = |at: f64| (at - asked).abs() <= 0.02 * asked;
    let beyond = beyond(pair, best);
    let length = if asked - least < 1.0 && most - asked < 1.0 && asked > 0.0 && beyond >= 100.0 {
        format!("{} ends in time, and waking takes {}", time(asked), time(beyond))
    } else if near(least) && near(most) || time(least) == time(most) && most - least >= 1e3 {
        lateness(asked, least, most)
    } else if most - least < 1e3 {
        format!("{} lasts {}", time(asked), time(most))
    } else if best.variant.is_in_step() && best.start != Start::Random {
        format!("{} lasts {} in a loop, {} to {} otherwise", time(asked), time(usual), time(least), time(most))
    } else {
        format!("{} lasts {} to {}", time(asked), time(least), time(most))
    };
    let unchanged = near(least) && near(most);
    // What `lateness` says is left.
    let is_left_said = asked - least < 1.0 && most - asked < 1.0;
    match event(&best.variant, pair) {
        event if event.is_empty() && beyond > 0.1 * (middle(pair) - asked).abs() && !(unchanged && is_left_said) => {
            format!("{length}; waking takes {} more here", time(beyond))
        }
        event if event.is_empty() => length,
        event if unchanged => event,
        event => format!("{length}; {event}"),
    }
}

/// Returns the time, in ns, that figures are beyond what a candidate's laws reach: the cost of waking.
fn beyond(pair: &AskedPair, best: &Best) -> f64 {
    middle(pair) - best.variant.lengths(pair.requested.as_f64()).1
}

/// Returns whether a candidate's laws leave more than this cost of waking (ns) and more than a half of a lateness.
pub(super) fn leaves_more(question: &Question, best: &Best, cost: f64) -> bool {
    let is_left = |pair: &AskedPair| {
        let left = beyond(pair, best);
        left > cost && left > 0.5 * (middle(pair) - pair.requested.as_f64())
    };
    best.variant.event == Event::None && question.pairs.iter().any(is_left)
}

/// Returns how late sleeps are whose length hardly differs from what was asked for.
fn lateness(asked: f64, least: f64, most: f64) -> String {
    match (asked - least, most - asked) {
        (early, late) if early < 1.0 && late < 1.0 => {
            format!("{} ends in time, and what is left is the cost of waking", time(asked))
        }
        (early, late) if early < 1.0 => format!("{} ends up to {} late", time(asked), time(late)),
        (early, late) if late < 1.0 => format!("{} ends up to {} early", time(asked), time(early)),
        (early, late) => format!("{} ends up to {} early and up to {} late", time(asked), time(early), time(late)),
    }
}

/// Returns what happens beside the laws.
fn event(variant: &Variant, pair: &AskedPair) -> String {
    match variant.event {
        Event::None => String::new(),
        Event::Delay { share, from, to } if to / from > 100.0 => {
            format!(
                "{} of the sleeps end later, here by {}",
                about(share, pair),
                time(latest(pair) - pair.requested.as_f64())
            )
        }
        Event::Delay { share, from, to } => {
            format!("{} of the sleeps wait {} to {} more", about(share, pair), time(from), time(to))
        }
        Event::Even { share, from, to } if from > 0.5 * to => {
            format!("{} of the sleeps wait about {} more", about(share, pair), time(f64::midpoint(from, to)))
        }
        Event::Even { share, to, .. } => format!("{} of the sleeps wait up to {} more", about(share, pair), time(to)),
        Event::Plateau { from, to, .. } => {
            format!("most of the sleeps wait {} to {} more, as the phase has it", time(from), time(to))
        }
        Event::Constant(more) if more < 0.0 => format!("every sleep is {} shorter", time(-more)),
        Event::Constant(more) => format!("every sleep is {} longer", time(more)),
        Event::AtOnce(_) => format!("{} ends at once", time(pair.requested.as_f64())),
        Event::Ratio(ratio) if (ratio - 1.0).abs() < 1e-5 => {
            format!("{} lasts {0}", time(pair.requested.as_f64()))
        }
        Event::Ratio(ratio) if (ratio - 1.0).abs() < 0.1 => {
            let (asked, by) = (pair.requested.as_f64(), pair.requested.as_f64() * (ratio - 1.0));
            format!("{} is {} {}", time(asked), time(by.abs()), if by < 0.0 { "shorter" } else { "longer" })
        }
        Event::Ratio(ratio) => {
            format!("{} becomes {}", time(pair.requested.as_f64()), time(pair.requested.as_f64() * ratio))
        }
        Event::Cut { share } => {
            let which = if share < 1.0 { "some of the sleeps end" } else { "it ends" };
            format!("{which} before the time is over, here by {}", time(pair.requested.as_f64() - earliest(pair)))
        }
    }
}

/// Returns the mean or the median, if it is stated, or else what the figures lie about, in ns.
fn middle(pair: &AskedPair) -> f64 {
    let stated = pair.figures.iter().find_map(|figure| match figure {
        Figure::Quantile(share, at) if (*share - 0.5).abs() < 1e-9 => Some(at),
        Figure::Mean(at) => Some(at),
        _ => None,
    });
    stated.map_or_else(|| centre(pair), |at| at.time.as_f64())
}

/// Returns the longest length that the figures tell, in ns.
fn latest(pair: &AskedPair) -> f64 {
    let length = |figure: &Figure| match figure {
        Figure::Longer { longer: 1.., limit, .. } => Some(limit.as_f64()),
        other => other.ends().map(|(_, to)| to.time.as_f64()),
    };
    pair.figures.iter().filter_map(length).fold(centre(pair), f64::max)
}

/// Returns the shortest length that the figures tell, in ns.
fn earliest(pair: &AskedPair) -> f64 {
    pair.figures.iter().filter_map(Figure::ends).map(|(from, _)| from.time.as_f64()).fold(centre(pair), f64::min)
}

/// Returns a share of the sleeps in words; a median in time says that fewer than a half were late.
fn about(share: f64, pair: &AskedPair) -> &'static str {
    let asked = pair.requested.as_f64();
    let is_in_time = |figure: &Figure| matches!(figure, Figure::Quantile(share, at) if *share >= 0.5 && at.time.as_f64() <= asked + 0.1 * (latest(pair) - asked));
    match if pair.figures.iter().any(is_in_time) { share.min(0.5) } else { share } {
        share if share < 0.1 => "a few",
        share if share < 0.6 => "some",
        _ => "most",
    }
}
