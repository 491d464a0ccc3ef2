//! A comparison as text: the facts that differ, then the quantiles of each cell and a verdict in a sentence.

use super::columns::{self, Column};
use super::distributions::bounds;
use super::interventions::signed;
use super::requests::Requests;
use super::style::{Screen, align, figure, firm, fit, table, table_text};
use super::table::conditions;
use crate::figures::ranks::least_p;
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedMaximum, ComparedName, ErrorSource, FactDifference, QuantileShift, ShiftVerdict,
};
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;

/// Number of values of one fact above which they are counted instead of listed.
const MOST_VALUES: usize = 3;
const UNKNOWN: &str = "–";

/// Returns the whole report.
pub fn text(compared: &Compared, screen: Screen) -> String {
    let mut out = sides(compared, screen);
    out += &facts(&compared.differences, compared.stated, screen);
    let requests = requests(compared);
    for cell in &compared.cells {
        out += &one(cell, compared.cells.len(), &requests, screen);
    }
    out += &alone(compared, &requests, screen);
    if let Some(control) = &compared.control {
        out += &controlled(control, &compared.cells, screen);
    }
    if compared.cells.is_empty() {
        return out;
    }
    if compared.cells.iter().any(|cell| cell.a != cell.b) {
        let pairing = "A … | B …: not alike in method, request and conditions; paired because each is its side's only one with that \
                       method or request";
        out += &screen.lines(0, &screen.aside(pairing));
    }
    let convention = "shift: how much later B is, the median over pairs of recordings, which is not the difference of the medians A and \
                      B; in brackets where it may be chance; oversleep = actual − requested, signed; quantiles by nearest rank";
    out += &screen.lines(0, &screen.aside(convention));
    if compared.cells.iter().any(|cell| cell.max.is_some()) {
        let maximum = "max: the largest value of each side; it has no interval and is not tested, because one sleep decides it: the \
                       largest of one run says little about the next run's";
        out += &screen.lines(0, &screen.aside(maximum));
    }
    out
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

fn facts(differences: &[FactDifference], stated: [bool; 2], screen: Screen) -> String {
    let same = match stated {
        [true, true] => "The machines' facts are the same.",
        [true, false] => "Side B states no facts of its machine.",
        [false, true] => "Side A states no facts of its machine.",
        [false, false] => "Neither side states facts of its machine.",
    };
    let same = screen.lines(0, same) + "\n";
    if differences.is_empty() {
        return same;
    }
    // Without facts of the machines, the rows are of runtimes alone.
    let said = if stated == [true, true] { String::new() } else { same };
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
    said + &table_text(&rows) + "\n"
}

fn one(cell: &ComparedCell, cells: usize, requests: &Requests, screen: Screen) -> String {
    let (kind, values) = match cell.a.quantity.or(cell.b.quantity) {
        None => (String::new(), "sleeps"),
        Some(quantity) => (format!(" · {}", quantity.name()), "values"),
    };
    let counts = format!("{kind} · {} and {} {values}", cell.n_a, cell.n_b);
    let mut out = screen.lines(0, &(screen.heading(&title(&cell.a, &cell.b, requests)) + &screen.aside(&counts)));
    let rows: Vec<[String; 7]> =
        cell.shifts.iter().map(|shift| row(shift, screen)).chain(cell.max.map(row_of_maximum)).collect();
    let column = |at: usize| rows.iter().map(|row| row[at].clone()).collect();
    let columns = [
        Column::words("", column(0)),
        Column::figures("A", column(1)),
        Column::figures("B", column(2)),
        Column::figures("shift", column(3)),
        Column::figures("interval", column(4)).expendable(2),
        Column::figures("of A", column(5)).expendable(0),
        Column::figures("runs differ by", column(6)).expendable(1),
    ];
    out += &columns::fitted(&columns, screen);
    out + &screen.lines(0, &sentence(cell, cells)) + "\n"
}

fn row(shift: &QuantileShift, screen: Screen) -> [String; 7] {
    let (a, b) = match &shift.bounds {
        None => (figure(Some(shift.a_ns)), figure(Some(shift.b_ns))),
        Some(of) => (bounds(Some(of.a)), bounds(Some(of.b))),
    };
    let differ = shift.between_a_ns.zip(shift.between_b_ns).map(|(a, b)| Nanos::from_f64(a.max(b)));
    let interval =
        if shift.error == ErrorSource::Buckets { "unknown".to_owned() } else { range(shift.low_ns, shift.high_ns) };
    [
        shift.figure.name().to_owned(),
        a,
        b,
        called(shift, screen),
        interval,
        if shift.bounds.is_some() { UNKNOWN.to_owned() } else { share(shift.a_ns, shift.size_ns) },
        differ.map_or_else(|| "unknown".to_owned(), |spread| spread.to_string()),
    ]
}

fn row_of_maximum(max: ComparedMaximum) -> [String; 7] {
    let (low, high) = max.difference();
    let share = match (low, max.a.low) {
        (Some(size), Some(a)) if low == high => share(a, size.as_f64()),
        _ => UNKNOWN.to_owned(),
    };
    let shift = format!("({})", size_of_maximum(&max));
    let (a, b) = (bounds(Some(max.a)), bounds(Some(max.b)));
    ["max".to_owned(), a, b, shift, "none".to_owned(), share, "not tested".to_owned()]
}

/// Returns the difference of the largest values: `+2.00 µs`, or the bounds between which it lies.
pub fn size_of_maximum(max: &ComparedMaximum) -> String {
    match max.difference() {
        (Some(low), Some(high)) if low == high => signed(low.as_f64()),
        (Some(low), Some(high)) => range(low.as_f64(), high.as_f64()),
        _ => "unknown".to_owned(),
    }
}

/// Returns the short forms of all requests that are named.
pub(super) fn requests(compared: &Compared) -> Requests {
    let paired = compared.cells.iter().flat_map(|cell| [&cell.a, &cell.b]);
    Requests::of(paired.chain(&compared.only_a).chain(&compared.only_b).map(|name| name.pattern))
}

/// Returns what is compared: method and request, with any differences between the sides.
pub(super) fn title(a: &ComparedName, b: &ComparedName, requests: &Requests) -> String {
    if a == b { whole(a, requests) } else { format!("A {} | B {}", whole(a, requests), whole(b, requests)) }
}

/// Returns a cell's method, request and conditions.
fn whole(name: &ComparedName, requests: &Requests) -> String {
    let mut text = name.method.clone();
    // Another program's file may not tell its request.
    if name.quantity.is_none() || name.pattern != Pattern::fixed(Nanos::ZERO) {
        text += &format!(" {}", requests.text(name.pattern));
    }
    match conditions(&name.conditions, None).as_str() {
        "default" => text,
        under => format!("{text}, {under}"),
    }
}

/// Highlights a shift beyond chance; puts any other in brackets.
fn called(shift: &QuantileShift, screen: Screen) -> String {
    let size = best_size(shift);
    match shift.verdict {
        ShiftVerdict::Later | ShiftVerdict::Earlier => screen.heading(&size),
        ShiftVerdict::NotSeen | ShiftVerdict::Open => format!("({size})"),
    }
}

/// Returns the size of a shift, or the bounds between which it lies.
fn best_size(shift: &QuantileShift) -> String {
    shift.bounds.map_or_else(|| signed(shift.size_ns), |of| range(of.low_ns, of.high_ns))
}

fn range(low_ns: f64, high_ns: f64) -> String {
    format!("{} to {}", signed(low_ns), signed(high_ns))
}

fn share(a: Nanos, size_ns: f64) -> String {
    let a = a.as_f64();
    let percent = 100.0 * size_ns / a;
    // A shift beyond A itself is one of pairs in which something else had the machine: no share says it.
    if a <= 0.0 || percent < -100.0 {
        return UNKNOWN.to_owned();
    }
    let sign = if percent < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1} %", percent.abs())
}

