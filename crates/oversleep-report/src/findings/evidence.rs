//! Evidence in words. JSON has the raw numbers under their own names.

use oversleep_recording::document::evidence::Fact;
use oversleep_sys::units::Nanos;

/// What a field of the evidence means, where its name does not say it.
const PHRASES: &[(&str, &str)] = &[
    ("after_ns", "median after"),
    ("alias_error_ppm", "standard error of that multiple"),
    ("alias_ppm", "or different by a multiple of"),
    ("before_ns", "median before"),
    ("calibration_ppm", "without NTP's part"),
    ("counted_share", "sleeps counted"),
    ("deepest_idle", "deepest idle state that such sleeps allow:"),
    ("dues_rayleigh", "the times they were due at keep to it by"),
    ("examined", "sleeps examined"),
    ("expected_by_chance", "expected by chance"),
    ("hz", "tick rate"),
    ("hz_candidates", "possible tick rates"),
    ("largest_part_of", "largest part of the lateness in"),
    ("late_ns", "late by"),
    ("least_late_ns", "least lateness"),
    ("leeway_ratio", "leeway per requested time"),
    ("log_likelihood_beyond_chance", "log-likelihood beyond chance"),
    ("longest_late_ns", "lateness of the longest requests"),
    ("longest_wait_ns", "longest wait"),
    ("lower_ns", "lower group at"),
    ("on_grid", "wake-ups at a tick"),
    ("p50_shift_ns", "shift of the median"),
    ("p99_shift_ns", "shift of p99"),
    ("p_corrected", "p-value, corrected for the number of comparisons"),
    ("predicted_share", "lateness predicted"),
    ("predicted_share_without", "lateness predicted without it"),
    ("rayleigh", "wake-ups keep to the grid by"),
    ("rayleigh_by_rule", "rounding alone would give"),
    ("rounding", "rounding of requests"),
    ("rounding_consistent", "possible roundings of requests"),
    ("second_tick_share", "sleeps one tick later"),
    ("shortest_late_ns", "lateness of the shortest requests"),
    ("side_by_side", "side by side:"),
    ("sleep", "from sleep number"),
    ("slope_us_per_s", "slope in µs per s"),
    ("system_rule", "the system's rule"),
    ("telling", "sleeps that tell the roundings apart"),
    ("telling_up", "of these rounded up"),
    ("telling_up_plus_one", "of these rounded up by one tick more"),
    ("times", "times seen"),
    ("turn_ns", "length of a turn"),
    ("upper_ns", "upper group at"),
    ("upper_share", "sleeps in the upper group"),
    ("up_share", "requests rounded up"),
    ("used_by", "processor used by"),
    ("usual_late_ns", "usual lateness"),
    ("wakes_rayleigh", "wake-ups keep to the tick by"),
];

/// Returns the evidence in phrases, one for each fact; the stretch of time that it is about comes as one phrase.
pub(super) fn phrases(facts: &[(String, Fact)]) -> Vec<String> {
    let others = facts.iter().filter(|(name, _)| !STRETCH.contains(&name.as_str()));
    others.map(|(name, fact)| words(name, fact)).chain(stretch(facts)).collect()
}

/// Facts that name a stretch of time: its start, its end, and the uncertainty of the end.
const STRETCH: [&str; 3] = ["from_s", "to_s", "to_error_s"];

/// Returns the stretch of time that the evidence is about: "from the start to 6.46 s (± 580 ms)".
fn stretch(facts: &[(String, Fact)]) -> Option<String> {
    let seconds = |wanted: &str| {
        facts.iter().find_map(|(name, fact)| match fact {
            Fact::Number(seconds) if name == wanted => Some(Nanos::from_f64(seconds * 1e9)),
            _ => None,
        })
    };
    let [from, to, error] = STRETCH.map(seconds);
    let from = from?;
    let from = if from < Nanos::MILLISECOND { "the start".to_owned() } else { from.to_string() };
    // The last stretch has an end without uncertainty: the recording's.
    let to = to.zip(error).map_or_else(|| "the end".to_owned(), |(to, error)| format!("{to} (± {error})"));
    Some(format!("from {from} to {to}"))
}

/// Returns a number or word of the evidence with its meaning.
fn words(name: &str, fact: &Fact) -> String {
    let phrase = PHRASES.iter().find(|(known, _)| *known == name).map(|(_, phrase)| (*phrase).to_owned());
    let units = ["_ns", "_ppm", "_hz", "_share", "_ratio", "_s"];
    let bare = units.iter().find_map(|unit| name.strip_suffix(unit)).unwrap_or(name);
    let phrase = phrase.unwrap_or_else(|| bare.replace('_', " "));
    match fact {
        Fact::Word(text) if name == "basis" => format!("known from {}", basis(text)),
        Fact::Number(number) => format!("{phrase} {}", figure(name, *number)),
        Fact::Word(text) => format!("{phrase} {}", text.replace('_', " ")),
        Fact::NotKnown => format!("{phrase} not known"),
    }
}

/// Returns what a slack or a drift is concluded from.
fn basis(word: &str) -> String {
    match word {
        "conditions" => "the slack that was read back".to_owned(),
        "nominal" => "its size, which is a system's usual slack".to_owned(),
        "contrast" => "other methods, which lack it".to_owned(),
        "slide" => "lateness that slides through a tick".to_owned(),
        "tick" => "the measured length of the tick".to_owned(),
        "quantum" => "the quantum of a run queue".to_owned(),
        other => other.replace('_', " "),
    }
}

/// Formats a number in its unit.
fn figure(name: &str, number: f64) -> String {
    let rounded = (number * 1e3).round() / 1e3;
    match name {
        _ if name.ends_with("_ns") => Nanos::from_f64(number).to_string(),
        _ if name.ends_with("_ppm") => format!("{number:+.2} ppm"),
        "hz" | "hz_candidates" => format!("{rounded} Hz"),
        _ if name.ends_with("_s") && name != "slope_us_per_s" => Nanos::from_f64(number * 1e9).to_string(),
        _ if name.contains("share") || name.contains("rayleigh") || name == "on_grid" => {
            format!("{:.1} %", 100.0 * number)
        }
        _ => rounded.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields_become_words() {
        for (name, number, expected) in [
            ("wakes_rayleigh", 0.987, "wake-ups keep to the tick by 98.7 %"),
            ("usual_late_ns", 67_000.0, "usual lateness 67.0 µs"),
            ("drift_ppm", -12.3, "drift -12.30 ppm"),
            ("period_s", 1.5, "period 1.50 s"),
            ("hz", 100.0, "tick rate 100 Hz"),
            ("sleeps", 300.0, "sleeps 300"),
        ] {
            assert_eq!(words(name, &Fact::Number(number)), expected);
        }
        assert_eq!(words("some_new_field", &Fact::NotKnown), "some new field not known");
        assert_eq!(words("basis", &Fact::Word("conditions".into())), "known from the slack that was read back");
    }

    #[test]
    fn a_stretch_of_time_is_one_phrase() {
        let fact = |name: &str, number: f64| (name.to_owned(), Fact::Number(number));
        let first = [fact("drift_ppm", -12.3), fact("from_s", 0.0), fact("to_s", 6.46), fact("to_error_s", 0.58)];
        assert_eq!(phrases(&first), ["drift -12.30 ppm", "from the start to 6.46 s (± 580 ms)"]);
        assert_eq!(phrases(&[fact("from_s", 6.46), fact("to_s", 15.0)]), ["from 6.46 s to the end"]);
    }
}
