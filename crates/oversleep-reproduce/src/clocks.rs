//! The guide to the clocks of OS X: the cost of reading them.

use super::own_measurement::OwnMeasurement;
use oversleep_recording::Recording;
use oversleep_recording::document::{Basis, Claim, FigureUnit, Publication, ReproducedFigure};

/// Number of calls and nanoseconds per call, as published.
const PRINTED: [(&str, [(u64, f64); 3]); 2] = [
    ("mach_absolute_time", [(1_000, 70.0), (1_000_000, 42.0), (5_000_000, 34.0)]),
    ("clock_get_time", [(1_000, 2_440.0), (1_000_000, 2_360.0), (5_000_000, 2_337.0)]),
];

pub(super) fn publication(here: Option<&Recording>) -> Publication {
    Publication {
        name: "clocks".into(),
        title: "Missed OS X clocks guide".into(),
        by: "dshil, 2017, with benchmarks in github.com/dshil/playground".into(),
        claims: vec![costs(), ratio(), of_this_machine(&OwnMeasurement(here))],
        tables: Vec::new(),
        charts: Vec::new(),
    }
}

fn costs() -> Claim {
    let mut figures = Vec::new();
    for (name, rows) in PRINTED {
        for (calls, ns) in rows {
            let name = format!("{name}, {calls} calls");
            figures.push(ReproducedFigure::unsimulated(&name, &format!("{ns} ns/call"), FigureUnit::Nanoseconds));
        }
    }
    figures.push(ReproducedFigure::unsimulated(
        "a message while the port's queue is full",
        "waits",
        FigureUnit::Nanoseconds,
    ));
    Claim::new(Some(27), Basis::Input, figures)
        .about("clock_get_time costs 2.3 to 2.4 µs, mach_absolute_time 34 to 70 ns a call")
        .because(
            "Measured costs: a simulated kernel takes them as parameters and cannot give them. clock_get_time sends a message through a Mach port, \
             mach_absolute_time reads the counter. No queue of messages is modelled: neither its length nor how long a call waits under load is \
             published.",
        )
}

/// Checks the arithmetic of the published totals, which needs no model.
fn ratio() -> Claim {
    let totals = [
        ("mach_absolute_time, 1000 calls", 70_447.0, 1_000.0, 70.0),
        ("mach_absolute_time, 1000000", 42_273_214.0, 1_000_000.0, 42.0),
        ("mach_absolute_time, 5000000", 171_702_951.0, 5_000_000.0, 34.0),
        ("clock_get_time, 1000 calls", 2_440_023.0, 1_000.0, 2_440.0),
        ("clock_get_time, 1000000", 2_360_947_973.0, 1_000_000.0, 2_360.0),
        ("clock_get_time, 5000000", 11_689_396_590.0, 5_000_000.0, 2_337.0),
    ];
    let figure = |(name, total, calls, each): (&str, f64, f64, f64)| {
        let published = format!("{each} ns/call");
        ReproducedFigure::exactly(name, &published, FigureUnit::Nanoseconds, each, (total / calls).floor())
    };
    Claim::new(None, Basis::Documented, totals.into_iter().map(figure).collect())
        .about("his costs a call are his totals divided by the calls")
        .because("Computed from his totals, rounded down: no model.")
}

/// Returns the results of the same benchmark on this machine's clocks.
fn of_this_machine(here: &OwnMeasurement<'_>) -> Claim {
    let figure =
        |(name, ns): (String, f64)| ReproducedFigure::unsimulated(&name, "", FigureUnit::Nanoseconds).here(Some(ns));
    let figures: Vec<_> = here.clock_costs().into_iter().map(figure).collect();
    let measured = !figures.is_empty();
    let claim = Claim::new(None, Basis::Input, figures).about("the clocks of this machine").by("oversleep clocks");
    if measured { claim } else { claim.because("Measured with --here; `oversleep clocks` says more of each.") }
}
