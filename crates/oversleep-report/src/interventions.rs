//! Effects of interventions, as text for the terminal.

use super::headline::Headline;
use super::style::{Screen, align, firm, fit, table, table_text};
use oversleep_recording::document::{Effect, Interventions, Shift};
use oversleep_recording::plan::build::FEWEST_BLOCKS;
use oversleep_recording::plan::intervene::Change;
use oversleep_recording::plan::{Cell, Plan};
use oversleep_recording::{Meta, Note};
use oversleep_sys::units::Nanos;
use std::cmp::Ordering;

/// Returns the effects, the largest first, then the changes without an effect.
pub fn text(found: &Interventions, screen: Screen) -> String {
    let (seen, rest): (Vec<&Effect>, Vec<&Effect>) = found.effects.iter().partition(|effect| effect.is_seen());
    let (undecided, unseen): (Vec<&Effect>, Vec<&Effect>) = rest.iter().partition(|effect| found.is_undecided(effect));
    let mut out = heading(found, screen);
    out += &effects(seen, screen);
    out += &open(&undecided, found, screen);
    out += &nothing(&unseen, screen);
    out += &super::tails::text(found, screen);
    out += &predictions(found, screen);
    out + &screen.lines(0, &screen.aside(&method(found)))
}

/// Returns the change of the baseline that helped most, in one sentence, or that none did. Of those that cannot be told apart from it,
/// the one that is the least to do.
pub fn headline(found: &Interventions) -> Headline {
    let helped: Vec<&Effect> =
        found.effects.iter().filter(|effect| effect.given.is_none() && effect.helped()).collect();
    let gain = |effect: &Effect| {
        let gained = |shift: Shift| if shift.seen { -shift.size } else { 0.0 };
        (gained(effect.p50), effect.p99.map_or(0.0, gained))
    };
    let best = helped.iter().max_by(|a, b| gain(a).partial_cmp(&gain(b)).unwrap_or(Ordering::Equal));
    let Some(best) = best else {
        let compared = found.effects.iter().filter(|effect| effect.given.is_none()).count();
        let open = found.effects.iter().filter(|effect| found.is_undecided(effect)).count();
        let open = if open > 0 { format!("; {open} of {} are undecided", found.effects.len()) } else { String::new() };
        let late = ns(found.base_p50_ns);
        let text = format!(
            "None of {compared} changes compared was seen to help: sleeps end {late} late at the median{open}."
        );
        return Headline::without_advice(text);
    };
    let as_good = |other: &&&Effect| {
        let overlap = |a: Shift, b: Shift| a.low <= b.high && b.low <= a.high;
        overlap(other.p50, best.p50) && best.p99.zip(other.p99).is_none_or(|(a, b)| overlap(a, b))
    };
    let mut alike: Vec<&&Effect> = helped.iter().filter(as_good).collect();
    alike.sort_by(|a, b| {
        effort(&a.change).cmp(&effort(&b.change)).then(gain(b).partial_cmp(&gain(a)).unwrap_or(Ordering::Equal))
    });
    let (best, others) = alike.split_first().map_or((best, &[][..]), |(first, others)| (*first, others));
    let others = match others {
        [] => String::new(),
        [one] => format!("; {} helps as much", one.in_words()),
        [one, rest @ ..] => format!("; {} and {} more help as much", one.in_words(), rest.len()),
    };
    let change = |before, after: Option<i64>| format!("from {} to {}", ns(before), ns(after));
    let tail = best.p99.filter(|shift| shift.seen).map_or_else(String::new, |_| {
        format!(", and one in a hundred {}", change(found.base_p99_ns, best.variant_p99_ns))
    });
    let median = change(found.base_p50_ns, Some(best.variant_p50_ns));
    let what = best.in_words();
    Headline::without_advice(format!("What helps most is {what}: lateness {median} at the median{tail}{others}."))
}

/// Returns how much a change asks of whoever makes it: a setting of the thread alone, another call in the program, or a privilege.
fn effort(change: &Change) -> u8 {
    match change {
        Change::Slack { .. } => 0,
        Change::Absolute { .. } | Change::Relative { .. } | Change::Method { .. } => 1,
        _ => 2,
    }
}

fn ns(ns: Option<i64>) -> String {
    ns.map_or_else(|| "–".to_owned(), |ns| Nanos::new(ns).to_string())
}

fn heading(found: &Interventions, screen: Screen) -> String {
    let text = format!(
        "Baseline: {} late at the median, {} at p99 ({} sleeps in {} blocks)",
        ns(found.base_p50_ns),
        ns(found.base_p99_ns),
        found.sleeps,
        found.blocks
    );
    screen.lines(0, &screen.heading(&text)) + "\n"
}

