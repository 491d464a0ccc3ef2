//! How late sleeps can be, as a tolerance: the verdict first, then how sure it is and why.

use super::percent::percent_two_digits;
use super::style::Screen;
use oversleep_recording::document::{BoundedCell, LatenessBounds, LengthLaw, TailBasis, TailBound, TailPart};
use oversleep_recording::plan::Pattern;
use oversleep_recording::text::grouped;
use oversleep_sys::units::Nanos;

/// Returns the report as text.
pub fn text(bounds: &LatenessBounds, screen: Screen) -> String {
    let mut out = screen.lines(0, &screen.heading(&verdict(bounds)));
    for (index, cell) in bounds.measured.cells.iter().enumerate() {
        out.push('\n');
        if bounds.measured.cells.len() > 1 {
            let name = name(bounds, cell).unwrap_or_else(|| "as it is".to_owned());
            let limit = if index == 0 { String::new() } else { format!(": {}", limit(bounds, cell)) };
            out += &screen.lines(0, &format!("{name}{limit}"));
        }
        out += &screen.each_line(&reasons(bounds, cell).join("\n"));
    }
    out
}

/// Returns the tolerance in one sentence.
pub fn verdict(bounds: &LatenessBounds) -> String {
    let LatenessBounds { asked, risk, measured } = bounds;
    let Some(first) = measured.cells.first() else {
        return format!("no measured sleep is comparable with sleeps of {asked:#}");
    };
    let stated = |cell: &BoundedCell| Some(format!("{} {}", name(bounds, cell)?, limit(bounds, cell)));
    let others: String = measured.cells[1..].iter().filter_map(stated).map(|other| format!("; {other}")).collect();
    match first.bound.late {
        Some(late) => format!(
            "a test of {asked:#} may take {:#}{}; beyond that {}, if the machine stays as it was{others}",
            total(*asked, late),
            first.bound.at_most.map_or_else(String::new, |at_most| {
                format!(" ({:#} to be {:.0} % sure)", total(*asked, at_most), 100.0 * first.bound.certainty)
            }),
            runs(*risk)
        ),
        None => format!("how long a test of {asked:#} may take is not known for {}{others}", runs(*risk)),
    }
}