/// Returns a shift with its interval: `+2.00 µs (+1.50 µs to +2.50 µs)`.
pub fn size(shift: &QuantileShift) -> String {
    let size = best_size(shift);
    if shift.error == ErrorSource::Buckets { size } else { format!("{size} ({})", range(shift.low_ns, shift.high_ns)) }
}

/// Returns the size of a shift without its sign, or the bounds of it.
fn distance(shift: &QuantileShift) -> String {
    let of = |ns: f64| Nanos::from_f64(ns.abs()).to_string();
    match shift.bounds {
        None => of(shift.size_ns),
        Some(bounds) => {
            let ends = [bounds.low_ns, bounds.high_ns].map(f64::abs);
            format!("{} to {}", of(ends[0].min(ends[1])), of(ends[0].max(ends[1])))
        }
    }
}

/// Confidence of an interval with which a verdict is given.
const CONFIDENCE: f64 = 0.95;

/// Returns how many recordings a side, or pairs, can show a difference in one of this number of cells.
fn enough(cells: usize, paired: bool) -> usize {
    (1..100).find(|runs| least_p(*runs, *runs, paired) * cells as f64 <= 1.0 - CONFIDENCE).unwrap_or(100)
}

/// Returns the verdict on one of a number of cells as a sentence.
fn sentence(cell: &ComparedCell, cells: usize) -> String {
    let Some(shift) = cell.shifts.first() else {
        return format!("{} and {} sleeps carry no quantile that could be compared.", cell.n_a, cell.n_b);
    };
    let name = shift.figure.name();
    let size = distance(shift);
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
        ShiftVerdict::Open if shift.error == ErrorSource::Buckets => {
            let differ = if shift.low_ns > 0.0 || shift.high_ns < 0.0 {
                format!("these two files differ at {name} by {size}")
            } else {
                format!("the bounds of {name} overlap, so these two files may not differ at all")
            };
            format!("Undecided: {differ}; the error between runs is unknown. To decide, give four files a side.")
        }
        ShiftVerdict::Open => {
            let paired = shift.error == ErrorSource::Pairs;
            let few = if shift.confidence < CONFIDENCE {
                format!("these few recordings carry an interval of {:.0} % confidence only", shift.confidence * 100.0)
            } else {
                let among = if cells > 1 { format!("among {cells} rows compared at once, ") } else { String::new() };
                format!("{among}these few recordings show nothing beyond chance")
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
        Some(format!(" At {} it is {how} by {}.", shift.figure.name(), distance(shift)))
    });
    head + &tails.collect::<String>()
}

