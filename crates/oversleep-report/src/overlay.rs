//! A model laid over the data, as text: one line per kernel, and three distributions on one axis.

use super::percent::percent_to_all;
use super::shape::Axis;
use super::style::{Screen, align, table, table_text};
use oversleep_figures::Accumulator;
use oversleep_figures::Overlay;
use oversleep_figures::quantile::{Fraction, supports_quantile};
use oversleep_recording::document::{Fit, FittedModel, LeftOut};
use oversleep_sys::units::Nanos;

/// Returns the kernels that were laid over the sleeps, how much of the lateness they predict, and what remains.
pub fn text(over: &Overlay, screen: Screen) -> String {
    let mut out = format!("\n{}\n", screen.heading("A model of the findings, compared with the data"));
    let Some(fit) = &over.document.fit else {
        let why = over.document.left_out.first().map_or("there are no sleeps", |left| left.why);
        return out + &screen.lines(2, &format!("no model: {why}"));
    };
    let mut lines: Vec<(String, Vec<&FittedModel>)> = Vec::new();
    for laid in &over.document.kernels {
        let words = laid.model.words();
        match lines.iter_mut().find(|(known, _)| *known == words) {
            Some((_, members)) => members.push(laid),
            None => lines.push((words, vec![laid])),
        }
    }
    for (words, members) in &lines {
        out += &screen.lines(2, &format!("{words}{}", details(members)));
        out += &screen.lines(4, &verdict(members));
        out.extend(
            members.iter().find_map(|laid| alternatives(laid)).map(|text| screen.lines(4, &screen.aside(&text))),
        );
    }
    if lines.len() > 1 {
        out += &screen.lines(2, &format!("all of them together: {}", share(fit)));
    }
    out += &picture(over, screen);
    out.extend(left_out(&over.document.left_out).map(|text| screen.lines(2, &screen.aside(&text))));
    out
}

/// Returns drift and wake-up cost, as ranges over the members.
fn details(members: &[&FittedModel]) -> String {
    let range = |of: &dyn Fn(&FittedModel) -> Option<f64>| {
        let values: Vec<f64> = members.iter().filter_map(|laid| of(laid)).collect();
        let (least, most) =
            values.iter().fold((f64::MAX, f64::MIN), |(least, most), &value| (least.min(value), most.max(value)));
        (!values.is_empty()).then_some((least, most))
    };
    let spread = |(least, most): (String, String)| if least == most { least } else { format!("{least} to {most}") };
    let mut out = String::new();
    if let Some(open) = members.iter().map(|laid| &laid.hz_open).find(|open| !open.is_empty()) {
        let rates: Vec<String> = open.iter().map(|hz| format!("{hz}")).collect();
        out += &format!(" (rate undecided: {})", rates.join(" or "));
    }
    if let Some((least, most)) =
        range(&|laid| laid.model.drift_ppm()).filter(|(least, most)| least.abs().max(most.abs()) >= 0.5)
    {
        out += &format!(", ticks off by {} ppm", spread((format!("{least:+.1}"), format!("{most:+.1}"))));
    }
    if let Some((least, most)) = range(&|laid| Some(laid.model.cost)).filter(|(_, most)| *most >= 1.0) {
        let time = |ns: f64| Nanos::from_f64(ns).to_string();
        out += &format!(", {} per wake-up", spread((time(least), time(most))));
    }
    out
}

/// Returns how well one kernel predicts its methods; of several, the method it predicts worst.
fn verdict(members: &[&FittedModel]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in members.iter().map(|laid| laid.method.as_str()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let Some(worst) = members.iter().min_by(|a, b| explained_share(&a.fit).total_cmp(&explained_share(&b.fit))) else {
        return String::new();
    };
    match names[..] {
        [one] if members.len() == 1 => format!("{one}: {}", share(&worst.fit)),
        [one] => format!("{one}, the least of {}: {}", members.len(), share(&worst.fit)),
        [first, second] => format!("{first}, {second}: {}", least(worst)),
        [first, second, ref others @ ..] => format!("{first}, {second} and {} more: {}", others.len(), least(worst)),
        [] => String::new(),
    }
}

fn least(worst: &FittedModel) -> String {
    format!("{} (the least, {})", share(&worst.fit), worst.method)
}

/// Returns the share that is shown: of the variance if the model predicts different values, otherwise of the level.
fn explained_share(fit: &Fit) -> f64 {
    let share = if varies(fit) { fit.variance_share } else { fit.level_share };
    share.unwrap_or(0.0)
}

/// Returns whether the model predicts different values for different sleeps: only then can it explain variance.
fn varies(fit: &Fit) -> bool {
    fit.predicted_variance.is_some_and(|share| share > 0.01)
}

fn share(fit: &Fit) -> String {
    let left = format!("median residual {}", Nanos::new(fit.size.max(1)));
    if varies(fit) {
        let all = percent_to_all(fit.variance_share.unwrap_or(0.0));
        let trimmed = fit.trimmed_share.map(percent_to_all).filter(|share| *share != all);
        let trimmed = trimmed.map_or_else(String::new, |share| format!(" ({share} without the worst 1 %)"));
        format!("explains {all} of the variation{trimmed}; {left}")
    } else {
        let all = percent_to_all(fit.level_share.unwrap_or(0.0));
        format!("predicts the same lateness for every sleep: {all} of the total lateness; {left}")
    }
}

fn alternatives(laid: &FittedModel) -> Option<String> {
    let others: Vec<String> = laid
        .alternatives
        .iter()
        .filter_map(|other| {
            other.variance_share.map(|share| format!("{}, {}", other.rule.words(), percent_to_all(share)))
        })
        .collect();
    (!others.is_empty()).then(|| format!("with another rule: {}", others.join("; ")))
}

/// Returns the distributions of data, model and differences, on one axis.
fn picture(over: &Overlay, screen: Screen) -> String {
    let axis = Axis::over([&over.data, &over.model, &over.rest].into_iter());
    let mut rows = table(&["", "median", "p99", &axis.labels()], screen);
    for (name, values) in [("measured", &over.data), ("model", &over.model), ("residual, its size", &over.rest)] {
        let (middle, high) = middle_and_high(values);
        rows.add_row([name.to_owned(), middle, high, axis.shape(values)]);
    }
    align(&mut rows, &[0, 3]);
    table_text(&rows).lines().map(|line| format!("  {line}\n")).collect()
}

fn middle_and_high(values: &Accumulator) -> (String, String) {
    let mut values = values.clone();
    let mut settled = values.settle();
    let n = settled.count();
    let mut figure = |at| {
        settled
            .quantile(at)
            .filter(|_| supports_quantile(n, at))
            .map_or("–".to_owned(), |ns| Nanos::new(ns).to_string())
    };
    (figure(Fraction::P50), figure(Fraction::P99))
}

fn left_out(left: &[LeftOut]) -> Option<String> {
    let first = left.first()?;
    let sleeps: usize = left.iter().map(|left| left.sleeps).sum();
    let same = left.iter().all(|other| other.why == first.why);
    let what = if left.len() == 1 { first.method.clone() } else { format!("{} methods", left.len()) };
    let why = if same { first.why } else { "see --json" };
    Some(format!("not modelled: {sleeps} sleeps of {what} ({why})"))
}