/// Returns how a cell differs from the first; `None` if it does not.
fn name(bounds: &LatenessBounds, cell: &BoundedCell) -> Option<String> {
    let figures = &cell.figures;
    let methods = bounds.measured.cells.iter().any(|other| other.figures.method != figures.method);
    let mut conditions = figures.conditions.asked.clone();
    let load = conditions.load.take().filter(|load| load.threads > 0);
    conditions.threads = None;
    let mut parts: Vec<String> = methods.then(|| figures.method.clone()).into_iter().collect();
    parts.extend(Some(conditions.name(None)).filter(|name| name != "default"));
    parts.extend(load.map(|load| match load.threads {
        1 => "beside a busy thread".to_owned(),
        threads => format!("beside {threads} busy threads"),
    }));
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn limit(bounds: &LatenessBounds, cell: &BoundedCell) -> String {
    match cell.bound.late {
        Some(late) => format!("{:#}", total(bounds.asked, late)),
        None => "not known".to_owned(),
    }
}

/// Returns the duration with its lateness, which is rounded up to two digits: a tolerance of more digits would claim too much.
fn total(asked: Nanos, late: Nanos) -> Nanos {
    asked.saturating_add(rounded_up(late))
}

fn rounded_up(late: Nanos) -> Nanos {
    let digits = late.get().unsigned_abs().checked_ilog10().unwrap_or(0);
    late.ceil_to(Nanos::new(10_i64.pow(digits.saturating_sub(1))))
}

/// Writes a risk as a number of runs, of which one exceeds the bound: `1 in 10 000 runs`.
fn runs(risk: f64) -> String {
    format!("{} runs", one_in(risk))
}

fn one_in(risk: f64) -> String {
    let runs = 1.0 / risk;
    if runs < 10.0 {
        return percent_two_digits(risk) + " of";
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive; saturates
    let runs = runs.round() as u64;
    format!("1 in {}", grouped(runs))
}

/// Factor within which a risk is meant to be right; a remark says so where events are too few for that.
const TOLD_FACTOR: f64 = 2.0;

/// Returns how sure a bound is, what it rests on, what it assumes, and how to know more.
fn reasons(bounds: &LatenessBounds, cell: &BoundedCell) -> Vec<String> {
    let bound = &cell.bound;
    let percent = 100.0 * bound.certainty;
    let mut lines = Vec::new();
    if let Some((low, at_most)) = bound.low.zip(bound.at_most) {
        lines.push(format!(
            "certainty: {percent:.0} % that {:#} suffices, and {percent:.0} % that it takes at least {:#}",
            total(bounds.asked, at_most),
            total(bounds.asked, low)
        ));
    }
    let (factor, events) = (bound.risk_factor(), bound.events_beyond());
    if bound.late.is_some() && factor > TOLD_FACTOR {
        lines.push(format!(
            "how often it is exceeded is known only within a factor of {factor:.1}: {events:.1} events that make sleeps so late are expected in \
             this time; measure longer to know better"
        ));
    }
    lines.push(basis(bounds, bound));
    lines.extend(parts(bounds, bound));
    lines.push(measured(bounds, cell));
    lines.extend(bounds.measured.machine.busy().map(|busy| format!("assumed: as busy as at the beginning ({busy})")));
    lines.push(match bound.basis {
        Some(TailBasis::Samples { .. }) => {
            format!("for twice the accuracy: measure {}", about(bound.span.saturating_mul(4)))
        }
        _ if bound.bounded_part.is_some() => {
            format!("for a bound without a model: measure until such a part has lasted {}", about(bound.carried_after))
        }
        _ => format!("for a bound without a model: measure {}", about(bound.carried_after)),
    });
    lines
}

/// Returns a time in words, of two digits: `about 87 s`, `about 3.4 min`.
pub fn about(time: Nanos) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        s if s < 120.0 => (s, "s"),
        s if s < 7_200.0 => (s / 60.0, "min"),
        s if s < 172_800.0 => (s / 3_600.0, "h"),
        s => (s / 86_400.0, "days"),
    };
    format!("about {value:.*} {unit}", usize::from(value < 9.95))
}

fn basis(bounds: &LatenessBounds, bound: &TailBound) -> String {
    let carried = bound.carried.map_or_else(
        || "the sleeps alone give no bound".to_owned(),
        |carried| {
            format!(
                "the sleeps alone give {}: {:#} ({:.0} % that {:#} suffices)",
                one_in(carried.risk),
                total(bounds.asked, carried.late),
                100.0 * bound.certainty,
                total(bounds.asked, carried.at_most)
            )
        },
    );
    match &bound.basis {
        Some(TailBasis::Samples { beyond, events }) => {
            let part = bound.bounded_part.and_then(|index| bound.parts.get(usize::try_from(index).ok()?));
            let sleeps = part.map_or(bound.n, |part| part.n);
            let s = if events.round() > 1.0 { "s" } else { "" };
            format!(
                "known from the sleeps themselves: {beyond} of {sleeps} were that late, in {:.0} event{s}",
                events.max(1.0)
            )
        }
        Some(TailBasis::Model { threshold, exceedances, events, shape, fit_probability, samples_reach, .. }) => {
            let beyond = if bound.risk < *samples_reach { "beyond" } else { "within" };
            format!(
                "by a model, {beyond} what was seen: above {threshold} a generalised Pareto tail of shape {shape:.2}, fitted to {exceedances} sleeps in \
                 {events:.0} events (sleeps of such a tail fit it worse {:.0} times in 100); {carried}",
                100.0 * fit_probability
            )
        }
        None => format!("no model: too few sleeps, or no tail fits them; {carried}"),
    }
}

