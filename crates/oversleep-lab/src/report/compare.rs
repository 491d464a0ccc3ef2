//! A comparison as text: the facts that differ, then the quantiles of each cell and a verdict in a sentence.

use super::interventions::signed;
use super::style::{Screen, align, figure, firm, fit, table, text};
use super::table::conditions;
use crate::figures::ranks::least_p;
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedName, ErrorSource, FactDifference, QuantileShift, ShiftVerdict,
};
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;

/// Number of values of one fact above which they are counted instead of listed.
const MOST_VALUES: usize = 3;

/// Returns the whole report.
pub fn report(compared: &Compared, screen: Screen) -> String {
    let mut out = sides(compared, screen);
    out += &facts(&compared.differences, screen);
    for cell in &compared.cells {
        out += &one(cell, compared.cells.len(), screen);
    }
    out += &alone(compared, screen);
    if let Some(control) = &compared.control {
        out += &controlled(control, screen);
    }
    let convention = "shift: how much later B is, the median over pairs of recordings, which is not the difference of the medians A and \
                      B; oversleep = actual − requested, signed; quantiles by nearest rank";
    out + &screen.lines(0, &screen.aside(convention))
}

fn sides(compared: &Compared, screen: Screen) -> String {
    let side = |name: &str, runs: &[oversleep_recording::document::ComparedRun]| {
        let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        let shown = match names.as_slice() {
            [] => "nothing".to_owned(),
            [first, .., last] if names.len() > MOST_VALUES => format!("{} recordings, {first} to {last}", names.len()),
            all => all.join(", "),
        };
        screen.lines(0, &format!("{name}: {shown}"))
    };
    side("A", &compared.a) + &side("B", &compared.b) + "\n"
}

fn facts(differences: &[FactDifference], screen: Screen) -> String {
    if differences.is_empty() {
        return screen.lines(0, "The machines' facts are the same.") + "\n";
    }
    let mut rows = table(&["what differs", "A", "B"], screen);
    for difference in differences {
        let shown = |values: &[String]| match values.len() {
            0 => "–".to_owned(),
            n if n > MOST_VALUES => format!("{n} values"),
            _ => values.join(", "),
        };
        let fact = difference.fact.trim_start_matches('/').replace(['/', '_'], " ");
        rows.add_row([fact, shown(&difference.a), shown(&difference.b)].map(|cell| firm(&cell)));
    }
    align(&mut rows, &[0, 1, 2]);
    fit(&mut rows, screen);
    text(&rows) + "\n"
}

fn one(cell: &ComparedCell, cells: usize, screen: Screen) -> String {
    let sleeps = format!(" · {} and {} sleeps", cell.n_a, cell.n_b);
    let mut out = screen.lines(0, &(screen.heading(&title(&cell.a, &cell.b)) + &screen.aside(&sleeps)));
    let mut rows = table(&["", "A", "B", "shift", "interval", "of A", "runs differ by"], screen);
    for shift in &cell.shifts {
        let differ = shift.between_a_ns.zip(shift.between_b_ns).map(|(a, b)| Nanos::from_f64(a.max(b)));
        let row = [
            shift.figure.name().to_owned(),
            figure(Some(shift.a_ns)),
            figure(Some(shift.b_ns)),
            called(shift, screen),
            format!("{} to {}", signed(shift.low_ns), signed(shift.high_ns)),
            share(shift),
            differ.map_or_else(|| "unknown".to_owned(), |spread| spread.to_string()),
        ];
        rows.add_row(row);
    }
    align(&mut rows, &[0]);
    out += &text(&rows);
    out + &screen.lines(0, &sentence(cell, cells)) + "\n"
}

/// Returns what is compared: method and request, with any differences between the sides.
fn title(a: &ComparedName, b: &ComparedName) -> String {
    let whole = |name: &ComparedName| {
        let under = conditions(&name.conditions, None);
        let asked = asked(name.pattern);
        if name.conditions == oversleep_recording::plan::Conditions::default() {
            format!("{} {asked}", name.method)
        } else {
            format!("{} {asked}, {under}", name.method)
        }
    };
    if a == b { whole(a) } else { format!("A {} | B {}", whole(a), whole(b)) }
}

fn asked(pattern: Pattern) -> String {
    match pattern {
        Pattern::Fixed { requested } => requested.to_string(),
        Pattern::Periodic { period } => format!("every {period}"),
        Pattern::Random { from, to } => format!("{from} to {to}"),
        Pattern::Aligned { to } => format!("next {to}"),
    }
}

/// Highlights a shift beyond chance; puts any other in brackets.
fn called(shift: &QuantileShift, screen: Screen) -> String {
    match shift.verdict {
        ShiftVerdict::Later | ShiftVerdict::Earlier => screen.heading(&signed(shift.size_ns)),
        ShiftVerdict::NotSeen | ShiftVerdict::Open => format!("({})", signed(shift.size_ns)),
    }
}

