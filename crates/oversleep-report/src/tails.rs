//! What each change did to the 99th percentile, in a few lines of text.

use super::style::Screen;
use oversleep_figures::quantile::{Fraction, samples_needed};
use oversleep_recording::document::{Effect, Interventions, Shift};
use oversleep_recording::exact_time;
use oversleep_sys::units::Nanos;

/// Returns which changes of the baseline made p99 smaller or larger, of which none was seen, and which had too few sleeps
/// to tell. Empty if the baseline itself has too few.
pub(super) fn text(found: &Interventions, screen: Screen) -> String {
    let needed = samples_needed(Fraction::P99);
    let longer = found
        .time_for(needed as f64)
        .map_or_else(|| "a longer run".to_owned(), |time| format!("about {}", asked(time)));
    let Some(before) = found.base_p99_ns else {
        let line = format!("p99 is not compared: it needs {needed} sleeps of each row, {longer}");
        return screen.lines(0, &line) + "\n";
    };
    let effects: Vec<&Effect> = found.effects.iter().filter(|effect| effect.given.is_none()).collect();
    let seen = |fits: fn(&Shift) -> bool| -> Vec<String> {
        let seen = effects.iter().filter(|effect| effect.p99.is_some_and(|shift| shift.seen && fits(&shift)));
        seen.map(|effect| format!("{}{}", effect.change, after(effect))).collect()
    };
    let smaller = seen(|shift| shift.size < 0.0);
    let larger = seen(|shift| shift.size >= 0.0);
    let unseen: Vec<(&Effect, Shift)> =
        effects.iter().filter_map(|effect| Some((*effect, effect.p99.filter(|shift| !shift.seen)?))).collect();
    let few: Vec<String> = effects
        .iter()
        .filter(|effect| effect.p99.is_none())
        .map(|effect| format!("{} ({})", effect.change, effect.sleeps))
        .collect();
    let missed = unseen.iter().map(|(_, shift)| shift.smallest_detectable).fold(0.0, f64::max);
    let unseen: Vec<String> = unseen.iter().map(|(effect, _)| effect.change.to_string()).collect();
    let lines = [
        ("smaller with".to_owned(), smaller),
        ("larger with".to_owned(), larger),
        (format!("no change seen with (one below {} may be missed)", Nanos::from_f64(missed)), unseen),
        (format!("too few sleeps with (p99 needs {needed} of each, {longer})"), few),
    ];
    let mut out = screen.lines(0, &screen.heading(&format!("p99, {} in the baseline:", Nanos::new(before))));
    for (what, names) in lines.into_iter().filter(|(_, names)| !names.is_empty()) {
        out += &screen.lines(2, &format!("{what}: {}", names.join("; ")));
    }
    out + "\n"
}

/// Returns the option that asks for a run of this duration.
pub(super) fn asked(time: Nanos) -> String {
    format!("-d {}", exact_time(time))
}

/// Returns the percentile after a change.
fn after(effect: &Effect) -> String {
    effect.variant_p99_ns.map_or_else(String::new, |ns| format!(" ({})", Nanos::new(ns)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::SizeInterval;
    use oversleep_recording::plan::Policy;
    use oversleep_recording::plan::intervene::Change;

    fn shift(size: f64, seen: bool) -> Shift {
        Shift {
            size,
            low: size - 1.0,
            high: size + 1.0,
            error: 1.0,
            p: 0.001,
            corrected: 0.01,
            seen,
            smallest_detectable: 3.5e6,
        }
    }

    fn effect(change: Change, p99: Option<Shift>) -> Effect {
        Effect {
            cell: 1,
            reference: 0,
            change,
            given: None,
            blocks: 30,
            sleeps: if p99.is_some() { 300 } else { 290 },
            variant_p50_ns: 14_000,
            variant_p99_ns: p99.map(|shift| 3_500_000 + Nanos::from_f64(shift.size).get()),
            p50: shift(-50_000.0, true),
            p99,
            predicted: None,
            delay: SizeInterval { size: 0.0, low: 0.0, high: 0.0 },
        }
    }

    fn found(base_p99_ns: Option<i64>) -> Interventions {
        let policy = |policy| Change::Policy { policy: Some(policy) };
        Interventions {
            base: 0,
            blocks: 30,
            sleeps: 300,
            warm_ups: 0,
            base_p50_ns: Some(64_000),
            base_p99_ns,
            tries: 8,
            effects: vec![
                effect(Change::Slack { slack_ns: Some(Nanos::new(1)) }, Some(shift(-8_000.0, false))),
                effect(policy(Policy::Fifo { priority: 1 }), Some(shift(-3_466_000.0, true))),
                effect(policy(Policy::Batch), Some(shift(2_930_000.0, true))),
                effect(policy(Policy::Rr { priority: 1 }), None),
            ],
            readings: Vec::new(),
            open: Vec::new(),
            round: Nanos::from_millis(100),
        }
    }

    /// Changes that had the same effect on the median differ by their effect on the 99th percentile.
    #[test]
    fn each_change_is_named_with_what_it_did_to_the_tail() {
        let screen = Screen { width: 100, colour: false };
        assert_eq!(
            text(&found(Some(3_500_000)), screen),
            "p99, 3.50 ms in the baseline:\n  \
             smaller with: policy fifo 1 (34.0 µs)\n  \
             larger with: policy batch (6.43 ms)\n  \
             no change seen with (one below 3.50 ms may be missed): slack 1 ns\n  \
             too few sleeps with (p99 needs 299 of each, about -d 42s): policy rr 1 (290)\n\n"
        );
        let none = text(&found(None), screen);
        assert_eq!(none, "p99 is not compared: it needs 299 sleeps of each row, about -d 42s\n\n");
    }
}