fn alone(compared: &Compared, requests: &Requests, screen: Screen) -> String {
    let side = |name: &str, cells: &[ComparedName]| {
        let names: Vec<String> = cells.iter().map(|cell| whole(cell, requests)).collect();
        if names.is_empty() { String::new() } else { screen.lines(0, &format!("only in {name}: {}", names.join("; "))) }
    };
    side("A", &compared.only_a) + &side("B", &compared.only_b)
}

/// Returns the first few unpaired cells of each side, A first; `nothing` of a side without any.
pub fn unpaired(compared: &Compared) -> [String; 2] {
    let requests = requests(compared);
    [&compared.only_a, &compared.only_b].map(|cells| {
        let named: Vec<String> = cells.iter().take(MOST_VALUES).map(|cell| whole(cell, &requests)).collect();
        match (named.is_empty(), cells.len() - named.len()) {
            (true, _) => "nothing".to_owned(),
            (false, 0) => named.join("; "),
            (false, more) => format!("{} and {more} more", named.join("; ")),
        }
    })
}

/// Returns the largest difference that a verdict leaves unseen, or else the size of the one that was seen, in ns.
fn sensitivity(shift: &QuantileShift) -> Option<f64> {
    match shift.verdict {
        ShiftVerdict::Later | ShiftVerdict::Earlier => Some(shift.size_ns.abs()),
        ShiftVerdict::NotSeen => Some(shift.low_ns.abs().max(shift.high_ns.abs())),
        ShiftVerdict::Open => None,
    }
}

fn controlled(control: &[ComparedCell], judged: &[ComparedCell], screen: Screen) -> String {
    control
        .iter()
        .filter_map(|cell| {
            let shift = cell.shifts.first()?;
            let name = shift.figure.name();
            // What cannot fail tells nothing: it is said, and not shown as a control that held.
            let few = if shift.verdict == ShiftVerdict::Open {
                format!(
                    "; this check is undecided: its interval has a confidence of {:.0} % only; {} blocks A B B A would do (a longer -d)",
                    shift.confidence * 100.0,
                    enough(control.len(), true)
                )
            } else {
                String::new()
            };
            let seen = judged.iter().find(|judged| judged.a == cell.a).and_then(|judged| judged.shifts.first());
            let weak = seen.and_then(sensitivity).is_some_and(|least| shift.size_ns.abs() > least);
            let text = match shift.verdict {
                ShiftVerdict::Later | ShiftVerdict::Earlier => {
                    let text = format!(
                        "WARNING: runs of A differ from other runs of A by {} at {name}: the machine changed while it measured, so do not \
                         trust the verdict above",
                        signed(shift.size_ns)
                    );
                    screen.warning(&text)
                }
                _ if weak => screen.warning(&format!(
                    "WARNING: runs of A differ from other runs of A at {name} by {}, more than the difference that the verdict above \
                     is about, which is therefore weak{few}",
                    size(shift)
                )),
                _ if few.is_empty() => {
                    format!("check: runs of A compared with other runs of A show no difference at {name}: {}", size(shift))
                }
                _ => format!("check: runs of A compared with other runs of A at {name}: {}{few}", size(shift)),
            };
            Some(screen.lines(0, &text))
        })
        .collect()
}

#[cfg(test)]
mod tests;