fn share(shift: &QuantileShift) -> String {
    let a = shift.a_ns.as_f64();
    let percent = 100.0 * shift.size_ns / a;
    // A shift beyond A itself is one of pairs in which something else had the machine: no share says it.
    if a <= 0.0 || percent < -100.0 {
        return "–".to_owned();
    }
    let sign = if percent < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1} %", percent.abs())
}

/// Returns a shift with its interval: `+2.00 µs (+1.50 µs to +2.50 µs)`.
pub fn size(shift: &QuantileShift) -> String {
    format!("{} ({} to {})", signed(shift.size_ns), signed(shift.low_ns), signed(shift.high_ns))
}

/// Confidence of an interval with which a verdict is given.
const CONFIDENCE: f64 = 0.95;

/// Returns how many recordings a side, or pairs, can show a difference in one of so many cells.
fn enough(cells: usize, paired: bool) -> usize {
    (1..100).find(|runs| least_p(*runs, *runs, paired) * cells as f64 <= 1.0 - CONFIDENCE).unwrap_or(100)
}

/// Returns the verdict on one of so many cells as a sentence.
fn sentence(cell: &ComparedCell, cells: usize) -> String {
    let Some(shift) = cell.shifts.first() else {
        return format!("{} and {} sleeps carry no quantile that could be compared.", cell.n_a, cell.n_b);
    };
    let name = shift.figure.name();
    let size = Nanos::from_f64(shift.size_ns.abs());
    let beyond = |how: &str| {
        let error = match shift.error {
            ErrorSource::Pairs => "the pairs differ",
            _ => "recordings of one side differ",
        };
        format!("B is {how} at {name} by {size}, beyond what {error} by.")
    };
    let head = match shift.verdict {
        ShiftVerdict::Later => beyond("later"),
        ShiftVerdict::Earlier => beyond("earlier"),
        ShiftVerdict::NotSeen => format!(
            "No difference seen at {name}; one above {} would have been seen.",
            Nanos::from_f64(shift.low_ns.abs().max(shift.high_ns.abs()))
        ),
        ShiftVerdict::Open if shift.error == ErrorSource::WithinRuns => {
            let within = (shift.high_ns - shift.low_ns) / 2.0 / shift.a_ns.as_f64().abs().max(1.0) * 100.0;
            format!(
                "Undecided: these two recordings differ at {name} by {size}; the error between runs is unknown, {within:.1} % \
                 within. To decide, give four recordings a side, or measure both in turns: oversleep compare --run."
            )
        }
        ShiftVerdict::Open => {
            let paired = shift.error == ErrorSource::Pairs;
            let few = if shift.confidence < CONFIDENCE {
                format!("so few recordings carry an interval of {:.0} % confidence only", shift.confidence * 100.0)
            } else {
                format!("among {cells} cells compared at once, so few recordings show nothing beyond chance")
            };
            let unit = if paired { "pairs" } else { "recordings a side" };
            format!("Undecided: {few}; give {} {unit}.", enough(cells, paired))
        }
    };
    let tails = cell.shifts.iter().skip(1).filter_map(|shift| {
        let how = match shift.verdict {
            ShiftVerdict::Later => "later",
            ShiftVerdict::Earlier => "earlier",
            _ => return None,
        };
        Some(format!(" At {} it is {how} by {}.", shift.figure.name(), Nanos::from_f64(shift.size_ns.abs())))
    });
    head + &tails.collect::<String>()
}

fn alone(compared: &Compared, screen: Screen) -> String {
    let side = |name: &str, cells: &[ComparedName]| {
        let one_name = |cell: &ComparedName| match conditions(&cell.conditions, None).as_str() {
            "default" => format!("{} {}", cell.method, asked(cell.pattern)),
            under => format!("{} {}, {under}", cell.method, asked(cell.pattern)),
        };
        let names: Vec<String> = cells.iter().map(one_name).collect();
        if names.is_empty() { String::new() } else { screen.lines(0, &format!("only in {name}: {}", names.join("; "))) }
    };
    side("A", &compared.only_a) + &side("B", &compared.only_b)
}

fn controlled(control: &[ComparedCell], screen: Screen) -> String {
    control
        .iter()
        .filter_map(|cell| {
            let shift = cell.shifts.first()?;
            let text = match shift.verdict {
                ShiftVerdict::Later | ShiftVerdict::Earlier => {
                    let text = format!(
                        "WARNING: A differs from itself by {} at {}; the machine changed while it measured, and the verdict above is \
                         not to be trusted",
                        signed(shift.size_ns),
                        shift.figure.name()
                    );
                    screen.warning(&text)
                }
                _ => format!("control: A against itself at {}: {}", shift.figure.name(), size(shift)),
            };
            Some(screen.lines(0, &text))
        })
        .collect()
}

#[cfg(test)]
mod tests;