fn effects(mut seen: Vec<&Effect>, screen: Screen) -> String {
    if seen.is_empty() {
        return "No effect of any change was seen.\n".to_owned();
    }
    seen.sort_by(|a, b| b.p50.size.abs().total_cmp(&a.p50.size.abs()));
    let tails = tails(&seen);
    let tail = if tails { &["p99", "its change"][..] } else { &[] };
    let mut rows = table(&[&["changed", "median", "its change"], tail, &["against"]].concat(), screen);
    for effect in seen {
        let mut row = vec![effect.in_words()];
        row.extend(called(Some((effect.variant_p50_ns, &effect.p50)), screen));
        if tails {
            row.extend(called(effect.variant_p99_ns.zip(effect.p99.as_ref()), screen));
        }
        row.push(against(effect));
        rows.add_row(row.iter().map(|cell| firm(cell)));
    }
    align(&mut rows, &[0, if tails { 5 } else { 3 }]);
    fit(&mut rows, screen);
    table_text(&rows)
}

/// Returns whether any effect has enough sleeps for a 99th percentile; otherwise its column is left out.
fn tails(effects: &[&Effect]) -> bool {
    effects.iter().any(|effect| effect.p99.is_some())
}

/// Returns predicted and measured quantiles of the changes whose effect the baseline's samples predict.
fn predictions(found: &Interventions, screen: Screen) -> String {
    let mut rows = table(&["changed", "", "predicted", "interval", "measured"], screen);
    for effect in &found.effects {
        let Some(predicted) = &effect.predicted else { continue };
        let measured = [Some(effect.variant_p50_ns), effect.variant_p99_ns];
        for ((name, predicted), measured) in [("p50", predicted.p50), ("p99", predicted.p99)].into_iter().zip(measured)
        {
            let (Some(predicted), Some(measured)) = (predicted, measured) else { continue };
            let ns = |ns: i64| Nanos::new(ns).to_string();
            let interval = format!("{} to {}", ns(predicted.low_ns), ns(predicted.high_ns));
            let row = [effect.change.to_string(), name.to_owned(), ns(predicted.after_ns), interval, ns(measured)];
            rows.add_row(row.map(|cell| firm(&cell)));
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    align(&mut rows, &[0, 1]);
    fit(&mut rows, screen);
    format!("{}\n", table_text(&rows))
}

/// Returns a quantile after a change, and the interval of its shift; where none was seen, the smallest shift that would
/// have been.
fn called(after: Option<(i64, &Shift)>, screen: Screen) -> [String; 2] {
    let Some((after, shift)) = after else { return ["–".to_owned(), String::new()] };
    let after = Nanos::new(after).to_string();
    if shift.seen {
        [screen.heading(&after), format!("{} to {}", signed(shift.low), signed(shift.high))]
    } else {
        [after, format!("none seen, {}", detectable(shift))]
    }
}

fn detectable(shift: &Shift) -> String {
    format!("± {}", Nanos::from_f64(shift.smallest_detectable))
}

fn against(effect: &Effect) -> String {
    effect.given.as_ref().map_or_else(|| "baseline".to_owned(), ToString::to_string)
}

/// Returns a time with its sign; negative ones have a true minus sign.
pub(super) fn signed(ns: f64) -> String {
    let size = Nanos::from_f64(ns.abs());
    match size {
        Nanos::ZERO => size.to_string(),
        _ if ns < 0.0 => format!("−{size}"),
        _ => format!("+{size}"),
    }
}

/// Returns the changes whose effect may be as large as expected and could still not be seen, with the duration that would show it.
fn open(undecided: &[&Effect], found: &Interventions, screen: Screen) -> String {
    if undecided.is_empty() {
        return String::new();
    }
    let mut rows = table(&["undecided", "measured", "may be off by", "to decide", "against"], screen);
    for effect in undecided {
        let to_decide = found.deciding_time(effect).map_or_else(|| "a longer run".to_owned(), to_decide);
        let row = [effect.in_words(), moved(&effect.p50), detectable(&effect.p50), to_decide, against(effect)];
        rows.add_row(row.iter().map(|cell| firm(cell)));
    }
    align(&mut rows, &[0, 4]);
    fit(&mut rows, screen);
    format!("\n{}", table_text(&rows))
}

/// Returns a measured shift in words: "50.5 µs earlier".
fn moved(shift: &Shift) -> String {
    let size = Nanos::from_f64(shift.size.abs());
    match size {
        Nanos::ZERO => "no change".to_owned(),
        _ => format!("{size} {}", if shift.size < 0.0 { "earlier" } else { "later" }),
    }
}

fn to_decide(time: Nanos) -> String {
    if time > LONGEST { "more than an hour".to_owned() } else { super::tails::asked(time) }
}

/// Longest duration that is proposed.
const LONGEST: Nanos = Nanos::from_secs(3600);

fn nothing(unseen: &[&Effect], screen: Screen) -> String {
    if unseen.is_empty() {
        return "\n".to_owned();
    }
    let tails = tails(unseen);
    let tail = if tails { &["p99"][..] } else { &[] };
    let mut rows = table(&[&["no effect seen", "smallest detectable effect"], tail, &["against"]].concat(), screen);
    for effect in unseen {
        let mut row = vec![effect.in_words(), detectable(&effect.p50)];
        if tails {
            row.push(effect.p99.as_ref().map_or_else(|| "–".to_owned(), detectable));
        }
        row.push(against(effect));
        rows.add_row(row.iter().map(|cell| firm(cell)));
    }
    align(&mut rows, &[0, if tails { 3 } else { 2 }]);
    fit(&mut rows, screen);
    format!("\n{}\n", table_text(&rows))
}

/// Names the variants that slept in too few blocks to be compared: those with the numbers `few`. Empty if there are none.
pub fn not_compared(plan: &Plan, few: &[u32], screen: Screen) -> String {
    let Some((base, variants)) = plan.cells.split_first() else { return String::new() };
    let variants = variants.iter().filter(|cell| few.contains(&cell.id));
    let changes =
        |cell: &Cell| Change::between(base, cell).iter().map(ToString::to_string).collect::<Vec<_>>().join(" with ");
    let names: Vec<String> = variants.map(changes).collect();
    if names.is_empty() {
        return String::new();
    }
    let line = format!(
        "not compared, as they slept in fewer than {FEWEST_BLOCKS} blocks (a longer run may compare them): {}",
        names.join("; ")
    );
    screen.lines(0, &screen.warning(&line)) + "\n"
}

/// Returns what root would add, in one line; empty for root, or if nothing was forbidden.
pub fn privileges(meta: &Meta, note: &Note, screen: Screen) -> String {
    let forbidden = meta.unavailable.iter().chain(&note.unavailable).filter(|missing| missing.kind == "forbidden");
    let mut names: Vec<&str> = forbidden.map(|missing| missing.what.as_str()).collect();
    names.dedup();
    if meta.machine.limits.root != Some(false) || names.is_empty() {
        return String::new();
    }
    screen.lines(0, &screen.aside(&format!("root would add: {}", names.join(", "))))
}

fn method(found: &Interventions) -> String {
    let first = match found.warm_ups {
        0 => String::new(),
        warm_ups => format!(" The first {warm_ups} sleeps of turns are left out."),
    };
    format!(
        "Changes are 95 % intervals; negative: less late. {} shifts were tested at the 5 % level, corrected for their number (Holm).{first}",
        found.tries
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::{Predicted, PredictedQuantile, SizeInterval};
    use oversleep_recording::plan::{Conditions, Kind, Pattern, Policy};

    #[test]
    fn variants_with_too_few_blocks_are_named() {
        let cell =
            |id, conditions| Cell { conditions, ..Cell::new(id, "nanosleep", Pattern::fixed(Nanos::MILLISECOND)) };
        let idle = Conditions { policy: Some(Policy::Idle), ..Conditions::default() };
        let cells = vec![cell(0, Conditions::default()), cell(1, idle)];
        let plan = Plan { kind: Kind::Diagnose, cells, turns: Vec::new(), seed: 1 };
        let expected =
            "not compared, as they slept in fewer than 12 blocks (a longer run may compare them): policy idle\n\n";
        assert_eq!(not_compared(&plan, &[0, 1], Screen::PLAIN), expected);
        assert_eq!(not_compared(&plan, &[], Screen::PLAIN), "");
    }

    fn effect(predicted_after: Option<i64>, smallest_detectable: f64) -> Effect {
        let p50 = predicted_after.map(|after_ns| PredictedQuantile {
            before_ns: 97_000,
            after_ns,
            low_ns: after_ns,
            high_ns: after_ns,
        });
        Effect {
            cell: 1,
            reference: 0,
            change: Change::Slack { slack_ns: Some(Nanos::new(1)) },
            given: None,
            blocks: 64,
            sleeps: 64,
            variant_p50_ns: 46_500,
            variant_p99_ns: None,
            p50: Shift {
                size: -50_500.0,
                low: -55_900.0,
                high: 1.0,
                error: 13_000.0,
                p: 0.01,
                corrected: 0.2,
                seen: false,
                smallest_detectable,
            },
            p99: None,
            predicted: p50.map(|p50| Predicted { p50: Some(p50), p99: None }),
            delay: SizeInterval { size: 0.0, low: 0.0, high: 0.0 },
        }
    }

    fn shown(effect: Effect) -> String {
        let found = Interventions {
            base: 0,
            blocks: 64,
            sleeps: 64,
            warm_ups: 0,
            base_p50_ns: Some(97_000),
            base_p99_ns: None,
            tries: 1,
            effects: vec![effect],
            readings: Vec::new(),
            open: Vec::new(),
            round: Nanos::from_millis(400),
        };
        text(&found, Screen { width: 100, colour: false })
    }

    #[test]
    fn an_effect_of_the_expected_size_that_would_be_missed_is_undecided() {
        let text = shown(effect(Some(47_000), 55_900.0));
        let row = "slack 1 ns  50.5 µs earlier      ± 55.9 µs     -d 37s  baseline";
        assert!(text.contains(row) && !text.contains("no effect seen"), "{text}");
        // Nothing is predicted, but even the loss of all lateness would be missed.
        assert!(shown(effect(None, 98_000.0)).contains("undecided"));
        let text = shown(effect(None, 55_900.0));
        assert!(text.contains("no effect seen") && !text.contains("undecided"), "{text}");
    }
}