/// Returns in which parts of the time sleeps were late in which way.
fn parts(bounds: &LatenessBounds, bound: &TailBound) -> Vec<String> {
    if bound.parts.is_empty() {
        return Vec::new();
    }
    let part = |part: &TailPart| {
        let late = part.late.map_or_else(|| "not known".to_owned(), |late| format!("{:#}", total(bounds.asked, late)));
        format!("  {} to {}: p50 {} late, bound {late}", part.from, part.to, part.p50)
    };
    let part_at = |place: Option<u64>| bound.parts.get(usize::try_from(place?).ok()?);
    let head = "the machine changed meanwhile";
    if bound.late.is_none() {
        return std::iter::once(format!("{head}:")).chain(bound.parts.iter().map(part)).collect();
    }
    let bounded = part_at(bound.bounded_part).map_or_else(
        || "all parts together".to_owned(),
        |worst| format!("the worst part that is long enough for a bound, {} to {}", worst.from, worst.to),
    );
    let short = part_at(bound.latest_part).filter(|latest| latest.late.is_none()).map_or_else(String::new, |latest| {
        format!(", and too small if the machine stays as it was from {} to {}", latest.from, latest.to)
    });
    let of_all = bound.of_all.map_or_else(String::new, |late| {
        format!("; {:#} over all the time, if it goes on to change like this", total(bounds.asked, late))
    });
    std::iter::once(format!("{head}; the bound is of {bounded}{short}{of_all}:"))
        .chain(bound.parts.iter().map(part))
        .collect()
}

fn measured(bounds: &LatenessBounds, cell: &BoundedCell) -> String {
    let (figures, bound) = (&cell.figures, &cell.bound);
    let requests = match cell.pattern {
        Pattern::Random { from, to } => format!("{from:#} to {to:#}"),
        pattern => format!("{:#}", pattern.typical()),
    };
    let threads = match figures.conditions.asked.threads {
        Some(threads) if threads > 1 => format!(", {threads} threads at once"),
        _ => String::new(),
    };
    let law = match cell.law {
        LengthLaw::Same => String::new(),
        LengthLaw::Independent => {
            format!("; this timer's lateness does not depend on the duration, so it stands for {:#}", bounds.asked)
        }
        LengthLaw::Unknown => {
            format!("; whether lateness depends on the duration is not known, so {:#} may be later", bounds.asked)
        }
    };
    format!("measured: {} {} of {requests} in {}{threads}{law}", bound.n, figures.method, bound.span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_rounded_up_to_two_digits_of_its_lateness() {
        for (late, wanted) in
            [(0, 0), (7, 7), (99, 99), (101, 110), (340_001, 350_000), (17_600_000, 18_000_000), (-5, -5)]
        {
            assert_eq!(rounded_up(Nanos::new(late)), Nanos::new(wanted), "{late}");
        }
        assert_eq!(format!("{:#}", total(Nanos::from_millis(100), Nanos::new(340_001))), "100.35 ms");
    }

    #[test]
    fn a_risk_is_one_of_so_many() {
        let shown = [0.5, 0.2, 0.1, 0.01, 1e-4, 1e-6, 3e-4].map(one_in);
        assert_eq!(
            shown,
            [
                "50% of",
                "20% of",
                "1 in 10",
                "1 in 100",
                "1 in 10\u{a0}000",
                "1 in 1\u{a0}000\u{a0}000",
                "1 in 3\u{a0}333"
            ]
        );
    }

    #[test]
    fn a_time_to_measure_has_two_digits() {
        let shown = [4, 87, 201, 10_753, 90_000, 900_000].map(|seconds| about(Nanos::from_secs(seconds)));
        assert_eq!(shown, ["about 4.0 s", "about 87 s", "about 3.4 min", "about 3.0 h", "about 25 h", "about 10 days"]);
    }
}
